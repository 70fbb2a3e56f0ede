"""Logs that a crash or a hang left behind, as captures: faulthandler's, py-spy's, gdb's."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from hangtui.backends.crashlog import backtraces, faults, spied
from hangtui.backends.crashlog.lines import Dump, read_lines
from hangtui.model import Capture, InputError, clean

__all__ = ["LogKind", "read_log", "recognise"]


class LogKind(StrEnum):
    """Who wrote a log."""

    FAULTHANDLER = "faulthandler"
    PYSPY_TEXT = "py-spy text"
    PYSPY_JSON = "py-spy JSON"
    GDB = "gdb"


_READERS: dict[LogKind, Callable[[list[str]], Dump]] = {
    LogKind.FAULTHANDLER: faults.read,
    LogKind.PYSPY_TEXT: spied.read_text,
    LogKind.PYSPY_JSON: spied.read_json,
    LogKind.GDB: backtraces.read,
}


def recognise(text: str) -> LogKind | None:
    """Who wrote a text, by what only they write."""
    if spied.is_json(text):
        return LogKind.PYSPY_JSON
    if faults.MARK.search(text):
        return LogKind.FAULTHANDLER
    if spied.MARK.search(text):
        return LogKind.PYSPY_TEXT
    return LogKind.GDB if backtraces.MARK.search(text) else None


def read_log(path: Path) -> Capture:
    """The capture that a log holds.

    Raises:
        InputError: it holds none that we know, or is damaged.
        OSError: it cannot be read.
    """
    lines = read_lines(path)
    kind = recognise("\n".join(lines))
    if kind is None:
        raise InputError(
            "not supported: neither a capture nor a core file, and no stack of faulthandler, "
            "py-spy or gdb in it"
        )
    dump = _READERS[kind](lines)
    if not dump.threads:
        raise InputError(f"a log of {kind} without any stack in it")
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    crash = replace(dump.crash, file=clean(str(path))) if dump.crash else None
    return Capture(
        taken_at=changed,
        host="",
        processes=(dump.process(),),
        crash=crash,
        origin=clean(str(path)),
        notices=tuple(dump.notices),
    )
