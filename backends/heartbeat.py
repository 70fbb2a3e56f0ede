"""What the process that reads tells the one that watches over it: whom it is at, for how long.

A read of foreign memory can block in the kernel, where nobody but another process can end it; and
a walk can take for ever. So the reader says what it is at in memory that the two share, and gives
itself so much processor time for it. Where nobody watches, all of this does nothing.
"""

import contextlib
import mmap
import resource
import signal
import struct
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import NamedTuple, NoReturn

from hangtui.backends.linux import PAGE

_WORD = struct.Struct("=Q")
_AT, _LAST = 0, 8
"""Where in the page the word lies, and the PID of who was read last."""
_PATIENCE_BITS, _COUNT_BITS = 14, 28
_TENTHS = 10
_MEMORY = 4 << 30
"""Bytes of address space beyond what there was at the beginning that one step may use."""


class OverrunError(BaseException):
    """A step took more processor time than it was given. No ``except Exception`` is to take it."""


class Beat(NamedTuple):
    """What the page says."""

    word: int
    """Differs from step to step; 0: at nobody."""
    blamed: tuple[int, ...]
    """Who may hold it up: first whoever was read last, then whom the step is for; 0: unknown."""
    patience_s: float
    """For how long the step may wait."""


class _Watched:
    """Who watches over this process, if anybody."""

    page: mmap.mmap | None = None
    watcher = 0
    count = 0
    memory = resource.RLIM_INFINITY
    shunned: frozenset[int] = frozenset()


_watched = _Watched()


def share(page: mmap.mmap, watcher: int) -> None:
    """From now on, say in *page* what this process is at; *watcher* is who reads it, a PID."""
    _watched.page, _watched.watcher = page, watcher
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123
        used = int(file.read().split()[0]) * PAGE
    _watched.memory = used + _MEMORY
    signal.signal(signal.SIGPROF, _overrun)


def watcher() -> int:
    """The PID of the process that watches over this one; 0: none does."""
    return _watched.watcher


def shun(pids: Iterable[int]) -> None:
    """From now on, have nothing of these processes read: they have held up an earlier reader."""
    _watched.shunned = frozenset(pids)


def is_shunned(pid: int) -> bool:
    """Whether a process has held up an earlier reader."""
    return pid in _watched.shunned


def brief(patience_s: float) -> float:
    """A patience that gets less with every process that has held up a reader: they may be many."""
    return max(0.3, patience_s / (1 + len(_watched.shunned)))


def _overrun(_number: int, _frame: FrameType | None) -> NoReturn:
    raise OverrunError


@contextlib.contextmanager
def at(pid: int, patience_s: float, processor_s: float = 0.0) -> Iterator[None]:
    """Say that this process is at *pid*, and bound what it spends on it.

    Args:
        pid: the process; 0: several, and who was read last is to blame.
        patience_s: how long it may wait, in seconds, before whoever watches ends it.
        processor_s: how long it may compute, in seconds; 0.0: as long as it takes.

    Raises:
        OverrunError: it computed for longer.
        MemoryError: it took more than 4 GiB.
    """
    page = _watched.page
    if page is None:
        yield
        return
    _watched.count += 1
    count = _watched.count % (1 << _COUNT_BITS)
    tenths = min(round(patience_s * _TENTHS), (1 << _PATIENCE_BITS) - 1)
    word = (pid << _PATIENCE_BITS | tenths) << _COUNT_BITS | count
    _WORD.pack_into(page, _LAST, 0)
    _WORD.pack_into(page, _AT, word)
    try:
        # Set inside: the time may be over before the next line.
        signal.setitimer(signal.ITIMER_PROF, processor_s)
        if processor_s:
            _limit_memory(_watched.memory)
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        finally:  # it may have gone off just now
            if processor_s:
                _limit_memory(resource.RLIM_INFINITY)
            _WORD.pack_into(page, _AT, 0)


def _limit_memory(size: int) -> None:
    """Set the soft limit; programs that are started between steps must not have it."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY:  # else whoever started us has set one
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def reading(pid: int) -> None:
    """Say who is read next."""
    if _watched.page is not None:
        _WORD.pack_into(_watched.page, _LAST, pid)


def beat(page: mmap.mmap) -> Beat:
    """What *page* says."""
    (word,) = _WORD.unpack_from(page, _AT)
    (last,) = _WORD.unpack_from(page, _LAST)
    tenths = word >> _COUNT_BITS & ((1 << _PATIENCE_BITS) - 1)
    step = word >> _COUNT_BITS + _PATIENCE_BITS
    return Beat(word, (last, step) if word else (), tenths / _TENTHS)


def clear(page: mmap.mmap) -> None:
    """Forget what an earlier reader said."""
    page[:16] = bytes(16)
