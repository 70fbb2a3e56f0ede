"""Captures as files (``.hang``: gzip'd JSON) and as plain JSON for pipes.

A file may come from anybody: it is bounded, decoded into the model's types and nothing else, and
its texts are cleaned like those of a live target.
"""

import gc
import gzip
import os
from collections.abc import Iterable
from functools import partial
from typing import Any, BinaryIO

import msgspec

from hangtui import foreign_capture, older_capture, private_file
from hangtui.given_file import gunzipped, open_regular
from hangtui.hosts import restored
from hangtui.model import SCHEMA, Capture, HostPid, InputError, NodeId, UsageError, clean

_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 2**20
_FAMILY, _, _VERSION = SCHEMA.rpartition("/")


def encode(capture: Capture) -> bytes:
    """*capture* as one line of JSON."""
    return msgspec.json.encode(capture, enc_hook=_plain)


def decode(data: bytes) -> Capture:
    """The capture in *data*, which `encode` made.

    Raises:
        InputError: it is something else.
    """
    try:
        return _decoded(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(f"not a capture: {_reason(error)}") from error


def _decoded(data: bytes | bytearray) -> Capture:
    return restored(msgspec.json.decode(data, type=Capture, dec_hook=_typed))


def _plain(value: Any) -> str | int:
    """What the encoder knows no form of: node ids are written as text, other hosts' PIDs whole."""
    if isinstance(value, NodeId):
        return str(value)
    if isinstance(value, HostPid):
        return int(value)
    raise NotImplementedError


def _typed(kind: type, value: Any) -> Any:
    """A value of a type that the decoder does not know: node ids are read from text."""
    if kind is NodeId and isinstance(value, str):
        return NodeId(value)
    raise ValueError("a node id has to be text")


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
        raise UsageError(
            f"cannot write {place}: {error.strerror or error}",
            "-o /tmp/x.hang   (in a folder that is there, and that you may write to)",
        ) from error


def load(path: str | os.PathLike[str]) -> Capture:
    """The capture in the file *path*.

    Raises:
        InputError: it cannot be read, is damaged, foreign, too large, or from a newer version.
    """
    name = clean(os.fspath(path))
    try:
        with open_regular(path) as file:
            return read(file)
    except InputError as error:
        raise InputError(f"{name}: {error.message}", error.fix) from error
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from error


def read(file: BinaryIO) -> Capture:
    """The capture in *file*.

    Raises:
        InputError: it is damaged, foreign, too large, or from a newer version.
        OSError: it cannot be read.
    """
    head = file.read(2)
    file.seek(0)
    if head != _GZIP_MAGIC and head[:1] != b"{":
        raise InputError("not a hangtui capture", "hangtui record PID -o x.hang makes one")
    pieces = gunzipped(file) if head == _GZIP_MAGIC else iter(partial(file.read, _CHUNK), b"")
    # So many objects are made that looking for garbage among them takes most of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _checked(_bounded(pieces))
    finally:
        if collecting:
            gc.enable()


def _bounded(pieces: Iterable[bytes]) -> bytearray:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > foreign_capture.MAX_BYTES:
            raise InputError(f"it holds more than {foreign_capture.MAX_BYTES // 2**20} MiB")
    return data


def _checked(data: bytearray) -> Capture:
    foreign_capture.require_few(data)
    try:
        capture = foreign_capture.fit(_of_this_version(data))
        older = older_capture.is_older(capture, data)
        return older_capture.completed(capture) if older else capture
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(f"not a readable capture: {_reason(error)}") from error


def _of_this_version(data: bytearray) -> Capture:
    """The capture in it, unless another version has made it; what has a schema of its own says so
    before what is wrong with it."""
    try:
        capture = _decoded(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        _check_schema(data)
        raise
    if capture.schema != SCHEMA or b'"schema"' not in data:
        _check_schema(data)
    return capture


def _check_schema(data: bytearray) -> None:
    """Look at nothing but the schema; what else there is passes by unread."""
    try:
        schema = msgspec.json.decode(data, type=_Head).schema
    except msgspec.ValidationError:
        schema = ""
    family, _, version = schema.rpartition("/")
    if family != _FAMILY or not (version.isascii() and version.isdecimal()):
        raise InputError("not a hangtui capture", "hangtui record PID -o x.hang makes one")
    if version.lstrip("0") != _VERSION and (len(version) > 4 or int(version) > int(_VERSION)):
        raise InputError(
            f"made by a newer hangtui (schema {clean(version, 20)}, this one reads {_VERSION})",
            "update hangtui",
        )


class _Head(msgspec.Struct):
    """What tells a capture from other JSON."""

    schema: str


def _reason(error: BaseException) -> str:
    return clean(str(error), 200) or type(error).__name__
