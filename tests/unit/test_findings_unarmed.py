"""Timers of the kernel that have an interval, and no first time."""

from dataclasses import replace

import pytest

from hangtui.analysis import waitgraph
from hangtui.findings.rest.unarmed import never_expires
from hangtui.findings.words import words_of
from hangtui.model import NodeKind, NoHolder
from tests.unit.factories import capture, lock, python_frame, thread, waits

READER = thread("sprinkler", 101, python=[python_frame("Interval.next", 17)])


@pytest.mark.parametrize(
    ("no_holder", "operation", "expires", "never"),
    [
        (NoHolder.UNARMED, "timer", False, True),
        (None, "timer", False, False),
        (NoHolder.UNARMED, "timer", True, False),
        (NoHolder.UNARMED, "read", False, False),
    ],
)
def test_a_timer_without_a_first_time(
    no_holder: NoHolder | None, operation: str, expires: bool, never: bool
) -> None:
    timer = replace(lock("timerfd 3", 0x1, NodeKind.PIPE), no_holder=no_holder)
    made = capture(
        READER,
        resources=[timer],
        waits=[waits(READER, timer, operation=operation, expires=expires)],
    )

    assert never_expires(READER.id, words_of(made, waitgraph.build(made))) is never
