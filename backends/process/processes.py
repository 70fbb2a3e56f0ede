"""Processes and threads as the kernel shows them in /proc, without touching them."""

import contextlib
import functools
import pwd
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from hangtui.backends.process import container, context, namespaces
from hangtui.backends.process.discovery import is_python, own_pids, python_pids
from hangtui.backends.procfs import life, secrets, syscalls
from hangtui.backends.procfs.files import (
    PROC,
    is_withheld,
    link,
    numbers,
    raw_cmdline,
    stat_of,
    status_of,
    text,
)
from hangtui.backends.procfs.schedule import Schedule, schedule_of
from hangtui.backends.procfs.stat import Stat
from hangtui.dataclass import dataclass
from hangtui.model import Process, TargetError, Thread, clean

__all__ = ["ThreadCounter", "children", "counters", "is_python", "python_pids", "read_process"]


_DEAD_STATES = frozenset("ZX")


@dataclass(frozen=True, slots=True)
class ThreadCounter:
    """What changes when a thread runs; two equal readings mean that it stood still."""

    schedule: Schedule
    state: str
    """The kernel's letter."""
    syscall: str | None
    """Raw text of its ``syscall`` file; None where we may not read it."""


def read_process(pid: int) -> Process:
    """The process and its threads; facts that we may not read are None.

    Raises:
        TargetError: there is no such process, or it ended meanwhile.
    """
    pid = _leader(pid)
    root = PROC / str(pid)
    try:
        status = status_of(root)
        state = status["State"][0]
        cpu, rss = _usage(pid, stat_of(root))
        return Process(
            pid=pid,
            ppid=int(status["PPid"]),
            cmdline=_cmdline(root),
            state=state,
            exe=link(root / "exe"),
            ns_pid=_innermost(status.get("NSpid")),
            container=container.title(text(root / "cgroup") or ""),
            user=_user(pid, int(status["Uid"].split()[0])),
            cpu_percent=cpu,
            rss_bytes=rss,
            tracer_pid=int(status.get("TracerPid", "0")) or None,
            threads=_threads(pid, root),
            around=context.read(pid, status),
        )
    except (FileNotFoundError, ProcessLookupError) as error:
        raise life.GoneError(life.ended_while_read(pid)) from error


def children(pid: int) -> list[int]:
    """All descendants, parents before their children, without hangtui's own and theirs.

    Raises:
        TargetError: there is no such process.
    """
    # psutil would read a file of every process there is, any of which may not answer.
    family = [_leader(pid)]
    ours = own_pids()
    for one in family:
        with contextlib.suppress(OSError):
            for tid in numbers(PROC / str(one) / "task"):
                names = text(PROC / str(one) / "task" / str(tid) / "children") or ""
                family += [one for one in map(int, names.split()) if one not in ours]
    return family[1:]


def counters(pid: int, only: Collection[int] | None = None) -> dict[int, ThreadCounter]:
    """By TID: what tells whether a thread ran between two calls. Empty once the process is gone.

    *only*: the TIDs to read; None: all.
    """
    result = {}
    root = PROC / str(pid)
    tasks = _tasks(root) if only is None else ((t, root / "task" / str(t)) for t in only)
    for tid, task in tasks:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError, IndexError):
            result[tid] = ThreadCounter(
                schedule_of(task), _stat_state(task), text(task / "syscall")
            )
    return result


def has_thread(pid: int, ns_tid: int) -> bool:
    """Whether a process now has a thread of this number, by its own numbering."""
    found = False
    for _, task in _tasks(PROC / str(pid)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found = found or _innermost(status_of(task).get("NSpid")) == ns_tid
    return found


# -- the process ----------------------------------------------------------------------------------


def _leader(pid: int) -> int:
    """The process that *pid* names: itself, or the one that the thread with this TID belongs to."""
    try:
        return int(status_of(PROC / str(pid))["Tgid"])
    except (FileNotFoundError, ProcessLookupError, KeyError) as error:
        raise missing(pid) from error


def missing(*pids: int) -> TargetError:
    """What to say if there are no such processes."""
    fix = "hangtui   (without a PID: lists the Python processes)"
    return TargetError(f"no process {', '.join(map(str, pids))}", fix)


def _cmdline(root: Path) -> tuple[str, ...]:
    words = raw_cmdline(root)
    if not words and is_withheld(root):
        return (clean((text(root / "comm") or "?").removesuffix("\n")),)
    return tuple(clean(word) for word in secrets.mask(words))


def _usage(pid: int, stat: Stat) -> tuple[float | None, int | None]:
    """Processor use since the last call in percent, None at first, and resident bytes."""
    try:
        started, used_s, resident = stat.started, stat.processor_s, stat.resident_bytes
    except (IndexError, ValueError):
        return None, None
    now = time.monotonic()
    last = _used.get(pid)
    _used[pid] = (started, used_s, now)
    if last is None or last[0] != started or now == last[2]:
        return None, resident
    return round((used_s - last[1]) / (now - last[2]) * 100, 1), resident


_used: dict[int, tuple[int, float, float]] = {}
"""By PID: when it was started, the seconds of a processor that it had used, and when that was read.
"""


def read_briefly(pid: int) -> Process:
    """The process with nothing but what the kernel tells in one file that asks nobody.

    Raises:
        TargetError: there is no such process.
    """
    try:
        status = status_of(PROC / str(pid))
        name = clean(status.get("Name", "?"))
        return Process(pid, int(status["PPid"]), (name,), status["State"][0])
    except (OSError, KeyError, ValueError) as error:
        raise missing(pid) from error


def _user(pid: int, uid: int) -> str:
    """The user's name where the process lives: in another container it is another list."""
    with contextlib.suppress(OSError):
        if namespaces.has_own_files(pid):
            return clean(namespaces.user_name(pid, uid) or str(uid))
    try:
        return clean(pwd.getpwuid(uid).pw_name)
    except KeyError:
        return str(uid)


def _innermost(ids: str | None) -> int | None:
    """The last of the numbers that ``NSpid`` lists, one for each nested PID namespace."""
    return int(ids.split()[-1]) if ids else None


# -- its threads ----------------------------------------------------------------------------------


def _threads(pid: int, root: Path) -> tuple[Thread, ...]:
    fd_name = functools.cache(lambda fd: link(root / "fd" / str(fd)))
    found = []
    for tid, task in _tasks(root):
        # A thread that ended between the listing and the reading is left out.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found.append(_thread(pid, tid, task, fd_name))
    if all(thread.state in _DEAD_STATES for thread in found):
        return ()
    return tuple(found)


def _thread(pid: int, tid: int, task: Path, fd_name: syscalls.FdName) -> Thread:
    status = status_of(task)
    name = clean((text(task / "comm") or "").removesuffix("\n"))
    wchan = text(task / "wchan")
    return Thread(
        pid=pid,
        tid=tid,
        name=name,
        comm=name,
        state=status.get("State", "?")[0],
        ns_tid=_innermost(status.get("NSpid")),
        syscall=syscalls.describe(text(task / "syscall") or "", fd_name),
        wchan=None if wchan in (None, "", "0") else clean(wchan),
    )


def _tasks(root: Path) -> Iterator[tuple[int, Path]]:
    try:
        tids = numbers(root / "task")
    except OSError:
        return
    for tid in tids:
        yield tid, root / "task" / str(tid)


def _stat_state(task: Path) -> str:
    return stat_of(task).state
