"""Reading one file of /proc: what may not be read is None, what is gone raises."""

import os
import re
from pathlib import Path

from hangtui.model import clean

PROC = Path("/proc")
_CMDLINE_LIMIT = 64 * 1024
_STATUS_LINE = re.compile(r"^(\w+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def text(path: Path, limit: int = -1) -> str | None:
    """The file's text; None where we may not read it.

    Raises:
        FileNotFoundError, ProcessLookupError: the process or thread is gone.
    """
    try:
        with path.open("rb") as file:
            return file.read(limit).decode("utf-8", "surrogateescape")
    except PermissionError:
        return None


def link(path: Path) -> str | None:
    """Where the link points to; None where we may not read it or there is nothing behind it."""
    try:
        return clean(os.readlink(path))
    except OSError:
        return None


def numbers(folder: Path) -> list[int]:
    """The names in a folder that are numbers, in order: PIDs of /proc, TIDs of a task folder."""
    return sorted(int(name) for name in os.listdir(folder) if name.isdecimal())


def status_of(root: Path) -> dict[str, str]:
    """The lines of ``status``.

    Raises:
        FileNotFoundError, ProcessLookupError: the process or thread is gone.
    """
    return dict(_STATUS_LINE.findall(text(root / "status") or ""))


def raw_cmdline(root: Path) -> list[str]:
    """The words of the command line, unmasked and uncleaned."""
    joined = (text(root / "cmdline", _CMDLINE_LIMIT) or "").removesuffix("\0")
    return joined.split("\0") if joined else []
