"""Which threads are inside of a ``with`` on a file that others want, in every process looked at."""

from collections.abc import Iterator

from hangtui.backends.door import RefusedError
from hangtui.backends.ipc.peer import FileUse, Peer
from hangtui.backends.ipc.scene import Scene
from hangtui.model import Certainty, Evidence, Hold, NodeId, Source, thread_id

_MOST_PATHS = 20
"""Files whose users are looked for in all processes."""


class FileOwners:
    """Looks for them, once for each file."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._known: dict[tuple[int, tuple[str, ...]], list[FileUse]] = {}
        self._paths: set[str] = set()

    def of(self, peer: Peer, *paths: str) -> list[FileUse]:
        """In one process, one for each thread. *paths*: how it may name the file."""
        if (peer.pid, paths) not in self._known:
            found = peer.file_users.uses(paths) if peer.file_users else ()
            self._known[peer.pid, paths] = list({use.tid: use for use in found}.values())
        return self._known[peer.pid, paths]

    def elsewhere(self, peer: Peer, path: str) -> Iterator[tuple[int, FileUse]]:
        """In other processes than *peer*, for which *path* is that very file; with their PIDs."""
        if path not in self._paths and len(self._paths) == _MOST_PATHS:
            return
        self._paths.add(path)
        for other in self._scene.peers.values():
            found = self.of(other, path) if other.pid != peer.pid else []
            if found and (same := _identity(other, path)) and same == _identity(peer, path):
                yield from ((other.pid, use) for use in found)

    def hold(
        self, node: NodeId, pid: int, use: FileUse, who: str, sure: Certainty = Certainty.INFERRED
    ) -> None:
        """Add that a thread has what it is inside of a ``with`` on."""
        text = f"{who} is inside `with` on that file in {use.function}"
        evidence = Evidence(Source.CPYTHON, sure, text, use.place)
        holder = thread_id(pid, use.tid)
        self._scene.facts.holds.append(Hold(node, holder, evidence, use.function))


def _identity(peer: Peer, path: str) -> tuple[int, int] | None:
    """Which file or folder a process finds at *path*; None: none, or that is not known."""
    try:
        found = peer.memory.root.facts(path)
    except (OSError, RefusedError):
        return None
    return found.st_dev, found.st_ino
