"""The life of processes and threads: what is known of it at an instant, and what is proven.

One rule for all: who is in a list was there at the moment of the listing, and who is not was not
there then. That somebody has *ended* needs proof: the kernel says so of the very number, under
which it was seen before (its start time tells whether it is still the same one). What cannot be
read is unknown; and "nobody else" needs a second look that finds nobody new.
"""

import time
from enum import StrEnum
from pathlib import Path

from hangtui.backends.procfs.files import PROC, stat_of, text
from hangtui.backends.procfs.stat import TICKS_PER_S
from hangtui.model import TargetError

_DEAD = "ZX"
"""The kernel's letters: it has ended and waits to be fetched by its parent, or is no more."""


class Fate(StrEnum):
    """What is known of one that was seen before."""

    LIVES = "lives"
    ENDED = "ended"
    """Proven: the number is free, is another one's, or only the status of the end is left."""
    UNKNOWN = "unknown"
    """It may not be read."""


class GoneError(TargetError):
    """The process ended, or gave its memory back: what was to be read of it is no more."""


def ended_while_read(pid: int) -> str:
    """What is said of a process that came to its end during a capture. Nothing mends that."""
    return f"process {pid} ended while it was read"


def of_process(pid: int, since: int | None = None) -> Fate:
    """What has become of a process.

    *since*: its start in clock ticks since boot, as `started` told it; with another one the number
    was given to another process.
    """
    return _fate(PROC / str(pid), since)


def of_thread(pid: int, tid: int) -> Fate:
    """What has become of a thread."""
    return _fate(PROC / str(pid) / "task" / str(tid), None, is_thread=True)


def _fate(root: Path, since: int | None, *, is_thread: bool = False) -> Fate:
    try:
        found = stat_of(root)
        if since is not None and found.started != since:
            return Fate.ENDED
        # A main thread can end before the others: then the process lives on without it.
        if found.state in _DEAD and (is_thread or found.threads <= 1):
            return Fate.ENDED
    except (FileNotFoundError, ProcessLookupError):
        return Fate.ENDED
    except (OSError, ValueError, IndexError):
        return Fate.UNKNOWN
    return Fate.LIVES


def ended(pid: int) -> bool:
    """Whether a process that was seen has surely ended; what cannot be read may live."""
    return of_process(pid) is Fate.ENDED


def ends(pid: int) -> bool:
    """Whether one whose memory is not there any more has ended, or is about to."""
    try:
        found = stat_of(PROC / str(pid))
        return found.state in _DEAD or found.exits
    except (FileNotFoundError, ProcessLookupError):
        return True
    except (OSError, ValueError, IndexError):
        return False


def is_alive(pid: int) -> bool:
    """Whether a process is known to live."""
    return of_process(pid) is Fate.LIVES


def started(pid: int) -> int | None:
    """When a process was started, in the kernel's ticks since boot; None: it cannot be read.

    Together with the PID it tells one process from another that gets its number later.
    """
    try:
        return stat_of(PROC / str(pid)).started
    except (OSError, ValueError, IndexError):
        return None


def now() -> int:
    """The present in the measure of `started`, rounded down."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS_PER_S)


def age_s(pid: int) -> float | None:
    """For how many seconds the process has been there; None: it cannot be read."""
    try:
        return stat_of(PROC / str(pid)).age_s
    except (OSError, ValueError, IndexError):
        return None


def thread_state(pid: int, tid: int) -> str | None:
    """The kernel's letter for a thread, X once it is no more; None: it cannot be read."""
    try:
        return stat_of(PROC / str(pid) / "task" / str(tid)).state
    except (FileNotFoundError, ProcessLookupError):
        return "X"
    except (OSError, IndexError):
        return None


def births() -> int | None:
    """How many processes and threads the kernel has started since boot; None: it does not tell.

    If it is the same before and after a look at all processes, none came into being meanwhile.
    """
    try:
        for line in (text(PROC / "stat") or "").splitlines():
            if line.startswith("processes "):
                return int(line.split()[1]) or None
    except (OSError, ValueError, IndexError):
        pass
    return None
