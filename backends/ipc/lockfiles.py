"""Lock files that a thread asks for again and again, and who has them.

Which thread does so its process's frames say (`peer.PolledFile`). Of a lock of the kernel's own
(flock, lockf) it is known who has it; of a file that is there or not, only what it says: many
write their PID into it.
"""

import os
import posixpath
import re
import stat
import time
from collections.abc import Iterator
from dataclasses import replace

from hangtui.backends.door import RefusedError
from hangtui.backends.ipc.file_lock import has, key_of
from hangtui.backends.ipc.filelocks import FileLocks, Held
from hangtui.backends.ipc.peer import FileUse, Peer, PolledFile, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs import life
from hangtui.backends.procfs.files import PROC, link
from hangtui.model import (
    Certainty,
    Evidence,
    NodeId,
    NodeKind,
    Source,
    Wait,
    clean,
    thread_id,
)

_KINDS = {"flock": ("FLOCK",), "lockf": ("POSIX", "OFDLCK")}
"""Which locks exclude what is asked for so."""
_CREATES = frozenset({"O_EXCL", "mkdir", "link", "symlink"})
_NAMED = re.compile(r"(?<![a-z])lock|\.lck", re.IGNORECASE)
"""How a file or folder is called that is there to keep out others. Whoever makes a folder, or a
link, mostly wants just that, and does not mind if it is there."""
_OWN_PID = "names this very process"
"""What is told of a lock file with the PID of who waits for it."""
_STANDARD = 2
"""The last of the standard streams' descriptors."""
_MOST_POLLED = 100
_FEW = 2
_SMALL, _SAID = 64 * 1024, 200
"""Bytes: a lock file is no larger; what is read of one."""
_AFTER_THREAD = (
    re.compile(r"-[0-9a-f]{8}([1-9]\d{0,9})"),
    re.compile(r"-[0-9a-f]{7}([1-9]\d{0,9})"),
    re.compile(r"-[0-9a-f]{6}([1-9]\d{0,9})"),
)
"""A PID behind a thread's identity."""
_PID = re.compile(r"\s*(\d{1,10})(?![\d.])")


def add(scene: Scene, locks: FileLocks) -> None:
    """Add the waits for lock files by polling, and who has these."""
    waiting = {wait.waiter for wait in scene.facts.waits}
    for peer in scene.peers.values():
        found = peer.file_users.polled() if peer.file_users else ()
        for polled in found[:_MOST_POLLED]:
            if thread_id(peer.pid, polled.tid) not in waiting:
                _LockFile(scene, locks, peer, polled).add()


