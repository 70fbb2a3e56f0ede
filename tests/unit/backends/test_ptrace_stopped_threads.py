"""Threads that cannot move, and the signals that they got."""

import struct

import pytest

from hangtui.backends.arch import X86_64
from hangtui.backends.crash.signals import code_name, name_of, number_of
from hangtui.backends.ptrace.stopped_threads import (
    FrozenThread,
    FrozenWatch,
    SignalInfo,
)

NAMES = X86_64.registers.names


def _thread(**registers: int) -> FrozenThread:
    return FrozenThread.of(7, [registers.get(name, 0) for name in NAMES], X86_64)


def test_a_thread_in_a_system_call() -> None:
    thread = _thread(orig_rax=202, rdi=0x1000, rsi=0x80, rdx=2, rsp=0x7000, rip=0x5000, rbx=9)
    where = thread.blocked()

    assert (where.call, where.stack_pointer, where.address) == ("futex", 0x7000, 0x5000)
    assert where.futex is not None
    assert (where.futex.address, where.futex.value) == (0x1000, 2)
    assert where.registers[3] == 9  # rbx in DWARF's numbering
    assert thread.syscall_line == "202 0x1000 0x80 0x2 0x0 0x0 0x0 0x7000 0x5000"


def test_a_thread_that_ran() -> None:
    thread = _thread(orig_rax=(1 << 64) - 1, rsp=0x7000, rip=0x5000)
    assert (thread.call, thread.blocked().futex) == (-1, None)
    assert thread.syscall_line == "-1 0x7000 0x5000"


def test_the_watch_finds_all_of_them_still() -> None:
    watch = FrozenWatch([_thread()])
    assert watch.still(7)
    assert not watch.still(8)
    assert watch.asleep().keys() == {7}


@pytest.mark.parametrize(
    ("number", "code", "address", "sender", "name"),
    [
        (11, 1, 0x18, None, "SEGV_MAPERR"),
        (11, 2, 0x18, None, "SEGV_ACCERR"),
        (11, 128, 0, None, "SI_KERNEL"),
        (11, -6, None, 0x18, "SI_TKILL"),
        (7, 2, 0x18, None, "BUS_ADRERR"),
        (8, 1, 0x18, None, "FPE_INTDIV"),
        (6, 0, None, 0x18, "SI_USER"),
        (4, 99, 0x18, None, "code 99"),
    ],
)
def test_signals(
    number: int, code: int, address: int | None, sender: int | None, name: str
) -> None:
    raw = struct.pack("<iiiiQ", number, 0, code, 0, address or sender or 0).ljust(128, b"\0")
    info = SignalInfo.parse(raw)
    assert (info.number, info.code, info.address, info.sender) == (number, code, address, sender)
    assert code_name(number, code) == name


def test_names_of_signals() -> None:
    assert (name_of(11), name_of(99), number_of("SIGBUS"), number_of("SIGX")) == (
        *("SIGSEGV", "signal 99"),
        *(7, None),
    )
