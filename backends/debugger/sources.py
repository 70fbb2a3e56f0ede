"""Lines of source files, as the target sees the files."""

import errno
import os
import posixpath

import psutil

from hangtui.backends.door import RefusedError, Root
from hangtui.debugger import SourceText
from hangtui.model import TargetError, clean

_AROUND = 60
"""Lines before and after the current one."""
_MAX_FILE = 4 << 20
_LINE = 400


def read(root: Root, path: str, line: int, started: float | None) -> SourceText:
    """The lines around *line* of the file at *path* below *root*.

    *started*: when the process began, seconds since the epoch.

    Raises:
        TargetError: the file is not there, or is no text file of a bearable size.
    """
    shown = clean(path)
    if not posixpath.isabs(path):
        raise TargetError(f"the source {shown} has no absolute path")
    try:
        with root.open_file(path, _MAX_FILE) as file:
            facts = os.fstat(file.fileno())
            raw = file.read(_MAX_FILE)
    except RefusedError as error:
        raise TargetError(f"the source is not shown: {error}", root.fix) from error
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise TargetError(f"{shown} is not a source file") from error
        reason = error.strerror or str(error)
        raise TargetError(f"the source {shown} cannot be read: {reason}") from error
    if b"\0" in raw:
        raise TargetError(f"{shown} is not a text file")
    lines = raw.decode("utf-8", "replace").splitlines()
    note = ""
    if started is not None and facts.st_mtime > started:
        note = "the file is NEWER than the process: lines may have moved"
    if line > len(lines):
        note = f"the file has only {len(lines)} lines: it is not the one that runs"
    first = max(min(line, len(lines)) - _AROUND, 1)
    kept = lines[first - 1 : line + _AROUND]
    cleaned = tuple(clean(text.expandtabs(4), _LINE) for text in kept)
    return SourceText(shown, first, cleaned, line, note)


def started_at(pid: int) -> float | None:
    """When a process began, in seconds since the epoch; None: not known."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return None
