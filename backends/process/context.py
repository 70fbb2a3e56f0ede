"""What is around a process: its children, tracer, cgroup, signals, streams and devices."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from hangtui.backends import heartbeat
from hangtui.backends.linux import signal_name, signals_in
from hangtui.backends.process import job, open_files, ray_node
from hangtui.backends.process.cgroup import CGROUPS, group_of, memberships
from hangtui.backends.procfs import last_run, life, syscalls
from hangtui.backends.procfs.files import PROC, link, numbers, raw_cmdline, stat_of, text
from hangtui.model import Child, Surroundings, clean

FREEZERS = ("do_freezer_trap", "__refrigerator")
"""Kernel functions in which a process of a frozen cgroup sleeps."""
OWN_BUSINESS = {2, 4, 5, 6, 7, 8, 11, 32, 33}
"""SIGINT, which every Python catches; SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE and SIGSEGV, which
end what they meet; two that the C library keeps for itself."""
_DEVICES = re.compile(r"/dev/(nvidia\d+|kfd|dri/render\w+|accel/\w+)")
_STARTED_AS = re.compile(
    r"from (?:multiprocess(?:ing)?|[\w.]*\bloky\.backend)\."
    r"(resource_tracker|forkserver) import main\b"
)
MAX_CHILDREN, _MAX_DESCRIPTORS = 4096, 4096
"""With more of them nothing is said of any: what holds for those that were looked at need not hold
for the others."""

_Fact = TypeVar("_Fact")


def read(pid: int, status: Mapping[str, str]) -> Surroundings:
    """What is around process *pid*; *status*: the lines of its ``status`` file. Never raises."""
    root = PROC / str(pid)
    tracer = status.get("TracerPid", "0")
    groups = _known(lambda: text(root / "cgroup")) or ""
    memory = group_of(pid)
    return Surroundings(
        children=_known(lambda: tuple(_children(root))),
        age_s=life.age_s(pid),
        forked_from=_known(_forked_from, root, status),
        background=_known(lambda: stat_of(root).background),
        tracer=None if tracer == "0" else _known(lambda: _name(PROC / tracer)),
        frozen=_known(lambda: _frozen(root, groups)),
        oom_kills=memory.kills() if memory else None,
        memory_limit_bytes=memory.limit if memory else None,
        memory_used_bytes=memory.used() if memory else None,
        handles_signals=_known(lambda: tuple(_signals(status["SigCgt"]))),
        blocked_signals=_known(lambda: tuple(_blocked(status))),
        streams=_known(lambda: tuple(_stream(root, fd) for fd in range(3))),
        used_up=_known(open_files.used_up, root),
        devices=_known(lambda: _devices(root)),
        job=_known(job.place_of, root),
        ray_node=_known(ray_node.read, root),
    )


def _known(reader: Callable[..., _Fact], *arguments: object) -> _Fact | None:
    """A fact; None if it cannot be read, which costs nothing else."""
    try:
        return reader(*arguments)
    except (OSError, ValueError, LookupError):
        return None


def _name(root: Path) -> str:
    return clean((text(root / "comm") or "?").removesuffix("\n"))


def _children(root: Path) -> Iterator[Child]:
    found = child_pids(root)
    if len(found) > MAX_CHILDREN:
        raise ValueError(f"more than {MAX_CHILDREN} children")
    if any(heartbeat.is_shunned(pid) for pid in found):
        raise ValueError("one of them keeps whoever reads it waiting")
    for pid in found:
        child = _known(_child, PROC / str(pid))
        if child is not None:
            yield child


def child_pids(root: Path) -> list[int]:
    """The children of a process, without theirs.

    Raises:
        OSError: the process is gone.
    """
    found: list[str] = []
    for tid in numbers(root / "task"):
        found += (text(root / "task" / str(tid) / "children") or "").split()
    return [int(pid) for pid in found]


def has_too_many_children(pid: int) -> bool:
    """Whether it has more than are looked at."""
    return len(_known(child_pids, PROC / str(pid)) or ()) > MAX_CHILDREN


def _child(root: Path) -> Child:
    found = stat_of(root)
    wchan = text(root / "wchan")
    waits = None if wchan in (None, "", "0") else clean(wchan)
    call = syscalls.describe(text(root / "syscall") or "", lambda _: None)
    name = call.name if call else None
    state = found.state
    if state == "Z" and found.threads > 1:
        state = "?"  # its main thread has ended, and the others go on
    ended_s = _known(last_run.seconds_since, root) if state == "Z" else None
    status = _known(_exit_status, root) if state == "Z" else None
    child = Child(int(root.name), _name(root), state, found.age_s, ended_s, waits, name, status)
    return replace(child, helper=_known(_helper, root) if state == "S" else None)


def _helper(root: Path) -> str | None:
    """What multiprocessing started it as: ``python -c from multiprocessing.NAME import main``."""
    found = next(filter(None, map(_STARTED_AS.match, raw_cmdline(root)[1:])), None)
    return found[1] if found else None


def _exit_status(root: Path) -> int | None:
    """Of one that is a zombie now: before, the kernel has no status of it."""
    found = stat_of(root)
    return found.exit_status if found.state == "Z" else None


def _forked_from(root: Path, status: Mapping[str, str]) -> int | None:
    """Its parent, if neither of them has executed another program since it was forked."""
    parent = PROC / status["PPid"]
    same_program = link(root / "exe") is not None and link(root / "exe") == link(parent / "exe")
    words = raw_cmdline(root) if same_program else []
    return int(parent.name) if words and words == raw_cmdline(parent) else None


# -- its cgroups ----------------------------------------------------------------------------------


def _freezer_folders(groups: str) -> Iterator[Path]:
    """Folders of the process's cgroup, of the second hierarchy and of the first one."""
    for controllers, inside in memberships(groups):
        if not controllers:
            yield from (CGROUPS / inside, CGROUPS / "unified" / inside)
        elif "freezer" in controllers.split(","):
            yield CGROUPS / controllers / inside


