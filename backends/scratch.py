"""Folders for files that other programs read, also where no folder can be written.

A container may have a read-only root file system and no /tmp; engines still give it a /dev/shm.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hangtui.model import TargetError

_IN_MEMORY = Path("/dev/shm")
_PREFIX = "hangtui-"


def make() -> Path:
    """A new folder that nobody else may read; the caller removes it.

    Raises:
        TargetError: nothing can be written anywhere.
    """
    problem: str | None = None
    for parent in (None, _IN_MEMORY):
        try:
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        except OSError as error:
            problem = error.strerror
    fix = "docker run --tmpfs /tmp ...   (or set TMPDIR to a folder that can be written)"
    raise TargetError(f"no folder can be written here: {problem}", fix)


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is removed at the end; raises as `make`."""
    path = make()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
