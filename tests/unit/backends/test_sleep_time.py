"""How long a thread still sleeps."""

import struct
import time

import pytest

from hangtui.backends.process.sleep_time import with_sleep
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Syscall
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
        ("nanosleep", (AT, 0), DAY_S, "86400 s in all"),
        ("clock_nanosleep", (1, 0, AT, 0), DAY_S, "86400 s in all"),
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
    assert found is not None
    assert abs(int(found.removesuffix(" s left")) - DAY_S) < 60


def test_what_is_no_sleep_is_left_as_it_is() -> None:
    memory = LiteralMemory((AT, bytes(16)))
    assert with_sleep(None, None, memory) is None
    other = Syscall("read", "fd 3")
    assert with_sleep(other, BlockedThread("read", (3,), 0, 0), memory) is other
