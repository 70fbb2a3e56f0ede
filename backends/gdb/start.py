"""Starts gdb: with few variables, with limits, and where it can be behind walls.

What gdb reads of a stranger's program may make it open any file, work for ever, or take all memory.
"""

import contextlib
import ctypes
import os
import resource
import struct
import subprocess
import threading
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from hangtui.backends.gdb import landlock
from hangtui.backends.tools import programs

_NULL = Path("/dev/null")
_INSTALLED = ("/usr", "/lib", "/lib64", "/bin", "/nix/store", "/gnu/store")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime")
_LISTED = (Path("/proc"),)
"""Python's subprocess looks there for what it must close."""
_CPU_S = 3600
"""Of processor time for one gdb, should whoever started it be gone: a sitting may be long."""
_LEAST_MEMORY, _MOST_MEMORY = 4 << 30, 64 << 30
_CLONE_NEWNS = 0x20000
"""linux/sched.h"""
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000
_NODEV, _PRIVATE = 0x4, 1 << 18
"""MOUNT_ATTR_NODEV and MS_PRIVATE, linux/mount.h."""
_Made = TypeVar("_Made")


class Walls(Enum):
    """What gdb cannot get at."""

    NONE = "everything that we could open"
    FILES = "only its own installation and the files that it is given"
    DEVICES = "no devices: to attach to a process, which Landlock forbids to those it holds"


def start(
    command: Sequence[str],
    folder: Path,
    walls: Walls = Walls.NONE,
    files: Sequence[int] = (),
    *,
    stdin: int = subprocess.PIPE,
    output: int = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    """Start gdb in *folder*; *files*: descriptors that it inherits, and may open again.

    Raises:
        OSError: it does not start.
    """

    def begin() -> subprocess.Popen[bytes]:
        if walls is Walls.FILES and landlock.version():
            _confine(command[0], folder, files)
        elif walls is Walls.DEVICES:
            _without_devices()
        # A session of its own keeps it out of reach of our terminal's signals.
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=output,
            stderr=output,
            bufsize=0,
            cwd=folder,
            env={**programs.environment(), "LC_ALL": "C.UTF-8"},
            pass_fds=files,
            start_new_session=True,
        )

    # Walls hold a thread and what it starts, for good: so it is a thread of its own.
    process = _in_a_thread(begin)
    with contextlib.suppress(OSError, ValueError):
        for kind, limit in _limits(walls):
            resource.prlimit(process.pid, kind, (limit, limit))
    return process


def _in_a_thread(make: Callable[[], _Made]) -> _Made:
    made: list[_Made] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            made.append(make())
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return made[0]


def _confine(program: str, folder: Path, files: Sequence[int]) -> None:
    place = Path(program).resolve()
    # A gdb of its own folder (conda, script/portable) has its libraries and its Python beside it.
    # Of one in /bin or ~/bin that would be everything.
    around = place.parents[1] if place.parent.name == "bin" else place
    own = [place if around in (Path("/"), Path.home().resolve()) else around]
    allowed = [*map(Path, (*_INSTALLED, *_SETTINGS)), *own, folder]
    landlock.restrict(programs=allowed, listed=_LISTED, files=files, written=_NULL)


def _without_devices() -> None:
    """Take a mount namespace of our own, in which no device can be opened; only root may."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0 and libc.unshare(_CLONE_NEWNS) == 0:
        attributes = struct.pack("<QQQQ", _NODEV, 0, _PRIVATE, 0)
        libc.syscall(
            ctypes.c_long(_MOUNT_SETATTR), _AT_FDCWD, b"/", _AT_RECURSIVE, attributes,
            ctypes.c_size_t(len(attributes)),
        )  # fmt: skip


def _limits(walls: Walls) -> Sequence[tuple[int, int]]:
    core = (resource.RLIMIT_CORE, 0)
    if walls is not Walls.FILES:
        return [core]  # the user's own process, or one that must not be left stopped
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    space = min(max(memory, _LEAST_MEMORY), _MOST_MEMORY)
    return [core, (resource.RLIMIT_AS, space), (resource.RLIMIT_CPU, _CPU_S)]
