"""What other processes are called, who their children are, and what keeps them from running."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from hangtui.backends.process.context import FREEZERS, OWN_BUSINESS
from hangtui.backends.procfs import secrets
from hangtui.backends.procfs.files import PROC, link, numbers, raw_cmdline, stat_of, status_of, text
from hangtui.model import NodeKind, Process, Resource, clean, label_of, process_id

STOPPED = frozenset("Tt")
"""The kernel's letters for a thread that a signal or a debugger holds."""
_HINDRANCES = {
    "T": "stopped by a signal",
    "t": "stopped by a debugger",
    "Z": "ended, not yet reaped by its parent",
}
_WRITING = ("pipe_write", "anon_pipe_write")
"""fs/pipe.c, up to Linux 6.13 and from 6.14 on."""
_MENDING = {_HINDRANCES["T"]: ": SIGCONT resumes it"}


def resource(pid: int, process: Process | None) -> Resource:
    """The process as a node, whether it is captured or not."""
    hindrance = _hindrance(pid)
    name, detail = f"process {pid}", title(pid, process)
    label = label_of(name, detail)
    if hindrance:
        label += f", {hindrance}"
    note = f"process {pid} is {hindrance}{_MENDING.get(hindrance, '')}" if hindrance else None
    made = Resource(process_id(pid), NodeKind.PROCESS, label, pid, 0, note=note)
    return replace(made, name=label) if hindrance else replace(made, name=name, detail=detail)


def title(pid: int, process: Process | None) -> str:
    """The script of a Python process, else the program."""
    if process is None:
        words = tuple(clean(word) for word in _masked(pid))
        process = Process(pid, 0, words, "?")
    return process.title if process.cmdline else _comm(pid)


def _masked(pid: int) -> tuple[str, ...]:
    try:
        return secrets.mask(raw_cmdline(PROC / str(pid)))
    except OSError:
        return ()


def _comm(pid: int) -> str:
    try:
        return clean((text(PROC / str(pid) / "comm") or "?").removesuffix("\n"))
    except (FileNotFoundError, ProcessLookupError):
        return "it has ended"
    except OSError:
        return "?"


def _hindrance(pid: int) -> str | None:
    """Why the process does not run although nothing that it asked for is missing."""
    with contextlib.suppress(OSError, KeyError, IndexError, ValueError):
        status = _status(pid)
        found = _HINDRANCES.get(status["State"][0])
        if status["State"][0] == "Z" and int(status["Threads"]) > 1:
            return None  # its main thread has ended, and the others go on
        wchan = text(PROC / str(pid) / "wchan") or ""
        return found or ("frozen with its cgroup" if wchan in FREEZERS else None)
    return None


def _status(pid: int) -> dict[str, str]:
    return status_of(PROC / str(pid))


def is_held_up(pid: int) -> bool:
    """Whether it lives and does not run, whatever comes to it: it is stopped, or frozen."""
    with contextlib.suppress(OSError, KeyError, IndexError):
        return _status(pid)["State"][0] != "Z" and _hindrance(pid) is not None
    return False


def fills_a_pipe(pid: int) -> bool:
    """Whether the main thread of a process sleeps in a write to a full pipe."""
    try:
        return text(PROC / str(pid) / "wchan") in _WRITING
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    with contextlib.suppress(OSError):
        tids = numbers(PROC / str(pid) / "task")
        return [child for tid in tids for child in own_children(pid, tid)]
    return []


def own_children(pid: int, tid: int) -> list[int]:
    """The children that one thread started."""
    with contextlib.suppress(OSError, ValueError):
        names = text(PROC / str(pid) / "task" / str(tid) / "children") or ""
        return [int(name) for name in names.split()]
    return []


def reaped(pid: int) -> int | None:
    """A count that grows with each child that the process fetches the end of: their page faults.

    None: it cannot be read, or ends are not fetched, since it ignores SIGCHLD.
    """
    if forgets_children(pid) is not False:
        return None
    return _counted(lambda: stat_of(PROC / str(pid)).childrens_faults)


def forgets_children(pid: int) -> bool | None:
    """Whether it ignores SIGCHLD, so that the kernel keeps nothing of its children that have ended;
    None: that cannot be read."""
    try:
        return bool(int(_status(pid)["SigIgn"], 16) >> (signal.SIGCHLD - 1) & 1)
    except (OSError, KeyError, ValueError):
        return None


def group(pid: int) -> int | None:
    """Its process group."""
    return _counted(lambda: stat_of(PROC / str(pid)).group)


def _counted(field: Callable[[], int]) -> int | None:
    """A field of ``stat``; None: it cannot be read."""
    try:
        return field()
    except (OSError, ValueError, IndexError):
        return None


def number_in(pid: int, of: int) -> int:
    """The number of process *pid* in the PID namespace of process *of*."""
    try:
        own = _status(of)["NSpid"].split()
        seen = _status(pid)["NSpid"].split()
        return int(seen[len(own) - 1])
    except (OSError, KeyError, ValueError, IndexError):
        return pid


def leader_of(tid: int) -> int | None:
    """The process that a thread belongs to; None: there is no such thread."""
    try:
        return int(_status(tid)["Tgid"])
    except (OSError, KeyError, ValueError):
        return None


@cache
def _no_concern() -> int:
    return sum(1 << (number - 1) for number in OWN_BUSINESS)


def catches_signals(pid: int) -> bool:
    """Whether a signal can make it do something of its own: a handler may write into its pipes."""
    try:
        return bool(int(_status(pid)["SigCgt"], 16) & ~_no_concern())
    except (OSError, KeyError, ValueError):
        return True


def parent(pid: int) -> int | None:
    """The process that started it, or took it over."""
    try:
        return int(_status(pid)["PPid"])
    except (OSError, KeyError, ValueError):
        return None


def ancestors(pid: int) -> Iterator[int]:
    """Its parent, the parent of that, and so on, the nearest ones."""
    above: int | None = pid
    for _ in range(64):
        above = parent(above) if above else None
        if above is None or above <= 1:
            return
        yield above


def same_namespace(pid: int, other: int) -> bool:
    """Whether two processes number processes alike."""
    ours, theirs = (link(PROC / str(one) / "ns" / "pid") for one in (pid, other))
    return ours is not None and ours == theirs