class _LockFile:
    """The file that one thread asks for."""

    def __init__(self, scene: Scene, locks: FileLocks, peer: Peer, polled: PolledFile) -> None:
        self._scene = scene
        self._locks = locks
        self._peer = peer
        self._polled = polled
        self._sleeper = Sleeper(peer, polled.tid, peer.asleep[polled.tid])

    def _open(self) -> Iterator[str]:
        """The paths of files that it has open for this."""
        for fd in self._polled.descriptors:
            file = self._scene.descriptors.link(self._peer.pid, fd) if fd > _STANDARD else None
            if file is not None and file.startswith("/") and not file.startswith("/dev/"):
                yield file

    def add(self) -> None:
        paths = dict.fromkeys(filter(None, map(self._whole, (*self._polled.paths, *self._open()))))
        found = [(path, held) for path in paths if (held := self._excluding(path))]
        if any(map(self._has, (one for _, held in found for one in held))):
            return
        if len({held[0].file for _, held in found}) == 1:
            self._locked(*found[0])
        elif not found and self._polled.asks <= _CREATES:
            there = {path: one for path in paths if (one := self._status(path)) is not None}
            if len({(one.st_dev, one.st_ino) for one in there.values()}) == 1:
                self._created(*next(iter(there.items())))

    def _has(self, held: Held) -> bool:
        """Whether it has the lock by a descriptor in its own hands: it is about to give it back."""
        return held.pid == self._peer.pid and held.fd in self._polled.descriptors

    def _whole(self, path: str) -> str | None:
        """*path* from the root on."""
        if path.startswith("/"):
            return path
        folder = link(PROC / str(self._peer.pid) / "cwd")
        return posixpath.normpath(posixpath.join(folder, path)) if folder else None

    def _excluding(self, path: str) -> list[Held]:
        kinds = {kind for asked in self._polled.asks for kind in _KINDS.get(asked, ())}
        return [
            one
            for one in self._locks.at(path)
            if one.lock.kind in kinds
            # Record locks of one process do not exclude each other.
            and not (one.pid == self._peer.pid and one.lock.kind == "POSIX")
        ]

    def _shares(self, path: str) -> bool:
        """Whether its own process has a record lock there, which does not exclude it."""
        return any(
            one.pid == self._peer.pid and one.lock.kind == "POSIX" for one in self._locks.at(path)
        )

    # -- locks of the kernel ---------------------------------------------------------------------

    def _locked(self, path: str, held: list[Held]) -> None:
        shown = clean(path)
        key = key_of(held[0].file)
        # Who has it as well, and wants more of it, waits for the others alone.
        key += f"/{self._peer.pid}" if self._shares(path) else ""
        node = self._node(key, f"file lock {shown}")
        self._wait(node, f"it sleeps, and tries to lock {shown} again when it wakes up")
        for one in held:
            if one.pid == self._peer.pid:
                self._own(node, path, has(one.lock, one.fd))
            else:
                said = has(one.lock, one.fd)
                weakest = self._scene.complete()
                self._scene.hold_by_process(node, one.pid, self._sleeper, said, weakest)
                self._locks.note_heir(node, one.pid, one.lock)

    def _own(self, node: NodeId, path: str, said: str) -> None:
        """Its own process has it: whose thread is inside of a ``with`` for that very file."""
        uses = self._locks.owners.of(self._peer, path, *self._polled.paths)
        if not uses:
            self._by_itself(node, said)
        for use in uses:
            self._locks.owners.hold(node, self._peer.pid, use, f"its process {said}, and it")

    def _by_itself(self, node: NodeId, said: str) -> None:
        """Its own process has it, and nobody knows which thread of that: it is itself if there is
        no other one."""
        alone = len(self._peer.process.threads) == 1
        own = self._sleeper.node if alone else self._scene.process(self._peer.pid)
        self._scene.hold(node, own, Certainty.INFERRED, f"this process itself {said}")

    # -- files that are there or not -------------------------------------------------------------

    def _status(self, path: str) -> os.stat_result | None:
        """Of a file or folder that may keep out others; None: it is none, or is not there."""
        named = self._polled.asks == {"O_EXCL"} or _NAMED.search(posixpath.basename(path))
        if not named and not self._users(path):
            return None
        try:
            found = self._peer.memory.root.facts(path)
        except (OSError, RefusedError):
            return None
        if "mkdir" in self._polled.asks and stat.S_ISDIR(found.st_mode):
            return found
        return found if stat.S_ISREG(found.st_mode) and found.st_size <= _SMALL else None

    def _created(self, path: str, status: os.stat_result) -> None:
        shown, what = clean(path), "folder" if stat.S_ISDIR(status.st_mode) else "file"
        node = self._node(f"{path}/created", f"lock {what} {shown}")
        self._wait(node, f"it sleeps, and tries to create {shown} again when it wakes up")
        for pid, use in self._users(path):
            self._locks.owners.hold(node, pid, use, "it")
        note = self._lies_in(path) if what == "folder" else self._names(path)
        if note == _OWN_PID:
            self._by_itself(node, "is named in it")
        resource = self._scene.facts.resources[node]
        self._scene.facts.resources[node] = replace(
            resource,
            note=f"the {what} is there" + (f", and {note}" if note else ""),
            age_s=max(0.0, time.time() - status.st_mtime),
        )

    def _users(self, path: str) -> list[tuple[int, FileUse]]:
        """The threads that are inside of a ``with`` on it, of whatever process; with its PID."""
        owners, pid = self._locks.owners, self._peer.pid
        own = ((pid, use) for use in owners.of(self._peer, path, *self._polled.paths))
        return [*own, *owners.elsewhere(self._peer, path)]

    def _lies_in(self, path: str) -> str:
        """The only thing that a folder has in it: who made it mostly says so by its name."""
        try:
            with self._peer.memory.root.folder(path) as folder:
                names = folder.names(_FEW)
        except (OSError, RefusedError):
            return ""
        if len(names) != 1:
            return ""
        lies = f"{clean(names[0], _SAID)} lies in it"
        own = self._peer.process.ns_pid in (None, self._peer.pid)
        pids = _named_by(names[0], os.uname().nodename) if own else []
        if pids and all(life.of_process(pid) is life.Fate.ENDED for pid in pids):
            lies += f", which is the name of PID {pids[0]}, which no process here has now"
        return lies

    def _names(self, path: str) -> str:
        """What is known of the PID in a file."""
        try:
            text = self._peer.memory.root.read(path, _SMALL)[:_SAID].decode(errors="replace")
        except (OSError, RefusedError):
            return ""
        found = _PID.match(text)
        pid = int(found[1]) if found else 0
        if not pid:
            return ""
        if self._peer.process.ns_pid not in (None, self._peer.pid):
            return f"names PID {pid}"  # as another list of processes numbers it
        if pid == self._peer.pid:
            return _OWN_PID
        match life.of_process(pid):
            case life.Fate.LIVES:
                return f"names {self._scene.name(pid)}, which lives"
            case life.Fate.ENDED:
                return f"names PID {pid}, which no process here has now"
            case life.Fate.UNKNOWN:
                return f"names PID {pid}"

    # -- facts -----------------------------------------------------------------------------------

    def _node(self, key: str, name: str) -> NodeId:
        return self._scene.resource(NodeKind.FILE_LOCK, key, name, self._sleeper)

    def _wait(self, node: NodeId, text: str) -> None:
        evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, text, self._polled.place)
        self._scene.facts.waits.append(
            Wait(
                self._sleeper.node,
                node,
                evidence,
                expires=True,
                operation="lock",
                unlimited=self._polled.unlimited,
            )
        )


def _named_by(name: str, host: str) -> list[int]:
    """The PIDs that a name may end with which begins with this machine's: the package lockfile
    writes up to eight digits of a thread's identity before it, so that the likeliest comes first
    of several."""
    if not name.startswith(f"{host}."):
        return []
    rest = name.removeprefix(f"{host}.")
    if rest.isdecimal():
        return [int(rest)]
    found = (one.fullmatch(rest) for one in _AFTER_THREAD)
    return [int(one[1]) for one in found if one]
