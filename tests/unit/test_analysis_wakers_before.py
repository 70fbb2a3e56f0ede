"""Who an earlier look saw on the way to end a wait, where the last one saw nobody."""

from dataclasses import replace

import pytest

from hangtui.analysis.wakers_before import wakers_before
from hangtui.model import (
    Capture,
    Complement,
    CouldWake,
    Nearness,
    PythonFrame,
)
from tests.unit.factories import capture, evidence, lock, python_frame, thread, waits

READER = thread("reader", 101, python=[python_frame("read", 5)])
READY = lock("ready", 7)
POLL, FEED, REST = python_frame("poll", 9), python_frame("feed", 30), python_frame("rest", 2)
FURTHER = python_frame("feed", 32)


def look(*stack: PythonFrame, seen: bool = False, waiting: bool = True) -> Capture:
    feeder = thread("feeder", 102, python=list(stack))
    wait = (waits(READER, READY),) if waiting else ()
    made = capture(READER, feeder, resources=(READY,), waits=wait)
    could = CouldWake(READY.id, feeder.id, Complement.SET, Nearness.AHEAD, evidence("read"))
    return replace(made, could_wake=(could,) if seen else ())


@pytest.mark.parametrize(
    ("looks", "found"),
    [
        ((look(POLL, FEED, seen=True), look(FURTHER)), 1),
        ((look(POLL, FEED, seen=True), look()), 1),
        ((look(POLL, FEED, seen=True), look(REST)), 0),
        ((look(POLL, FEED, seen=True), look(POLL, FEED, seen=True)), 0),
        ((look(POLL, FEED, seen=True), look(POLL, FEED, waiting=False), look(POLL, FEED)), 0),
        ((look(POLL, FEED, seen=True), look(POLL, FEED, seen=True), look()), 1),
    ],
    ids=["in the same call", "unread", "elsewhere", "still seen", "another wait", "once"],
)
def test_who_has_not_left_its_call_since_is_still_on_the_way(
    looks: tuple[Capture, ...], found: int
) -> None:
    assert len(list(wakers_before(looks))) == found
