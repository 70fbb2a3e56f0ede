"""Words in memory that several processes share: two waits on one word are waits for one thing."""

from dataclasses import replace

from hangtui.backends.between import processes
from hangtui.backends.between.peer import Peer
from hangtui.backends.between.scene import Scene
from hangtui.backends.memory import Memory
from hangtui.model import Hold, Resource, Wait, thread_id

_SHARED = "s"
"""The last of the permissions in ``/proc/PID/maps``: changes are seen by all who map it."""


def shared_identity(memory: Memory, address: int) -> str | None:
    """``DEVICE:INODE:OFFSET`` of a word in shared memory, the same for every process that maps it.

    None: the word is the process's own.
    """
    mapping = memory.mapping_at(address)
    if mapping is None or _SHARED not in mapping.permissions or not mapping.inode:
        return None
    return f"{mapping.device}:{mapping.inode}:{mapping.offset + address - mapping.start:#x}"


def unify(scene: Scene) -> None:
    """Give every resource in shared memory one id for all processes, and find foreign owners."""
    renamed: dict[str, str] = {}
    for node, resource in list(scene.facts.resources.items()):
        peer = scene.peers.get(resource.pid)
        shared = shared_identity(peer.memory, resource.address) if peer else None
        if peer and shared and not node.startswith(f"{resource.kind.value}:0:"):
            renamed[node] = f"{resource.kind.value}:0:{shared}"
            _merge(scene, peer, node, renamed[node], resource)
    if renamed:
        _rename(scene, renamed)


def _merge(scene: Scene, peer: Peer, node: str, shared: str, resource: Resource) -> None:
    del scene.facts.resources[node]
    where = f"at {resource.address:#x}"
    label = resource.label
    if where in label:  # nothing names it: then say at least what it is
        label = f"{resource.kind.value} in memory that process {peer.pid} shares ({shared})"
    scene.facts.resources.setdefault(shared, replace(resource, id=shared, label=label))


def _rename(scene: Scene, renamed: dict[str, str]) -> None:
    facts = scene.facts
    facts.waits[:] = [_wait(wait, renamed) for wait in facts.waits]
    holds: dict[tuple[str, str], Hold] = {}
    for hold in facts.holds:
        if hold.resource in renamed:
            hold = replace(  # noqa: PLW2901
                hold, resource=renamed[hold.resource], holder=_owner(scene, hold.holder)
            )
        holds.setdefault((hold.resource, hold.holder), hold)
    facts.holds[:] = holds.values()


def _wait(wait: Wait, renamed: dict[str, str]) -> Wait:
    return replace(wait, target=renamed.get(wait.target, wait.target))


def _owner(scene: Scene, holder: str) -> str:
    """The thread that an owner word names: of whichever process, in the reader's numbering."""
    kind, pid, tid = holder.split(":") if holder.count(":") == 2 else ("", "0", "0")
    reader = scene.peers.get(int(pid))
    if kind != "thread" or reader is None:
        return holder
    if any(thread.tid == int(tid) for thread in reader.process.threads):
        return holder
    for peer in scene.peers.values():
        for thread in peer.process.threads:
            if processes.same_namespace(peer.pid, reader.pid) and int(tid) in (
                thread.ns_tid,
                thread.tid,
            ):
                return thread_id(peer.pid, thread.tid)
    leader = processes.leader_of(int(tid))
    return scene.process(leader) if leader else holder
