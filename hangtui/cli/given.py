"""A file that was named on the command line, also one that comes through a pipe: ``<(zcat x)``."""

import os
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from hangtui.given_file import open_regular, reopened
from hangtui.model import InputError

_PATIENCE_S = 30
"""How long to wait for the next piece."""
_CHUNK = 1 << 20


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file at *path*; what comes through a pipe is put into a file without a name first.

    Raises:
        InputError: it is a device, or nobody writes into the pipe.
        OSError: it cannot be opened.
    """
    seen = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        piped = stat.S_ISFIFO(os.fstat(seen).st_mode)
        with _from_pipe(reopened(seen)) if piped else open_regular(path) as file:
            yield file
    finally:
        os.close(seen)


def _from_pipe(pipe: int) -> BinaryIO:
    from hangtui.backends.coredump.opened import spooled

    try:
        return spooled(_pieces(pipe))
    finally:
        os.close(pipe)


def _pieces(pipe: int) -> Iterator[bytes]:
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while True:
        if not waiting.poll(_PATIENCE_S * 1000):
            raise InputError(f"nobody has written into this pipe for {_PATIENCE_S} seconds")
        data = os.read(pipe, _CHUNK)
        if not data:
            return
        yield data
