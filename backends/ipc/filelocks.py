"""Who holds the file lock that a thread waits for: flock, record locks, open-file locks, leases.

The kernel lists the locks that a descriptor has in its fdinfo. That names the holders exactly: a
flock belongs to an open file, which a fork shares, and ``/proc/locks`` only knows who took it.
"""

import os
import re
import struct
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from hangtui.backends.ipc.channel_calls import OPENS
from hangtui.backends.ipc.file_owners import FileOwners
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.linux import PATH_MAX
from hangtui.backends.procfs.files import PROC, text
from hangtui.backends.procfs.syscalls import signed
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeId, NodeKind, clean

_F_SETLKW, _F_OFD_SETLKW = 7, 38
_LOCK_SHARED, _LOCK_EXCLUSIVE = 1, 2
_F_RDLCK, _F_WRLCK = 0, 1
_SEEK_SET = 0
_STRUCT_FLOCK = struct.Struct("<hh4xqq")
"""l_type, l_whence, l_start, l_len (bits/fcntl.h)."""
_BREAKING = "__break_lease"
_EVERYTHING = (0, 1 << 63)
_LINE = re.compile(
    r"\d+:\s+(?P<kind>\w+)\s+\w+\s+(?P<mode>\w+)\s+(?P<pid>-?\d+)\s+"
    r"(?P<device>[0-9a-f]+:[0-9a-f]+):(?P<inode>\d+)\s+(?P<start>\d+)\s+(?P<end>\d+|EOF)"
)

_MAX_MOUNTS = 16 << 20
"""Bytes of ``mountinfo``: 100,000 mounts."""

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


class Held(NamedTuple):
    """A lock that a descriptor has."""

    pid: int
    fd: int
    file: File
    lock: FileLock


