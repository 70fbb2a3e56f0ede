"""Temporary files and folders, also where the usual place for them cannot be written.

A container may have a read-only root file system and no /tmp; engines still give it a /dev/shm.
What has a name goes with us: in order, or by a broom if we are killed. If that is killed too, with
all of a container say, the next hangtui of the same user removes it when it starts.
"""

import contextlib
import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

from hangtui.backends.tools import sweep
from hangtui.backends.tools.broom import Broom
from hangtui.dataclass import dataclass
from hangtui.model import TargetError, clean

_VARIABLES = ("TMPDIR", "TEMP", "TMP")
_USUAL = (Path("/tmp"), Path("/var/tmp"))
_IN_MEMORY = Path("/dev/shm")
_PREFIX = "hangtui-scratch-"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NAMELESS = os.O_RDWR | os.O_TMPFILE | os.O_EXCL | os.O_CLOEXEC
_ATTEMPTS = 10
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Scratch:
    """A folder of ours alone."""

    path: Path
    ends: Callable[[int], None]
    """Given the PID of a child that works in it, not yet waited for: that one is killed when we
    are gone."""


def place() -> Path:
    """Where files can be written that are to stay.

    Raises:
        TargetError: nowhere.
    """
    return _wherever(_writable)


def unnamed_file() -> BinaryIO:
    """A new file without a name, which is gone when it is closed, or with us.

    Raises:
        TargetError: nothing can be written anywhere.
    """
    return _wherever(_nameless)


@contextlib.contextmanager
def folder() -> Iterator[Scratch]:
    """A new folder that nobody else may read; it is removed at the end, or when we are gone.

    Raises:
        TargetError: nothing can be written anywhere.
    """
    clear()
    with Broom() as broom:

        def make(parent: Path) -> tuple[Path, int]:
            path = parent / f"{_PREFIX}{os.urandom(8).hex()}"
            broom.removes(path)
            return path, _locked(path)

        path, lock = _wherever(make)
        try:
            yield Scratch(path, broom.ends)
        finally:
            sweep.remove(str(path))
            os.close(lock)


def clear() -> None:
    """Remove the folders that others of ours left when they were killed.

    Whoever has a folder holds its lock, so one without is nobody's.
    """
    for parent in _places():
        with contextlib.suppress(OSError), os.scandir(parent) as entries:
            for name in [one.name for one in entries if one.name.startswith(_PREFIX)]:
                _clear(parent / name)


def _clear(path: Path) -> None:
    with contextlib.suppress(OSError):  # somebody else's, or used; or gone
        lock = os.open(path, _FOLDER)
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                sweep.remove(str(path))
        finally:
            os.close(lock)


def _places() -> list[Path]:
    """Where temporary files may go, the best one first."""
    told = (Path(os.environ.get(name, "")) for name in _VARIABLES)
    absolute = [path for path in told if path.is_absolute()]
    return list(dict.fromkeys((*absolute, *_USUAL, _IN_MEMORY)))


def _wherever(make_in: Callable[[Path], _Made]) -> _Made:
    """What can be made in the first of these places where that is possible."""
    problems = []
    for parent in _places():
        try:
            return make_in(parent)
        except OSError as error:
            problems.append(f"{clean(str(parent))}: {error.strerror}")
    fix = "docker run --tmpfs /tmp ...   (or set TMPDIR to a folder that can be written)"
    raise TargetError(f"nothing can be written here ({'; '.join(problems)})", fix)


def _writable(folder: Path) -> Path:
    if not os.access(folder, os.W_OK):
        raise PermissionError(None, "it cannot be written")
    return folder


def _locked(path: Path) -> int:
    """Make a folder; its lock, a descriptor. Whoever clears folders may take it for left over until
    it is locked.
    """
    for _ in range(_ATTEMPTS):
        path.mkdir(mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(path, _FOLDER)
            with contextlib.suppress(OSError):  # where nothing can be locked, nothing is cleared
                fcntl.flock(lock, fcntl.LOCK_EX)
            if path.exists():
                return lock
            os.close(lock)
    raise FileNotFoundError(errno.ENOENT, "folders are removed as soon as they are made")


def _nameless(parent: Path) -> BinaryIO:
    try:
        return os.fdopen(os.open(parent, _NAMELESS, 0o600), "w+b")
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
            raise
    # A file system that has no files without names, as older overlays.
    path = parent / f"{_PREFIX}{os.urandom(8).hex()}"
    lock = _locked(path)
    try:
        return _unlinked(path / "file")
    finally:
        sweep.remove(str(path))
        os.close(lock)


def _unlinked(path: Path) -> BinaryIO:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    file = os.fdopen(os.open(path, flags, 0o600), "w+b")
    path.unlink()
    return file
