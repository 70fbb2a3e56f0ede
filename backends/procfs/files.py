"""Reading one file of /proc: what may not be read is None, what is gone raises.

Almost any file of a process can keep its reader waiting, for ever if need be: of one that executes
a program while a file of a FUSE file system is closed, even its ``stat``. So whoever watches over
the reading is told whose file it is, and of a process that has held it up nothing more is read.
"""

import contextlib
import os
from io import FileIO
from pathlib import Path

from hangtui.backends import heartbeat
from hangtui.backends.linux import PAGE
from hangtui.backends.procfs.stat import Stat
from hangtui.model import clean

PROC = Path("/proc")
_CMDLINE_LIMIT = 64 * 1024
_ENVIRONMENT_LIMIT = 256 * 1024
_ASK_NOBODY = frozenset({"status", "comm"})
"""Files that the kernel can always show."""


def touch(path: Path) -> None:
    """To be called before a file of a process is read.

    Raises:
        PermissionError: the process has held up an earlier reader.
    """
    parts = path.parts
    if len(parts) > 2 and parts[2].isdecimal() and parts[-1] not in _ASK_NOBODY:
        pid = int(parts[2])
        if heartbeat.is_shunned(pid):
            raise PermissionError(f"process {pid} has kept a reader waiting")
        heartbeat.reading(pid)


def text(path: Path, limit: int = -1) -> str | None:
    """The file's text; None where we may not read it.

    Raises:
        FileNotFoundError, ProcessLookupError: the process or thread is gone.
    """
    try:
        touch(path)
        with path.open("rb") as file:
            return file.read(limit).decode("utf-8", "surrogateescape")
    except PermissionError:
        return None


def link(path: Path) -> str | None:
    """Where the link points to; None where we may not read it or there is nothing behind it."""
    try:
        touch(path)
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
    # Not splitlines(): a process may put whatever else that breaks lines into its name.
    lines = (text(root / "status") or "").split("\n")
    return {key: value.strip(" \t") for key, _, value in (line.partition(":") for line in lines)}


def stat_of(root: Path) -> Stat:
    """What ``stat`` says of a process or a thread.

    Raises:
        FileNotFoundError, ProcessLookupError: the process or thread is gone.
    """
    return Stat(text(root / "stat") or "")


def tids_inside(pid: int) -> dict[int, int]:
    """TIDs inside the process's own PID namespace, which is what CPython records, to those here."""
    result = {}
    with contextlib.suppress(OSError):
        for tid in numbers(PROC / str(pid) / "task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError, KeyError):
                result[int(status_of(PROC / str(tid))["NSpid"].split()[-1])] = tid
    return result


def raw_cmdline(root: Path) -> list[str]:
    """The words of the command line, unmasked and uncleaned; none where it `is_withheld`.

    Raises:
        FileNotFoundError, ProcessLookupError: the process is gone.
    """
    if is_withheld(root):
        return []
    joined = (text(root / "cmdline", _CMDLINE_LIMIT) or "").removesuffix("\0")
    return joined.split("\0") if joined else []


def is_withheld(root: Path) -> bool:
    """Whether the memory with the command line is not there.

    A process can put a userfaultfd behind it: whoever reads it then waits for the process. Where
    we may not look at the page table this is not found out.
    """
    try:
        arguments = stat_of(root).arguments
    except IndexError:
        return False
    return not _is_all_there(root, arguments, _CMDLINE_LIMIT)


def first_environment(root: Path) -> list[str]:
    """The environment that a process was started with, as ``NAME=value``; none where that memory is
    not there, is large, or may not be read.

    Raises:
        FileNotFoundError, ProcessLookupError: the process is gone.
    """
    try:
        place = stat_of(root).environment
    except IndexError:
        return []
    if not 0 < len(place) <= _ENVIRONMENT_LIMIT or not _is_all_there(root, place, len(place)):
        return []
    return (text(root / "environ", _ENVIRONMENT_LIMIT) or "").split("\0")


def _is_all_there(root: Path, place: range, limit: int) -> bool:
    """Whether no page of *place* has to be delivered by somebody; True if we may not know."""
    if not place:
        return True
    begin, end = place.start, place.stop
    # The kernel reads the last letter first, and from the beginning one page more than there is.
    pages = range(begin // PAGE, (min(end, begin + limit) + PAGE - 1) // PAGE)
    try:
        with (root / "pagemap").open("rb", buffering=0) as table:
            return all(_is_there(table, page) for page in {*pages, (end - 1) // PAGE})
    except OSError:
        return True


def _is_there(table: FileIO, page: int) -> bool:
    table.seek(8 * page)
    entry = table.read(8)
    return bool(entry) and entry[7] >> 6 != 0
