"""Waits for a lock on a file that the last look met between two sleeps of a library."""

import pytest

from hangtui.analysis.waits_before import waited_before
from hangtui.model import Capture, Certainty, NodeKind, PythonFrame
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

ASKS = python_frame("acquire", 9, "/opt/x/site-packages/filelock/api.py")
TRIES = python_frame("acquire", 7, "/opt/x/site-packages/filelock/api.py")
OUTER = python_frame("settle", 30)
FILE = lock("the file lock index.lock", 0xF, NodeKind.FILE_LOCK)


def look(*frames: PythonFrame, waiting: bool) -> Capture:
    main, other = thread("MainThread", python=[*frames]), thread("other", 101)
    wait = waits(main, FILE, Certainty.INFERRED, expires=True)
    return capture(
        main,
        other,
        resources=[FILE] if waiting else [],
        waits=[wait] if waiting else [],
        holds=[holds(FILE, other)] if waiting else [],
    )


def carried(*now: PythonFrame, then: tuple[PythonFrame, ...] = (ASKS, OUTER)) -> Capture:
    last = look(*now, waiting=False)
    return waited_before([look(*then, waiting=True), last], last)


def test_below_the_same_line_it_waits_as_before() -> None:
    found = carried(TRIES, OUTER)
    assert [one.target for one in found.waits] == [FILE.id]
    assert [one.holder for one in found.holds] == [thread("other", 101).id]
    assert [one.id for one in found.resources] == [FILE.id]


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ((OUTER,), (ASKS, OUTER)),
        ((python_frame("settle", 31),), (ASKS, OUTER)),
        ((TRIES, python_frame("settle", 31)), (ASKS, OUTER)),
        ((python_frame("settle", 31),), (OUTER,)),
        ((), (ASKS, OUTER)),
    ],
)
def test_who_has_gone_on_does_not(
    now: tuple[PythonFrame, ...], then: tuple[PythonFrame, ...]
) -> None:
    assert not carried(*now, then=then).waits


def test_what_the_last_one_knows_is_not_said_twice() -> None:
    last = look(ASKS, OUTER, waiting=True)
    assert waited_before([last, last], last) is last