class FileLocks:
    """Adds the waits for file locks; reads all held locks once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.owners = FileOwners(scene)
        self._devices: dict[tuple[int, str], tuple[int, int] | None] = {}
        """By process and number of the mount."""

    def add(self, sleeper: Sleeper) -> bool:
        """Add the wait if it is one for a file lock."""
        wanted = _wanted(sleeper)
        if wanted is None:
            return False
        fd = signed(sleeper.where.arguments[0])
        link, file = self._scene.descriptors.link(sleeper.pid, fd), self._file(sleeper.pid, fd)
        if link is None:
            return True  # it is closed by now, so that this thread waits no more
        path = clean(link)
        # A file that cannot be told from others is nobody else's.
        key = key_of(file) if file else f"{sleeper.pid}:{fd}"
        name, how = f"file lock {path}", _NAMES[wanted.kind]
        node = self._scene.resource(NodeKind.FILE_LOCK, key, name, sleeper, detail=how)
        mode = "an exclusive" if wanted.writes else "a shared"
        call = "flock" if wanted.kind == "FLOCK" else "fcntl"
        said = f"{call}(2) on fd {fd}: it waits for {mode} {_NAMES[wanted.kind]} on {path}"
        self._scene.wait(sleeper, node, said, "lock")
        if file:
            self._hold(sleeper, node, file, wanted)
        return True

    def _hold(self, sleeper: Sleeper, node: NodeId, file: File, wanted: FileLock) -> None:
        held = self._held.get(file, [])
        weakest, unseen = self._scene.complete(), self._scene.uncounted(sleeper.pid)
        if unseen:
            note = f"whether others hold a lock on it is not known: not all of {unseen} is read"
            resources = self._scene.facts.resources
            resources[node] = replace(resources[node], note=note)
        against = []
        for pid, fd, lock in held:
            link = self._scene.descriptors.link(pid, fd) or ""
            self._scene.premises.saw(node, link, self._scene.descriptors.holders(link))
            own = pid == sleeper.pid
            # A process never waits for record locks of its own; they are one owner's.
            if lock.excludes(wanted) and not (own and lock.kind == wanted.kind == "POSIX"):
                against.append((pid, fd, lock))
        if against and all(pid == lock.taker == sleeper.pid for pid, _, lock in against):
            sure = Certainty.PROVEN if weakest is Certainty.CERTAIN else weakest
            _, fd, lock = against[0]
            said = has(lock, fd)
            if not self._hold_inside(node, sleeper, said, sure):
                self._scene.hold_by_own_process(node, sleeper, said, idling=False, sure=sure)
            return
        for pid, fd, lock in against:
            self._scene.hold_by_process(node, pid, sleeper, has(lock, fd), weakest)
            self.note_heir(node, pid, lock)

    def _hold_inside(self, node: NodeId, sleeper: Sleeper, said: str, sure: Certainty) -> bool:
        """Whether other threads of its own process are inside of a ``with`` on that file, so that
        they have the lock which their process has; not those that wait for a lock themselves."""
        link = self._scene.descriptors.link(sleeper.pid, signed(sleeper.where.arguments[0])) or ""
        peer = sleeper.peer
        uses = [use for use in self.owners.of(peer, link) if not _locks(peer, use.tid)]
        if self._scene.alone(sleeper):
            for use in uses:
                self.owners.hold(node, peer.pid, use, f"its process {said}, and it", sure)
            return bool(uses)
        return False

    def note_heir(self, node: NodeId, pid: int, lock: FileLock) -> None:
        """Say of who has it that it took it by inheritance, which no code of its own shows."""
        resource = self._scene.facts.resources[node]
        if lock.kind == "FLOCK" and lock.taker not in (0, pid) and resource.note is None:
            note = f"{self._scene.name(pid)} inherited it from process {lock.taker}, which took it"
            self._scene.facts.resources[node] = replace(resource, note=note)

    def at(self, path: str) -> list[Held]:
        """The locks that anybody has on the file that a descriptor shows as *path*."""
        return self._by_path.get(path, [])

    @cached_property
    def _by_path(self) -> dict[str, list[Held]]:
        found: dict[str, list[Held]] = {}
        for file, held in self._held.items():
            for pid, fd, lock in held:
                link = self._scene.descriptors.link(pid, fd)
                if link is not None:
                    found.setdefault(link, []).append(Held(pid, fd, file, lock))
        return found

    def _file(self, pid: int, fd: int) -> File | None:
        """Which file a descriptor is on.

        Without asking the file system itself, which may be the one that does not answer.
        """
        info = self._scene.descriptors.info(pid, fd)
        inodes, mounts = info.values("ino"), info.values("mnt_id")
        if not inodes or not mounts:  # before Linux 5.14
            _, known, inode = self._scene.descriptors.status(pid, fd) or (0, None, 0)
            return None if known is None else (os.major(known), os.minor(known), inode)
        if (pid, mounts[0]) not in self._devices:
            self._devices[pid, mounts[0]] = _device(pid, mounts[0])
        device = self._devices[pid, mounts[0]]
        return (*device, int(inodes[0])) if device else None

    @cached_property
    def _held(self) -> dict[File, list[tuple[int, int, FileLock]]]:
        found: dict[File, list[tuple[int, int, FileLock]]] = {}
        for pid, fd, line in self._scene.descriptors.locks():
            known = held_lock(line)
            if known is not None:
                found.setdefault(known[0], []).append((pid, fd, known[1]))
        return found

    # -- leases ---------------------------------------------------------------------------------

    def add_lease(self, sleeper: Sleeper) -> bool:
        """Add the wait of a thread whose open breaks a lease; the kernel ends it after a while."""
        call, arguments = sleeper.where.call, sleeper.where.arguments
        thread = sleeper.thread
        if call not in OPENS or thread is None:
            return False
        if not (thread.wchan or "").startswith(_BREAKING):
            return False
        address = arguments[1 if call == "openat" else 0]
        path = clean(sleeper.peer.memory.c_string(address, PATH_MAX))
        label = f"lease on {path}"
        node = self._scene.resource(NodeKind.FILE_LOCK, f"{path}/lease", label, sleeper)
        said = f"open(2) of {path}: it waits until a lease on that file is given back"
        self._scene.wait(sleeper, node, said, "open", expires=True)
        for pid, fd, lock in (one for held in self._held.values() for one in held):
            link = self._scene.descriptors.link(pid, fd) if lock.kind == "LEASE" else None
            if link and clean(link).endswith(f"/{Path(path).name}"):
                # Its file is known by name alone: to open it would be to break the lease.
                said = f"has a lease on a file of that name (fd {fd})"
                self._scene.hold_by_process(node, pid, sleeper, said, Certainty.INFERRED)
        return True


_NAMES = {
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
    return f"has {mode} {_NAMES[lock.kind]} on it (fd {fd})"


def _locks(peer: Peer, tid: int) -> bool:
    """Whether a thread waits for a lock on a file."""
    where = peer.asleep.get(tid)
    return where is not None and _wanted(Sleeper(peer, tid, where)) is not None


def _wanted(sleeper: Sleeper) -> FileLock | None:
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


def _device(pid: int, mount: str) -> tuple[int, int] | None:
    """The device of a mount, as ``mountinfo`` has it: ``ID PARENT MAJOR:MINOR ...``."""
    try:
        mounts = text(PROC / str(pid) / "mountinfo", _MAX_MOUNTS) or ""
    except OSError:
        return None
    found = re.search(rf"^{int(mount)} \d+ (\d+):(\d+) ", mounts, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None
