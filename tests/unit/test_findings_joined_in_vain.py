"""Who waits for the end of a thread that waits for what nobody puts; and code that would end a
wait, inside of which somebody is."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.joined_in_vain import joined_in_vain, short_joined
from hangtui.findings.rest.rests import rests_of
from hangtui.findings.waiting_inside import short_past, who_runs
from hangtui.findings.words import words_of
from hangtui.model import Capture, Complement, CouldWake, Nearness, NodeKind
from tests.unit.factories import capture, evidence, lock, python_frame, stood, thread, waits

MAIN = thread("MainThread", python=[python_frame("main", 18)])
STAGE = replace(thread("stage-0", 101, python=[python_frame("stage", 6)]), takes_next=True)
TODO = replace(lock("todo (queue.Queue)", 0x1, NodeKind.QUEUE), wakers_known=True)


def joined(todo: object = TODO, *, comes: bool = False, expires: bool = False) -> Capture:
    other = thread("feed", 102, python=[python_frame("feed", 30)])
    made = capture(
        *(MAIN, STAGE, other),
        resources=[todo],  # type: ignore[list-item]
        waits=[waits(MAIN, STAGE), waits(STAGE, TODO, operation="get", expires=expires)],
    )
    puts = CouldWake(TODO.id, other.id, Complement.PUT, Nearness.AHEAD, evidence())
    return replace(made, could_wake=(puts,)) if comes else made


@pytest.mark.parametrize(
    ("made", "vain"),
    [
        (joined(), True),
        (joined(comes=True), False),
        (joined(expires=True), False),
        (joined(replace(TODO, enders=("on_message (main.py:3)",))), False),
        (joined(replace(TODO, wakers_known=False)), False),
    ],
    ids=["nobody puts", "somebody is on the way", "it has a timeout", "code would", "not known"],
)
def test_an_end_that_is_waited_for_in_vain(made: Capture, *, vain: bool) -> None:
    words = words_of(made, build(made))

    assert (joined_in_vain(MAIN.id, words) is not None) is vain
    assert ("nobody is left to put one" in short_joined(MAIN.id, words)) is vain


def test_who_joins_its_worker_in_vain_does_not_rest() -> None:
    made = stood(joined())
    words = words_of(made, build(made))

    assert rests_of(words).of(MAIN) is None


def test_code_that_somebody_is_inside_of_is_not_said_to_be_run_by_nobody() -> None:
    made = joined()
    words = words_of(made, build(made))
    places = ["feed (main.py:30)"]

    told = short_past(places, STAGE, words)
    assert told.startswith("; feed (main.py:30) would end that, inside of which feed ")
    assert "feed is inside of" in who_runs(places, None, STAGE, words)
    assert who_runs(["other (main.py:3)"], None, STAGE, words).endswith("which nobody runs")
    assert short_past(["other (main.py:3)"], STAGE, words) == ""
