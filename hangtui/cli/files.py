"""A capture out of any file that hangtui reads, whose kind its content tells."""

from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from hangtui.cli import given
from hangtui.cli.memory import little_memory
from hangtui.model import Capture, InputError, clean

_GZIP = b"\x1f\x8b"
_FOREIGN = (
    (b"MDMP", "a Windows minidump"),
    (b"PAGEDU64", "a Windows memory dump"),
    (b"\xcf\xfa\xed\xfe", "a macOS binary or core file"),
    (b"\xce\xfa\xed\xfe", "a macOS binary or core file"),
    (b"#DMP", "a Java or .NET dump"),
    (b"JAVA PROFILE", "a Java heap dump"),
    (b"bplist00", "a macOS property list"),
    (b"Process:  ", "a macOS crash report"),
    (b'{"app_name"', "a macOS crash report"),
)
_MEMORY = 1 << 30
"""Bytes that the reading of a capture or a log may take; the largest honest ones take 100 MB."""
_READS = (
    "hangtui reads its captures, Linux core files, logs of faulthandler, py-spy and gdb, and "
    "records of torch's flight recorders"
)


def load(path: str, root: str | None = None) -> Capture:
    """The capture in the file *path*; *root*: where the files of a core's machine lie.

    Raises:
        InputError: it cannot be read, is damaged, or of a kind that is not supported.
    """
    try:
        return _load(path, root)
    except InputError as error:
        raise InputError(f"{clean(path)}: {error.message}", error.fix) from error
    except OSError as error:
        raise InputError(f"cannot read {clean(path)}: {error.strerror or error}") from error


def is_core(path: str) -> bool:
    """Whether a file that was loaded is a core file, compressed or not: debuggers open those."""
    from hangtui.backends.coredump.opened import unpacked_head

    try:
        return unpacked_head(Path(path)).startswith(b"\x7fELF")
    except InputError:
        return False  # it came through a pipe: there is no second reading


def _load(path: str, root: str | None) -> Capture:
    with given.opened(path) as file:
        # Whatever comes into its place meanwhile, this names the file that was opened.
        place = f"/proc/self/fd/{file.fileno()}"
        capture = _read(path, place, file, root)
    crash = capture.crash
    if crash is not None and crash.file == place:
        crash = replace(crash, file=clean(path))
    origin = clean(path) if capture.origin == place else capture.origin
    return replace(capture, origin=origin, crash=crash)


def _read(path: str, place: str, file: BinaryIO, root: str | None) -> Capture:
    from hangtui.backends.coredump.opened import unpacked_head

    head = unpacked_head(Path(place))
    if head.startswith(b"\x7fELF") and not path.endswith(".hang"):
        from hangtui.backends.capture.core_collector import read_core

        return read_core(place, root)
    with little_memory(_MEMORY):
        from hangtui.backends.flightrecorder import is_record, read_record

        if is_record(head) and not path.endswith(".hang"):
            return read_record(file, path)
        if path.endswith(".hang") or head.startswith(b"{"):
            from hangtui.capture_file import read

            return read(file)
        _refuse(head)
        from hangtui.backends.crashlog import read_log

        return read_log(Path(place))


def _refuse(head: bytes) -> None:
    text = head.lstrip()
    for mark, name in _FOREIGN:
        if text.startswith(mark):
            raise InputError(f"{name} is not supported", _READS)
    if b"ProblemType: Crash" in head:
        fix = "apport-unpack FILE DIR; hangtui dump DIR/CoreDump"
        raise InputError("a report of apport, which has the core file inside", fix)
    if not text:
        raise InputError("it is empty")
