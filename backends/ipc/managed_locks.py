"""Locks of a manager of multiprocessing: which client has one that the manager's threads wait for
on behalf of others."""

from collections.abc import Iterator

from hangtui.backends.ipc import unixsockets
from hangtui.backends.ipc.peer import ProxyLock
from hangtui.backends.ipc.scene import Scene
from hangtui.model import Certainty, Evidence, Hold, NodeId, NodeKind, Source, thread_id


def add(scene: Scene) -> None:
    """Say who has them: the thread of another process that is inside of a ``with`` on a proxy of
    such a lock."""
    waited = {
        wait.target
        for wait in scene.facts.waits
        if wait.target.kind is NodeKind.LOCK and wait.waiter.pid == wait.target.pid
    }
    held = {hold.resource for hold in scene.facts.holds}
    claims: dict[NodeId, list[tuple[int, ProxyLock]]] = {}
    for target in waited - held:
        for pid, lock in _entered(target, scene):
            claims.setdefault(target, []).append((pid, lock))
    for target, every in claims.items():
        found = [one for one in every if not _copied(one, every, scene)]
        sure = Certainty.PROVEN if len(found) == 1 else Certainty.INFERRED
        for pid, lock in found:
            text = f"it is inside `with` on a proxy of the lock in {lock.function}"
            evidence = Evidence(Source.CPYTHON, sure, text, lock.place)
            holder = thread_id(pid, lock.tid)
            scene.facts.holds.append(Hold(target, holder, evidence, lock.function))


def _copied(
    claim: tuple[int, ProxyLock], every: list[tuple[int, ProxyLock]], scene: Scene
) -> bool:  # fmt: skip
    """Whether a process was forked where its parent has the lock: its stack tells the same."""
    pid, lock = claim
    parent = scene.peers[pid].process.ppid
    return any(one == parent and other.place == lock.place for one, other in every)


def _entered(target: NodeId, scene: Scene) -> Iterator[tuple[int, ProxyLock]]:
    for peer in scene.peers.values():
        if peer.pid == target.pid:
            continue
        for lock in peer.proxy_locks():
            if lock.address == target.address and _listens(target.pid, lock.path, scene):
                yield peer.pid, lock


def _listens(pid: int, path: str, scene: Scene) -> bool:
    """Whether a process has the socket of a manager: two that were forked from one program may have
    their locks at the same address."""
    try:
        found = [one.inode for one in unixsockets.listeners() if one.name == path]
    except OSError:
        return False
    return any(pid in scene.descriptors.holders(f"socket:[{inode}]") for inode in found)
