"""Captures as files (``.hang``: gzip'd JSON) and as plain JSON for pipes.

A file may come from anybody: it is bounded, checked against the model's types, and its texts are
cleaned like those of a live target.
"""

import gzip
import os
import zlib
from typing import Any, BinaryIO

import msgspec

from hangtui import private_file
from hangtui.model import SCHEMA, Capture, InputError, UsageError, clean

MAX_BYTES = 512 * 2**20
"""The most that a file may hold after decompression."""

_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 2**20
_FAMILY, _, _VERSION = SCHEMA.rpartition("/")


def encode(capture: Capture) -> bytes:
    """*capture* as one line of JSON."""
    return msgspec.json.encode(capture)


def decode(data: bytes) -> Capture:
    """The capture in *data*, which `encode` made.

    Raises:
        InputError: it is something else.
    """
    try:
        return msgspec.json.decode(data, type=Capture)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(f"not a capture: {_reason(error)}") from error


def save(capture: Capture, path: str | os.PathLike[str]) -> None:
    """Write *capture* to *path*, readable by its owner only; all of it or nothing.

    Raises:
        UsageError: it cannot be written there.
    """
    write_private(path, packed(capture))


def packed(capture: Capture) -> bytes:
    """What a file of *capture* holds."""
    return gzip.compress(encode(capture), compresslevel=6, mtime=0)


def write_private(path: str | os.PathLike[str], data: bytes) -> None:
    """Write *data* to *path* with mode 0600; a file appears with all of it or not at all.

    Raises:
        UsageError: it cannot be written there.
    """
    try:
        private_file.write(path, data)
    except OSError as error:
        place = clean(os.fspath(path))
        raise UsageError(f"cannot write {place}: {error.strerror or error}") from error


def load(path: str | os.PathLike[str]) -> Capture:
    """The capture in the file *path*.

    Raises:
        InputError: it cannot be read, is damaged, foreign, too large, or from a newer version.
    """
    name = clean(os.fspath(path))
    try:
        with open(path, "rb") as file:  # noqa: PTH123  one line for every kind of path
            data = _read(file)
        return _checked(data)
    except InputError as error:
        raise InputError(f"{name}: {error.message}", error.fix) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{name}: damaged or cut off: {_reason(error)}") from error
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from error


def _read(file: BinaryIO) -> bytes:
    head = file.read(2)
    if head == _GZIP_MAGIC:
        file.seek(0)
        with gzip.GzipFile(fileobj=file) as unpacked:
            return _bounded(unpacked, b"")
    if head[:1] != b"{":
        raise InputError("not a hangtui capture", "hangtui record PID -o x.hang makes one")
    return _bounded(file, head)


def _bounded(file: BinaryIO | gzip.GzipFile, head: bytes) -> bytes:
    data = bytearray(head)
    while chunk := file.read(_CHUNK):
        data += chunk
        if len(data) > MAX_BYTES:
            raise InputError(f"holds more than {MAX_BYTES // 2**20} MiB")
    return bytes(data)


def _checked(data: bytes) -> Capture:
    try:
        raw = msgspec.json.decode(data)
        _check_schema(raw)
        return msgspec.convert(_cleaned(raw), Capture)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError, RecursionError) as error:
        raise InputError(f"not a readable capture: {_reason(error)}") from error


def _check_schema(raw: Any) -> None:
    schema = raw.get("schema") if isinstance(raw, dict) else None
    family, _, version = schema.rpartition("/") if isinstance(schema, str) else ("", "", "")
    if family != _FAMILY or not version.isdecimal():
        raise InputError("not a hangtui capture", "hangtui record PID -o x.hang makes one")
    if int(version) > int(_VERSION):
        raise InputError(
            f"made by a newer hangtui (schema {clean(version, 20)}, this one reads {_VERSION})",
            "update hangtui",
        )


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in value.items()}
    return value


def _reason(error: BaseException) -> str:
    return clean(str(error), 200) or type(error).__name__
