"""How long a thread still sleeps by the clock, where that is long: the time lies in its memory."""

import struct
import time
from dataclasses import replace

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Syscall

_TIME = struct.Struct("<qq")
"""struct timespec."""
_LONG_S, _LONGEST_S = 60, 100 * 365 * 86_400
"""What is told: less than that passes while one reads it; more was misread."""
_ABSOLUTE = 1
"""TIMER_ABSTIME."""
_CLOCKS = {0: time.CLOCK_REALTIME, 1: time.CLOCK_MONOTONIC}
"""Clocks that say the same here as there."""


def with_sleep(call: Syscall | None, where: BlockedThread | None, memory: Memory) -> Syscall | None:
    """*call* with the time that is left of it, or with all of it where a sleep does not say until
    when it lasts."""
    if call is None or where is None or call.name != where.call or not call.sleeps:
        return call
    try:
        told = _told(call.name, where.arguments, memory)
    except (MemoryReadError, IndexError):
        return call
    return replace(call, detail=told) if told else call


def _told(name: str, arguments: tuple[int, ...], memory: Memory) -> str | None:
    if name == "nanosleep":
        return _long(_read(arguments[0], memory), "s in all")
    if name != "clock_nanosleep":
        return None
    until = _read(arguments[2], memory)
    if not arguments[1] & _ABSOLUTE:
        return _long(until, "s in all")
    clock = _CLOCKS.get(arguments[0])
    return None if clock is None else _long(until - time.clock_gettime(clock), "s left")


def _read(address: int, memory: Memory) -> float:
    seconds, nanoseconds = _TIME.unpack(memory.read(address, _TIME.size))
    return float(seconds + nanoseconds / 1e9)


def _long(seconds: float, unit: str) -> str | None:
    return f"{seconds:.0f} {unit}" if _LONG_S <= seconds <= _LONGEST_S else None
