"""Opens a core file, unpacking it first if it is compressed.

An unpacked copy is an unnamed temporary file with holes where the core has zeros: it is gone with
us, and takes no more room than the core has content.
"""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.tools import programs, scratch
from hangtui.backends.tools.broom import Broom
from hangtui.given_file import gunzipped, open_regular
from hangtui.model import InputError

_GZIP, _ZSTD, _LZ4 = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"
_ELF = b"\x7fELF"
_CHUNK = 1 << 20
_ROOM_LEFT = 1 << 30
"""Bytes that are left free on the disk of temporary files."""
_MOST = 1 << 40
"""Bytes of a core file with its holes; zeros take no room, but their unpacking takes time."""
_LONGEST_S = 300.0
"""Unpacking gives 1 GB a second."""


def unpacked_head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file, unpacked if it is compressed and we can.

    Raises:
        InputError: it is no file, or compressed and cannot be unpacked.
        OSError: it cannot be read.
    """
    with open_regular(path) as file:
        head = file.read(size)
        if not _is_packed(head):
            return head
        with _unpacking(file, head) as pieces:
            return next(pieces, b"")[:size]


def open_core(path: Path) -> tuple[BinaryIO, int]:
    """The core file, unpacked, and its size in bytes.

    Raises:
        InputError: it is no file, or cannot be unpacked.
        OSError: it cannot be read.
    """
    file = open_regular(path)
    head = file.read(4)
    if not _is_packed(head):
        return file, os.fstat(file.fileno()).st_size
    with file, _unpacking(file, head) as pieces:
        return _copy(_before_the_damage(pieces))


def spooled(pieces: Iterator[bytes]) -> BinaryIO:
    """A file without a name, with all of *pieces* in it.

    Raises:
        InputError: it does not fit, or takes too long.
    """
    file, _ = _copy(pieces)
    file.seek(0)
    return file


def _is_packed(head: bytes) -> bool:
    return head.startswith((_GZIP, _ZSTD, _LZ4))


@contextlib.contextmanager
def _unpacking(file: BinaryIO, head: bytes) -> Iterator[Iterator[bytes]]:
    file.seek(0)
    if head.startswith(_GZIP):
        yield gunzipped(file)
        return
    os.lseek(file.fileno(), 0, os.SEEK_SET)  # a buffered file seeks in its buffer alone
    name = "zstd" if head.startswith(_ZSTD) else "lz4"
    program = programs.find(name)
    if program is None:
        raise InputError(f"it is compressed, and the program {name} is not here", f"install {name}")
    with Broom() as broom:
        process = subprocess.Popen(
            [program, "-dcq"],
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=programs.environment(),
        )
        broom.ends(process.pid)
        # A file that unpacks to nothing keeps it busy, and us waiting.
        end = threading.Timer(_LONGEST_S, process.kill)
        end.start()
        try:
            assert process.stdout is not None
            yield iter(partial(process.stdout.read, _CHUNK), b"")
        finally:
            end.cancel()
            process.kill()
            process.communicate()


def _copy(pieces: Iterator[bytes]) -> tuple[BinaryIO, int]:
    """All of *pieces* in a temporary file, and their size in bytes."""
    copy = scratch.unnamed_file()
    try:
        size = _copied(pieces, copy)
        copy.truncate(size)
        copy.flush()
    except BaseException:
        copy.close()
        raise
    return copy, size


def _copied(pieces: Iterator[bytes], copy: BinaryIO) -> int:
    disk = os.fstatvfs(copy.fileno())
    room = disk.f_bavail * disk.f_frsize - _ROOM_LEFT
    size = written = 0
    end = time.monotonic() + _LONGEST_S
    for piece in pieces:
        if piece.count(0) < len(piece):
            copy.seek(size)
            copy.write(piece)
            written += len(piece)
        size += len(piece)
        if written > room:
            raise InputError(
                "unpacked, it does not fit where temporary files go",
                "unpack it where there is room, or set TMPDIR",
            )
        if size > _MOST or time.monotonic() > end:
            raise InputError("unpacking it takes too long", "unpack it first")
    return size


def _before_the_damage(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """A stream that breaks off gives what came before."""
    with contextlib.suppress(InputError):
        yield from pieces
