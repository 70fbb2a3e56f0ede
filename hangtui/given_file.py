"""Opens a file that the user names, without waiting for anybody and without waking a device."""

import os
import stat
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from hangtui.model import InputError, clean

_CHUNK = 1 << 20
_MEMBERS = 1000
"""Parts that a gzip file may be put together from; each costs time, however small it is."""


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """The file at *path*, of which nobody can make another one between a look and the opening.

    Raises:
        InputError: it is no file: a folder, a device, a FIFO, a socket.
        OSError: it cannot be opened.
    """
    seen = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        mode = os.fstat(seen).st_mode
        if stat.S_ISDIR(mode):
            raise InputError("it is a directory")
        if not stat.S_ISREG(mode):
            raise InputError(f"it is {kind_of(mode)}, not a file")
        return os.fdopen(reopened(seen), "rb")
    finally:
        os.close(seen)


def reopened(seen: int) -> int:
    """A descriptor to read from, of what the descriptor *seen* names.

    Raises:
        OSError: it may not be read.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    return os.open(f"/proc/self/fd/{seen}", flags)


def kind_of(mode: int) -> str:
    """What lies there, in words, by its ``st_mode``."""
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def gunzipped(file: BinaryIO) -> Iterator[bytes]:
    """What a gzip file holds, in pieces of 1 MiB at most: nothing is unpacked before it is asked
    for.

    Raises:
        InputError: it is damaged or cut off.
    """
    data = file.read(_CHUNK)
    for _ in range(_MEMBERS):
        unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        while not unpacker.eof:
            data = data or file.read(_CHUNK)
            try:
                piece = unpacker.decompress(data, _CHUNK)
            except zlib.error as error:
                raise InputError(f"damaged or cut off: {clean(str(error), 100)}") from error
            if not data and not piece and not unpacker.eof:
                raise InputError("damaged or cut off: it ends in the middle")
            data = unpacker.unconsumed_tail
            if piece:
                yield piece
        data = unpacker.unused_data.lstrip(b"\0")
        while not data and (more := file.read(_CHUNK)):
            data = more.lstrip(b"\0")  # what some archives are filled up with
        if not data:
            return
    raise InputError("damaged: it has too many parts")
