"""What tells a word in shared memory from others, and which processes share it."""

import re
from collections.abc import Iterable

from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.files import PROC, numbers, text

_SHARED = "s"
"""The last of the permissions in ``/proc/PID/maps``: changes are seen by all who map it."""

_FILE = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S{4} [0-9a-f]+ (\S+ \d+) ", re.MULTILINE)
"""In a line of ``/proc/PID/maps``: device and inode."""


def shared_identity(memory: Memory, address: int) -> str | None:
    """``DEVICE:INODE:OFFSET`` of a word in shared memory, the same for every process that maps it.

    None: the word is the process's own.
    """
    mapping = memory.mapping_at(address)
    if mapping is None or _SHARED not in mapping.permissions or not mapping.inode:
        return None
    return f"{mapping.device}:{mapping.inode}:{mapping.offset + address - mapping.start:#x}"


def sharers(identities: Iterable[str]) -> dict[str, set[int]]:
    """The processes that map what shared words are in, of those that we may look into."""
    files: dict[str, list[str]] = {}
    found: dict[str, set[int]] = {one: set() for one in identities}
    for one in found:
        files.setdefault(" ".join(one.rpartition(":")[0].rsplit(":", 1)), []).append(one)
    for pid in numbers(PROC) if found else ():
        for file in files.keys() & _mapped(pid):
            for one in files[file]:
                found[one].add(pid)
    return found


def all_seen() -> bool:
    """Whether we may look into every process that there is, but for the first one: it starts the
    others, and where one of those has been forked from it, that is known."""
    return all(_may_look(pid) for pid in numbers(PROC) if pid != 1)


def _may_look(pid: int) -> bool:
    try:
        return text(PROC / str(pid) / "maps", 1) is not None
    except (FileNotFoundError, ProcessLookupError):
        return True  # it has ended meanwhile
    except OSError:
        return False


def _mapped(pid: int) -> set[str]:
    """Device and inode of all that a process maps. A file's name could look like them as well."""
    try:
        return set(_FILE.findall(text(PROC / str(pid) / "maps") or ""))
    except OSError:
        return set()
