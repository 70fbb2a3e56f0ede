"""What a killed hangtui may leave: looked for over the whole machine; for ``kill_loop.py``.

Each run gets a folder for temporary files of its own, and what it starts is marked in its
environment and becomes ours when its parent dies. As root the run moves into namespaces of its own
(`alone`): then all that lies in the usual places, and every System V object, is its doing.
"""

import contextlib
import ctypes
import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.endurance.full_screen import marked
from tests.procfs import has_ended

_PR_SET_CHILD_SUBREAPER = 36
"""linux/prctl.h"""
_USUAL = ("/tmp", "/var/tmp", "/dev/shm")
_ALONE = "HANGTUI_KILLED_ALONE"
_OURS = ("hangtui-scratch-", ".hangtui-")
_SYSTEM_V = tuple(Path("/proc/sysvipc") / name for name in ("msg", "sem", "shm"))


def alone(words: Sequence[str]) -> None:
    """Start this program anew in namespaces of its own, with empty places for temporary files.

    Not where the program itself lies in such a place.
    """
    programs = [shutil.which(name) for name in ("unshare", "mount", "sh")]
    needed = [Path(place).resolve() for place in (__file__, sys.prefix, sys.base_prefix)]
    hidden = any(place.is_relative_to(usual) for place in needed for usual in _USUAL)
    if _ALONE in os.environ or os.geteuid() != 0 or None in programs or hidden:
        return
    mounts = [f"mount -t tmpfs private {folder} || exit 1" for folder in _USUAL]
    script = "; ".join([*mounts, 'exec "$@"'])
    trial = ["unshare", "-m", "-i", "--propagation", "private", "sh", "-c", "; ".join(mounts)]
    if os.spawnvp(os.P_WAIT, "unshare", trial) == 0:
        command = [*trial[:-1], script, "sh", sys.executable, *words]
        os.execvpe("unshare", command, {**os.environ, _ALONE: "1"})


class Leftovers:
    """What was there before, what there is now that nobody has use for."""

    def __init__(self, name: str) -> None:
        """*name*: of this run, in the environment of all that hangtui starts."""
        self._mark = f"{name}={os.getpid()}"
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._folder = Path(tempfile.mkdtemp(prefix="killed-"))
        self.environment = {**os.environ, "TMPDIR": str(self._folder), name: str(os.getpid())}
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        self._places = [Path(place) for place in (*_USUAL, *([runtime] if runtime else []))]
        self._before = self._around()
        self._objects = self._system_v()

    def end(self) -> None:
        """Remove the folder for temporary files."""
        shutil.rmtree(self._folder)

    def started(self) -> dict[int, str]:
        """Command lines of what hangtui started and of itself, by PID."""
        return marked(self._mark)

    def found(self, *ours: int) -> list[str]:
        """In words; *ours*: children of this process that are to be there."""
        processes = {pid: line for pid, line in self.started().items() if not has_ended(pid)}
        processes |= {pid: _line(pid) for pid in _orphans() if pid not in ours}
        return [
            *(f"process {pid}: {line}" for pid, line in processes.items()),
            *(f"file {path}" for path in _below(self._folder)),
            *(f"file {path}" for path in sorted(self._around() - self._before) if _is_left(path)),
            *(f"System V: {line}" for line in sorted(self._system_v() - self._objects)),
        ]

    def _around(self) -> set[Path]:
        """What lies in the usual places; unless these are ours alone, what has our name."""
        found = set[Path]()
        for place in self._places:
            with contextlib.suppress(OSError):
                found |= {path for path in place.iterdir() if _counts(path)}
        return found

    def _system_v(self) -> set[str]:
        if _ALONE not in os.environ:
            return set()
        return {line for path in _SYSTEM_V for line in path.read_text().splitlines()[1:]}


def waited(find: Callable[[], list[str]], wait: Callable[[Callable[[], bool]], bool]) -> list[str]:
    """What is still found when *wait* gives up waiting for it to go."""
    found: list[str] = []

    def is_clean() -> bool:
        found[:] = find()
        return not found

    wait(is_clean)
    return found


def _below(folder: Path) -> list[str]:
    """All that lies there; what goes meanwhile is passed over."""
    return [
        f"{place}/{name}"
        for place, folders, files in os.walk(folder)
        for name in (*folders, *files)
    ]


def _counts(path: Path) -> bool:
    return _ALONE in os.environ or path.name.startswith(_OURS)


def _is_left(path: Path) -> bool:
    """Whether nobody uses it: another hangtui's folder is locked."""
    with contextlib.suppress(OSError):
        lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(lock)
    return path.exists() or path.is_symlink()


def _orphans() -> list[int]:
    """Our children; those that have ended are gone then, but for those that somebody waits for."""
    children = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            children += [int(word) for word in (task / "children").read_text().split()]
    return [pid for pid in children if not (has_ended(pid) and _reaped(pid))]


def _reaped(pid: int) -> bool:
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return True


def _line(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""
