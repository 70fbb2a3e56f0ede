"""How long a thread sleeps by the clock: the time lies in its memory."""

import math
import struct
import time
from dataclasses import replace

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Sleep, Syscall

_TIME = struct.Struct("<qq")
"""struct timespec, and of select(2) struct timeval."""
_WHOLE = {"nanosleep": 0, "pselect6": 4}
"""Calls that are given how long they last, and by which argument."""
_LONG_S, _LONGEST_S = 60, 100 * 365 * 86_400
"""What is told in words: less than that passes while one reads it; more was misread."""
_MINUTES_FROM, _DAYS_FROM = 10, 48
"""Minutes and hours up to which smaller parts are told."""
_NANOSECONDS = 1_000_000_000
_ABSOLUTE = 1
"""TIMER_ABSTIME."""
_CLOCKS = {0: time.CLOCK_REALTIME, 1: time.CLOCK_MONOTONIC}
"""Clocks that say the same here as there."""


def with_sleep(
    call: Syscall | None, where: BlockedThread | None, memory: Memory, *, ran: bool = False
) -> Syscall | None:
    """*call* with its sleep. In its words where that is long: the time that is left, or all of it
    where a sleep does not say until when it lasts. *ran*: the thread did meanwhile, so that a long
    time may be something else that came to lie where the call had its own."""
    if call is None or where is None or call.name != where.call or not call.sleeps:
        return call
    try:
        sleep = _sleep(call.name, where.arguments, memory)
    except (MemoryReadError, IndexError):
        return call
    if sleep and ran and _seconds(sleep) >= _LONG_S:
        return call
    return replace(call, sleep=sleep, detail=_told(sleep) or call.detail) if sleep else call


def _sleep(name: str, arguments: tuple[int, ...], memory: Memory) -> Sleep | None:
    if name == "select":
        seconds, microseconds = _TIME.unpack(memory.read(arguments[4], _TIME.size))
        return _real(Sleep(seconds + microseconds / 1e6, None))
    if name in _WHOLE:
        return _real(Sleep(_read(arguments[_WHOLE[name]], memory), None))
    if name != "clock_nanosleep":
        return None
    until = _read(arguments[2], memory)
    if not arguments[1] & _ABSOLUTE:
        return _real(Sleep(until, None))
    clock = _CLOCKS.get(arguments[0])
    return None if clock is None else _real(Sleep(None, until - time.clock_gettime(clock)))


def _read(address: int, memory: Memory) -> float:
    seconds, nanoseconds = _TIME.unpack(memory.read(address, _TIME.size))
    if seconds < 0 or not 0 <= nanoseconds < _NANOSECONDS:
        return math.inf  # the kernel takes none such (EINVAL)
    return float(seconds + nanoseconds / _NANOSECONDS)


def _real(sleep: Sleep) -> Sleep | None:
    """*sleep*; None: it was misread."""
    return sleep if _seconds(sleep) <= _LONGEST_S else None


def _seconds(sleep: Sleep) -> float:
    return (sleep.total_s or 0.0) if sleep.left_s is None else sleep.left_s


def _told(sleep: Sleep) -> str | None:
    if sleep.left_s is not None:
        return f"{_span(sleep.left_s)} left" if sleep.left_s >= _LONG_S else None
    total = sleep.total_s or 0.0
    return f"{_span(total)} in all" if total >= _LONG_S else None


def remaining(seconds: float) -> str:
    """``3.2 s left``, ``23 h 59 min left``, ``due now``."""
    if seconds >= _LONG_S:
        return f"{_span(seconds)} left"
    return f"{seconds:.1f} s left" if seconds > 0 else "due now"


def _span(seconds: float) -> str:
    """``90 s``, ``42 min``, ``23 h 59 min``, ``30 days``: whole ones, cut off."""
    minutes = int(seconds) // 60
    hours = minutes // 60
    if minutes < _MINUTES_FROM:
        return f"{seconds:.0f} s"
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes % 60} min" if hours < _DAYS_FROM else f"{hours // 24} days"
