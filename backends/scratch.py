"""Temporary files and folders, also where the usual place for them cannot be written.

A container may have a read-only root file system and no /tmp; engines still give it a /dev/shm.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from hangtui.model import TargetError

_IN_MEMORY = Path("/dev/shm")
_PREFIX = "hangtui-"
_Made = TypeVar("_Made")


def place() -> Path:
    """Where files can be written that are to stay.

    Raises:
        TargetError: nowhere.
    """
    return _wherever(lambda parent: _writable(parent or Path(tempfile.gettempdir())))


def make() -> Path:
    """A new folder that nobody else may read; the caller removes it.

    Raises:
        TargetError: nothing can be written anywhere.
    """
    return _wherever(lambda parent: Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)))


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


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is removed at the end; raises as `make`."""
    path = make()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
