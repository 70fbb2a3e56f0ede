"""Locks that nobody is seen to have, and that somebody is on the way to release."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import NodeKind, Severity, Sleep, Syscall, Thread
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

LOCK = lock("Book.open_now", 5, NodeKind.LOCK)


def sleeper(left_s: float) -> Thread:
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    return thread("writer", 103, still=True, python=[python_frame("write", 90)], syscall=nap)


@pytest.mark.parametrize(
    ("left_s", "gives", "bad"), [(9.0, True, False), (90.0, True, True), (9.0, False, True)]
)
def test_who_releases_it_and_goes_on_by_the_clock_is_told(
    left_s: float, *, gives: bool, bad: bool
) -> None:
    main = thread("MainThread", 100, still=True, python=[python_frame("begin", 66)])
    other = thread("desk", 102, still=True, python=[python_frame("begin", 66)])
    writer = sleeper(left_s)
    book = replace(LOCK, givers=(writer.id,) if gives else ())
    made = capture(
        *(main, other, writer), resources=[book], waits=[waits(main, book), waits(other, book)]
    )
    found = next(one for one in findings.run(stood(made)) if one.id == "waiting-for-others")

    assert (found.severity is Severity.WARNING) is bad
    way = "; writer is on the way to release it, and sleeps at main.py:90 (write)"
    assert (way in found.title) is not bad
    assert ("; only writer is on the way to release it, " in found.title) is (bad and gives)
