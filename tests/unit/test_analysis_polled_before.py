"""What is looked at in a loop, carried over from a look that met it asleep."""

from dataclasses import replace

import pytest

from hangtui.analysis.polled_before import polled_before
from hangtui.model import Capture, Polled, PythonFrame
from tests.unit.factories import capture, python_frame, thread

LOOP = python_frame("acquire", 9, "/opt/x/site-packages/lib.py")
OUTER = python_frame("settle", 30)


def look(*frames: PythonFrame, polled: bool) -> Capture:
    main = thread("MainThread", python=[*frames, OUTER])
    made = capture(main)
    seen = Polled(main.id, ("added",), "lib.py:9") if polled else None
    return replace(made, polled=(seen,) if seen else ())


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ([LOOP], True),
        ([python_frame("acquire", 7, "/opt/x/site-packages/lib.py")], True),
        ([python_frame("add", 2), python_frame("acquire", 7, "/opt/x/site-packages/lib.py")], True),
        ([python_frame("release", 7, "/opt/x/site-packages/lib.py")], False),
        ([python_frame("add", 2)], False),
        ([], False),
    ],
)
def test_only_within_the_same_call(now: list[PythonFrame], told: bool) -> None:
    found = list(polled_before([look(LOOP, polled=True), look(*now, polled=False)]))
    assert bool(found) is told


def test_what_the_last_one_knows_is_not_said_twice() -> None:
    assert not list(polled_before([look(LOOP, polled=True), look(LOOP, polled=True)]))
