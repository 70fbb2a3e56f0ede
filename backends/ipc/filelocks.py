"""Who holds the file lock that a thread waits for: flock, record locks, open-file locks, leases.

The kernel lists the locks that a descriptor has in its fdinfo. That names the holders exactly: a
flock belongs to an open file, which a fork shares, and ``/proc/locks`` only knows who took it.
"""

import os
import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from hangtui.backends.ipc.channel_calls import OPENS
from hangtui.backends.ipc.file_lock import NAMES, File, FileLock, asked_lock, has, held_lock, key_of
from hangtui.backends.ipc.file_owners import FileOwners
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.linux import PATH_MAX
from hangtui.backends.procfs.files import PROC, text
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Certainty, NodeId, NodeKind, clean

_SEVERAL = 2
_BREAKING = "__break_lease"
_MAX_MOUNTS = 16 << 20
"""Bytes of ``mountinfo``: 100,000 mounts."""


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
        wanted = asked_lock(sleeper)
        if wanted is None:
            return False
        fd = signed(sleeper.where.arguments[0])
        link, file = self._scene.descriptors.link(sleeper.pid, fd), self._file(sleeper.pid, fd)
        if link is None:
            return True  # it is closed by now, so that this thread waits no more
        path = clean(link)
        # A file that cannot be told from others is nobody else's.
        key = key_of(file) if file else f"{sleeper.pid}:{fd}"
        name, how = f"file lock {path}", NAMES[wanted.kind]
        node = self._scene.resource(NodeKind.FILE_LOCK, key, name, sleeper, detail=how)
        mode = "an exclusive" if wanted.writes else "a shared"
        call = "flock" if wanted.kind == "FLOCK" else "fcntl"
        said = f"{call}(2) on fd {fd}: it waits for {mode} {NAMES[wanted.kind]} on {path}"
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
        if against and all(_is_own(sleeper, pid, lock) for pid, _, lock in against):
            sure = Certainty.PROVEN if weakest is Certainty.CERTAIN else weakest
            _, fd, lock = against[0]
            said = has(lock, fd)
            if not self._hold_inside(node, sleeper, said, sure):
                self._scene.hold_by_own_process(node, sleeper, said, idling=False, sure=sure)
            return
        for pid, fd, lock in against:
            if not self._hold_in_another(node, pid, fd, lock):
                self._scene.hold_by_process(node, pid, sleeper, has(lock, fd), weakest)
            self.note_heir(node, pid, lock)

    def _hold_inside(self, node: NodeId, sleeper: Sleeper, said: str, sure: Certainty) -> bool:
        """Whether threads of its own process are inside of a ``with`` on that file, so that they
        have the lock which their process has: of those that wait for a lock themselves the only
        one."""
        peer = sleeper.peer
        acting = (tid for tid in self._scene.able(peer) if tid != sleeper.tid)
        if not all(_locks(peer, tid) for tid in acting):
            return False
        link = self._scene.descriptors.link(sleeper.pid, signed(sleeper.where.arguments[0])) or ""
        uses = self.owners.of(peer, link)
        inside = [use for use in uses if not _locks(peer, use.tid)]
        inside = inside or (uses if len(uses) == 1 else [])
        for use in inside:
            self.owners.hold(node, peer.pid, use, f"its process {said}, and it", sure)
        return bool(inside)

    def _hold_in_another(self, node: NodeId, pid: int, fd: int, lock: FileLock) -> bool:
        """Whether one alone of several threads of another process that could act is inside of a
        ``with`` on that file, so that it has the lock."""
        peer, link = self._scene.peers.get(pid), self._scene.descriptors.link(pid, fd)
        if peer is None or link is None or len(self._scene.able(peer)) < _SEVERAL:
            return False
        uses = self.owners.of(peer, link)
        if len(uses) == 1:
            self.owners.hold(node, pid, uses[0], f"its process {has(lock, fd)}, and it")
        return len(uses) == 1

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


def _is_own(sleeper: Sleeper, pid: int, lock: FileLock) -> bool:
    """Whether its own process took it; of an open-file lock the kernel does not say who did, and
    whoever has it open has it."""
    return pid == sleeper.pid and (lock.kind == "OFDLCK" or lock.taker == pid)


def _locks(peer: Peer, tid: int) -> bool:
    """Whether a thread waits for a lock on a file."""
    where = peer.asleep.get(tid)
    return where is not None and asked_lock(Sleeper(peer, tid, where)) is not None


def _device(pid: int, mount: str) -> tuple[int, int] | None:
    """The device of a mount, as ``mountinfo`` has it: ``ID PARENT MAJOR:MINOR ...``."""
    try:
        mounts = text(PROC / str(pid) / "mountinfo", _MAX_MOUNTS) or ""
    except OSError:
        return None
    found = re.search(rf"^{int(mount)} \d+ (\d+):(\d+) ", mounts, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None
