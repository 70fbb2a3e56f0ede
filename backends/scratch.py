"""Temporary files and folders, also where the usual place for them cannot be written.

A container may have a read-only root file system and no /tmp; engines still give it a /dev/shm.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from hangtui.model import TargetError

_IN_MEMORY = Path("/dev/shm")
_PREFIX = "hangtui-scratch-"
_NEW_S = 60
"""Whoever has just made a folder may not have locked it yet."""
_Made = TypeVar("_Made")


def place() -> Path:
    """Where files can be written that are to stay.

    Raises:
        TargetError: nowhere.
    """
    return _wherever(lambda parent: _writable(parent or Path(tempfile.gettempdir())))


def unnamed_file() -> BinaryIO:
    """A new file without a name, which is gone when it is closed, or with us.

    Raises:
        TargetError: nothing can be written anywhere.
    """
    return cast("BinaryIO", _wherever(lambda parent: tempfile.TemporaryFile(dir=parent)))


def _wherever(make_in: Callable[[Path | None], _Made]) -> _Made:
    """What can be made in the usual place for temporary files (None), else in memory."""
    problem: str | None = None
    for parent in (None, _IN_MEMORY):
        try:
            return make_in(parent)
        except OSError as error:
            problem = error.strerror
    fix = "docker run --tmpfs /tmp ...   (or set TMPDIR to a folder that can be written)"
    raise TargetError(f"nothing can be written here: {problem}", fix)


def _writable(folder: Path) -> Path:
    if not os.access(folder, os.W_OK):
        raise PermissionError(None, f"{folder} cannot be written")
    return folder


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A new folder that nobody else may read; it is removed at the end.

    If we are killed it stays, until the next one is made in the same place: whoever has a folder
    holds its lock, so one without is nobody's.

    Raises:
        TargetError: nothing can be written anywhere.
    """
    path = _wherever(lambda parent: Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)))
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks: nothing is cleared there
            fcntl.flock(lock, fcntl.LOCK_EX)
        _clear(path.parent)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)  # never follows links
        os.close(lock)


def _clear(parent: Path) -> None:
    """Remove what others left here when they were killed."""
    for path in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                found = os.fstat(lock)
                old = time.time() - found.st_mtime > _NEW_S
                if found.st_uid == os.geteuid() and old:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
