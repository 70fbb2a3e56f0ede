"""How long a thread still sleeps."""

import struct
import time

import pytest

from hangtui.backends.process.sleep_time import with_sleep
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Sleep, Syscall
from tests.unit.backends.fakes import LiteralMemory

AT = 0x1000
DAY_S = 86_400


def told(name: str, arguments: tuple[int, ...], seconds: float) -> str | None:
    memory = LiteralMemory((AT, struct.pack("<qq", int(seconds), 0)))
    call = with_sleep(Syscall(name), BlockedThread(name, arguments, 0, 0), memory)
    return call.detail if call else None


@pytest.mark.parametrize(
    ("name", "arguments", "seconds", "detail"),
    [
        ("nanosleep", (AT, 0), DAY_S, "24 h 0 min in all"),
        ("nanosleep", (AT, 0), 90, "90 s in all"),
        ("nanosleep", (AT, 0), 2520, "42 min in all"),
        ("nanosleep", (AT, 0), 30 * DAY_S, "30 days in all"),
        ("clock_nanosleep", (1, 0, AT, 0), DAY_S, "24 h 0 min in all"),
        ("clock_nanosleep", (7, 1, AT, 0), DAY_S, None),
        ("clock_nanosleep", (1, 0, AT, 0), 5, None),
        ("clock_nanosleep", (1, 0, AT, 0), 1 << 62, None),
        ("clock_nanosleep", (1, 0, 0x9000, 0), DAY_S, None),
        ("clock_nanosleep", (1,), DAY_S, None),
        ("poll", (AT, 1, 5), DAY_S, None),
    ],
)
def test_how_long_a_long_sleep_lasts(
    name: str, arguments: tuple[int, ...], seconds: float, detail: str | None
) -> None:
    assert told(name, arguments, seconds) == detail


def test_what_is_left_until_a_moment() -> None:
    until = time.clock_gettime(time.CLOCK_MONOTONIC) + DAY_S
    found = told("clock_nanosleep", (1, 1, AT, 0), until)
    assert found in ("23 h 59 min left", "24 h 0 min left")


@pytest.mark.parametrize(
    ("name", "arguments", "number", "total"),
    [
        ("nanosleep", (AT, 0), (3, 500_000_000), 3.5),
        ("clock_nanosleep", (1, 0, AT, 0), (5, 0), 5.0),
        ("pselect6", (0, 0, 0, 0, AT, 0), (7, 0), 7.0),
        ("select", (0, 0, 0, 0, AT), (2, 250_000), 2.25),
    ],
)
def test_how_long_a_sleep_is_in_all(
    name: str, arguments: tuple[int, ...], number: tuple[int, int], total: float
) -> None:
    memory = LiteralMemory((AT, struct.pack("<qq", *number)))
    given = Syscall(name, only_time=name.endswith(("select", "select6")))
    call = with_sleep(given, BlockedThread(name, arguments, 0, 0), memory)
    assert call is not None
    assert call.sleep == Sleep(total, None)


def test_how_much_of_a_short_sleep_is_left() -> None:
    until = time.clock_gettime(time.CLOCK_MONOTONIC) + 30.0
    memory = LiteralMemory((AT, struct.pack("<qq", int(until), 0)))
    where = BlockedThread("clock_nanosleep", (1, 1, AT, 0), 0, 0)
    call = with_sleep(Syscall("clock_nanosleep"), where, memory)
    assert call is not None
    assert call.sleep is not None
    assert call.sleep.left_s is not None
    assert 20.0 < call.sleep.left_s <= 30.0
    assert call.detail is None


def test_what_is_no_sleep_is_left_as_it_is() -> None:
    memory = LiteralMemory((AT, bytes(16)))
    assert with_sleep(None, None, memory) is None
    other = Syscall("read", "fd 3")
    assert with_sleep(other, BlockedThread("read", (3,), 0, 0), memory) is other


@pytest.mark.parametrize(
    ("nanoseconds", "ran", "known"),
    [(0, False, True), (0, True, False), (1_000_000_000, False, False), (-1, False, False)],
)
def test_what_lies_there_may_be_something_else_by_then(
    nanoseconds: int, ran: bool, known: bool
) -> None:
    memory = LiteralMemory((AT, struct.pack("<qq", DAY_S, nanoseconds)))
    where = BlockedThread("nanosleep", (AT, 0), 0, 0)
    call = with_sleep(Syscall("nanosleep"), where, memory, ran=ran)

    assert call is not None
    assert (call.sleep is not None, call.detail is not None) == (known, known)
