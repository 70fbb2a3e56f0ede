"""A capture out of any file that hangtui reads, whose kind its content tells."""

from pathlib import Path

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
_READS = "hangtui reads its captures, Linux core files, and logs of faulthandler, py-spy and gdb"


def load(path: str, root: str | None = None) -> Capture:
    """The capture in the file *path*; *root*: where the files of a core's machine lie.

    Raises:
        InputError: it cannot be read, is damaged, or of a kind that is not supported.
    """
    try:
        return _load(path, root)
    except InputError as error:
        name = clean(path)
        if error.message.startswith((f"{name}: ", f"cannot read {name}")):
            raise
        raise InputError(f"{name}: {error.message}", error.fix) from error
    except OSError as error:
        raise InputError(f"cannot read {clean(path)}: {error.strerror or error}") from error


def is_core(path: str) -> bool:
    """Whether a file that was loaded is a core file, compressed or not: debuggers open those."""
    from hangtui.backends.core.opened import unpacked_head

    return unpacked_head(Path(path)).startswith(b"\x7fELF")


def _load(path: str, root: str | None) -> Capture:
    from hangtui.backends.core.opened import unpacked_head

    place = Path(path)
    if place.is_dir():
        raise InputError("it is a directory")
    if place.suffix == ".hang" or not place.is_file():
        return _capture(path)
    head = unpacked_head(place)
    if head.startswith(b"\x7fELF"):
        from hangtui.backends.core.collect import read_core

        return read_core(path, root)
    _refuse(head)
    if head.lstrip().startswith(b"{"):
        return _capture(path)
    from hangtui.backends.crashlog import read_log

    return read_log(place)


def _capture(path: str) -> Capture:
    from hangtui.capture_file import load as load_capture

    return load_capture(path)


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
