"""A lock on a file: as a call asks for it, and as the kernel tells of one that is held."""

import re
import struct

from hangtui.backends.ipc.peer import Sleeper
from hangtui.dataclass import dataclass

_F_SETLKW, _F_OFD_SETLKW = 7, 38
_LOCK_SHARED, _LOCK_EXCLUSIVE = 1, 2
_F_RDLCK, _F_WRLCK = 0, 1
_SEEK_SET = 0
_STRUCT_FLOCK = struct.Struct("<hh4xqq")
"""l_type, l_whence, l_start, l_len (bits/fcntl.h)."""
_EVERYTHING = (0, 1 << 63)
_LINE = re.compile(
    r"\d+:\s+(?P<kind>\w+)\s+\w+\s+(?P<mode>\w+)\s+(?P<pid>-?\d+)\s+"
    r"(?P<device>[0-9a-f]+:[0-9a-f]+):(?P<inode>\d+)\s+(?P<start>\d+)\s+(?P<end>\d+|EOF)"
)

File = tuple[int, int, int]
"""Major and minor number of the device, and the inode."""


@dataclass(frozen=True, slots=True)
class FileLock:
    """A lock that is held, or the one that is wanted."""

    kind: str
    """FLOCK, POSIX, OFDLCK or LEASE."""
    writes: bool
    """It excludes all others; otherwise only those that write."""
    span: tuple[int, int]
    """First byte, and the first one that is no longer locked."""
    taker: int = 0
    """PID of who took it; 0: not known. A flock stays with the open file, which others inherit."""

    def excludes(self, other: "FileLock") -> bool:
        """Whether both cannot be held at once. flock knows nothing of the two other kinds."""
        if (self.kind == "FLOCK") != (other.kind == "FLOCK") or "LEASE" in (self.kind, other.kind):
            return False
        overlap = self.span[0] < other.span[1] and other.span[0] < self.span[1]
        return overlap and (self.writes or other.writes)


NAMES = {
    "FLOCK": "flock",
    "POSIX": "record lock",
    "OFDLCK": "open-file lock",
    "LEASE": "lease",
}


def key_of(file: File) -> str:
    """What tells the locks on a file from those on others, as a part of a node's name."""
    return f"{file[2]:#x}/{file[0]:x}:{file[1]:x}"


def has(lock: FileLock, fd: int) -> str:
    """``has the exclusive flock on it (fd 3)``."""
    mode = "the exclusive" if lock.writes else "a shared"
    return f"has {mode} {NAMES[lock.kind]} on it (fd {fd})"


def asked_lock(sleeper: Sleeper) -> FileLock | None:
    """What a call that waits asks for; None: it asks for no such lock."""
    call, arguments = sleeper.where.call, sleeper.where.arguments
    if call == "flock":
        mode = arguments[1] & (_LOCK_SHARED | _LOCK_EXCLUSIVE)
        return FileLock("FLOCK", mode == _LOCK_EXCLUSIVE, _EVERYTHING)
    if call == "fcntl" and arguments[1] in (_F_SETLKW, _F_OFD_SETLKW):
        raw = sleeper.peer.memory.read(arguments[2], _STRUCT_FLOCK.size)
        kind = "POSIX" if arguments[1] == _F_SETLKW else "OFDLCK"
        return record_lock(kind, raw)
    return None


def record_lock(kind: str, raw: bytes) -> FileLock | None:
    """The lock that a ``struct flock`` asks for."""
    mode, whence, start, length = _STRUCT_FLOCK.unpack(raw)
    if mode not in (_F_RDLCK, _F_WRLCK):
        return None
    span = _EVERYTHING  # positions that count from elsewhere than the start are not resolved
    if whence == _SEEK_SET:
        first, last = sorted((start, start + length))
        span = (first, last if length else _EVERYTHING[1])
    return FileLock(kind, mode == _F_WRLCK, span)


def held_lock(line: str) -> tuple[File, FileLock] | None:
    """The lock that a ``lock`` line of fdinfo tells of, and its file."""
    found = _LINE.match(line)
    if found is None:
        return None
    major, _, minor = found["device"].partition(":")
    end = _EVERYTHING[1] if found["end"] == "EOF" else int(found["end"]) + 1
    span, taker = (int(found["start"]), end), max(0, int(found["pid"]))
    lock = FileLock(found["kind"], found["mode"] == "WRITE", span, taker)
    return (int(major, 16), int(minor, 16), int(found["inode"])), lock
