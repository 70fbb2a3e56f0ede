"""Opens a core file, unpacking it first if it is compressed.

An unpacked copy is an unnamed temporary file with holes where the core has zeros: it is gone with
us, and takes no more room than the core has content.
"""

import contextlib
import gzip
import os
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from hangtui.backends import programs, scratch
from hangtui.model import InputError

_GZIP, _ZSTD, _LZ4 = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"
_ELF = b"\x7fELF"
_CHUNK = 1 << 20
_ROOM_LEFT = 1 << 30
"""Bytes that are left free on the disk of temporary files."""


def unpacked_head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file, unpacked if it is compressed and we can.

    Raises:
        InputError: it is compressed and cannot be unpacked.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(size)
    if not _is_packed(head):
        return head
    with _unpacking(path, head) as stream:
        return _read(stream, size, path)


def open_core(path: Path) -> tuple[BinaryIO, int]:
    """The core file, unpacked, and its size in bytes.

    Raises:
        InputError: it cannot be unpacked.
        OSError: it cannot be read.
    """
    file = path.open("rb")
    head = file.read(4)
    if not _is_packed(head):
        return file, path.stat().st_size
    file.close()
    with _unpacking(path, head) as stream:
        return _copy(stream, path)


def _is_packed(head: bytes) -> bool:
    return head.startswith((_GZIP, _ZSTD, _LZ4))


@contextlib.contextmanager
def _unpacking(path: Path, head: bytes) -> Iterator[IO[bytes]]:
    if head.startswith(_GZIP):
        with gzip.open(path) as stream:
            yield cast("IO[bytes]", stream)
        return
    name = "zstd" if head.startswith(_ZSTD) else "lz4"
    program = programs.find(name)
    if program is None:
        raise InputError(f"it is compressed, and the program {name} is not here", f"install {name}")
    with path.open("rb") as packed:
        process = subprocess.Popen(
            [program, "-dcq"],
            stdin=packed,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=programs.environment(),
        )
    try:
        assert process.stdout is not None
        yield process.stdout
    finally:
        process.kill()
        process.communicate()


def _read(stream: IO[bytes], size: int, path: Path) -> bytes:
    try:
        return stream.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path.name}: damaged or cut off: {error}") from error


def _copy(stream: IO[bytes], path: Path) -> tuple[BinaryIO, int]:
    """All of *stream* in a temporary file; a stream that breaks off gives what came before."""
    copy = scratch.unnamed_file()
    disk = os.fstatvfs(copy.fileno())
    room = disk.f_bavail * disk.f_frsize - _ROOM_LEFT
    size = written = 0
    while True:
        try:
            chunk = stream.read(_CHUNK)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            break
        if not chunk:
            break
        if chunk.count(0) < len(chunk):
            copy.seek(size)
            copy.write(chunk)
            written += len(chunk)
        size += len(chunk)
        if written > room:
            copy.close()
            raise InputError(
                f"{path.name}: unpacked it does not fit where temporary files go",
                "unpack it where there is room, or set TMPDIR",
            )
    copy.truncate(size)
    copy.flush()
    return copy, size