def _frozen(root: Path, groups: str) -> str | None:
    for folder in _freezer_folders(groups):
        state = _known(text, folder / "freezer.state")
        events = _known(text, folder / "cgroup.events")
        if (state or "").startswith("FROZEN") or "frozen 1" in (events or ""):
            return clean(str(folder))
    if (text(root / "wchan") or "").startswith(FREEZERS):
        return "a cgroup that is not visible here"
    return None


# -- its signals, streams and devices -------------------------------------------------------------


def _signals(mask: str) -> Iterator[str]:
    for number in signals_in(int(mask, 16)):
        if number not in OWN_BUSINESS:
            yield signal_name(number)


def _blocked(status: Mapping[str, str]) -> Iterator[str]:
    """Those that came to the process, or to its main thread, and stay there: proc(5)."""
    sent = int(status["ShdPnd"], 16) | int(status["SigPnd"], 16)
    return map(signal_name, signals_in(sent & int(status["SigBlk"], 16)))


def _stream(root: Path, descriptor: int) -> str | None:
    target = link(root / "fd" / str(descriptor))
    if target is None:
        return None
    if target.startswith(("pipe:", "socket:")):
        return target.partition(":")[0]
    if target.startswith(("/dev/pts/", "/dev/tty", "/dev/console")):
        return f"terminal {target}"
    return target


def _devices(root: Path) -> tuple[str, ...]:
    found = set[str]()
    with os.scandir(root / "fd") as entries:
        for seen, entry in enumerate(entries):
            if seen == _MAX_DESCRIPTORS and not found:
                raise ValueError(f"more than {_MAX_DESCRIPTORS} open files")
            if seen == _MAX_DESCRIPTORS:
                break
            target = link(Path(entry.path)) or ""
            if _DEVICES.fullmatch(target):
                found.add(target)
    return tuple(sorted(found))
