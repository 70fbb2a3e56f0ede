"""Timers of the kernel that have an interval, and no first time."""

from dataclasses import replace

import pytest

from hangtui.analysis import waitgraph
from hangtui.findings.rest.unarmed import never_expires
from hangtui.findings.words import words_of
from hangtui.model import NodeKind
from tests.unit.factories import capture, lock, python_frame, thread, waits

READER = thread("sprinkler", 101, python=[python_frame("Interval.next", 17)])


@pytest.mark.parametrize(
    ("note", "operation", "expires", "never"),
    [
        ("it is not armed, though its interval is 3 s: only who", "timer", False, True),
        ("it is not armed: only who calls timerfd_settime()", "timer", False, False),
        ("it is not armed, though its interval is 3 s: only who", "timer", True, False),
        ("interval", "read", False, False),
    ],
)
def test_a_timer_without_a_first_time(
    note: str, operation: str, expires: bool, never: bool
) -> None:
    timer = replace(lock("timerfd 3", 0x1, NodeKind.PIPE), note=note)
    made = capture(
        READER,
        resources=[timer],
        waits=[waits(READER, timer, operation=operation, expires=expires)],
    )

    assert never_expires(READER.id, words_of(made, waitgraph.build(made))) is never
