"""Words in memory that several processes share: two waits on one word are waits for one thing."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hangtui.backends.between import processes
from hangtui.backends.between.scene import Scene
from hangtui.backends.memory import Memory
from hangtui.backends.procfile import PROC, numbers, text
from hangtui.model import Hold, NodeKind, Resource, Wait, thread_id

_SHARED = "s"
"""The last of the permissions in ``/proc/PID/maps``: changes are seen by all who map it."""

_UNSPECIFIC = {NodeKind.SEMAPHORE, NodeKind.FUTEX}


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
    files = {one: " {} {} ".format(*one.rpartition(":")[0].rsplit(":", 1)) for one in identities}
    found: dict[str, set[int]] = {one: set() for one in files}
    for pid in numbers(PROC):
        try:
            maps = text(PROC / str(pid) / "maps") or ""
        except OSError:
            continue
        for one, file in files.items():
            if file in maps:
                found[one].add(pid)
    return found


def unify(scene: Scene) -> None:
    """Give every resource in shared memory one id for all processes, and find foreign owners."""
    found = list(_in_shared_memory(scene))
    # C code that takes a lock of Python's sees nothing but a semaphore.
    kinds = {shared: one.kind for one, shared in found if one.kind not in _UNSPECIFIC}
    renamed: dict[str, str] = {}
    for resource, shared in sorted(found, key=lambda pair: pair[0].kind in _UNSPECIFIC):
        kind = kinds.get(shared, resource.kind)
        renamed[resource.id] = f"{kind.value}:0:{shared}"
        _merge(scene, replace(resource, kind=kind), renamed[resource.id], shared)
    if renamed:
        _rename(scene, renamed)


def _in_shared_memory(scene: Scene) -> Iterator[tuple[Resource, str]]:
    for node, resource in scene.facts.resources.items():
        peer = scene.peers.get(resource.pid)
        shared = shared_identity(peer.memory, resource.address) if peer else None
        if shared and not node.startswith(f"{resource.kind.value}:0:"):
            yield resource, shared


def _merge(scene: Scene, resource: Resource, node: str, shared: str) -> None:
    del scene.facts.resources[resource.id]
    where = f"at {resource.address:#x}"
    label = resource.label
    if where in label:  # nothing names it: then say at least what it is
        label = f"{resource.kind.value} in memory that process {resource.pid} shares ({shared})"
    scene.facts.resources.setdefault(node, replace(resource, id=node, label=label))


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
