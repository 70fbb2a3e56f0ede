"""Who is met awake between two sleeps of one call is told as it was met asleep."""

from dataclasses import replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.model import Capture, NodeKind, Syscall, Thread
from tests.unit.factories import capture, lock, native_frame, python_frame, thread, waits

MS = 1_000_000
SLEEP = Syscall("clock_nanosleep", timed=True, timeout_ms=100)


def asks(*, asleep: bool, cpu_ms: float, line: int = 31) -> Thread:
    """A thread in a call that C code has sleep and look again."""
    stack = [python_frame("save", line), python_frame("<module>", 99, entry=False)]
    one = thread("MainThread", state="S" if asleep else "R", python=stack)
    return replace(one, cpu_ns=int(cpu_ms * MS), syscall=SLEEP if asleep else None)


def looked(*looks: Thread) -> Capture:
    """What several captures of it, one a second, tell together."""
    return with_progress(
        [
            replace(capture(look), taken_at=f"2030-01-02T03:04:{n:02}+00:00")
            for n, look in enumerate(looks)
        ]
    )


def test_who_was_asleep_there_before_is_told_so() -> None:
    found = looked(*(asks(asleep=n < 3, cpu_ms=n) for n in range(4)))

    (one,) = found.threads()
    assert (one.asleep, one.syscall) == (True, SLEEP)
    assert found.progress[0].looks == 4


@pytest.mark.parametrize(
    "last",
    [asks(asleep=False, cpu_ms=1500), asks(asleep=False, cpu_ms=3, line=32)],
    ids=["it used the processor", "it is at another line"],
)
def test_who_does_something_else_is_not(last: Thread) -> None:
    (one,) = looked(*(asks(asleep=True, cpu_ms=n) for n in range(3)), last).threads()

    assert not one.asleep
    assert one.syscall is None


def test_a_native_stack_that_could_not_be_read_is_that_of_an_earlier_look() -> None:
    natives = (native_frame("sqlite3InvokeBusyHandler"),)
    whole = replace(asks(asleep=True, cpu_ms=0), native_stack=natives)
    unread = (replace(asks(asleep=True, cpu_ms=n), native_stack=None) for n in range(1, 4))
    (one,) = looked(whole, *unread).threads()

    assert one.native_stack == natives


def test_what_it_waited_for_by_the_clock_is_known_still() -> None:
    """Where processors are few, who wakes up for a moment is awake for long."""
    stop = lock("stop", 1, NodeKind.EVENT)
    looks = []
    for n in range(4):
        one = asks(asleep=n < 3, cpu_ms=n)
        known = n < 3
        waiting = [waits(one, stop, expires=True)] if known else []
        made = capture(one, resources=[stop] if known else [], waits=waiting)
        looks.append(replace(made, taken_at=f"2030-01-02T03:04:{n:02}+00:00"))
    found = with_progress(looks)

    assert [one.target for one in found.waits] == [stop.id]
    assert [one.id for one in found.resources] == [stop.id]
