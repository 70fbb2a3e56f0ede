"""Words in memory that several processes share: two waits on one word are waits for one thing."""

from collections.abc import Iterator
from dataclasses import field, replace

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.mapped_files import file_at, named_by_file
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.sharers import shared_identity, sharers
from hangtui.backends.procfs.files import PROC, link
from hangtui.dataclass import dataclass
from hangtui.model import (
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Wait,
    label_of,
    shared_id,
    thread_id,
)

_UNSPECIFIC = {NodeKind.SEMAPHORE, NodeKind.FUTEX}


def unify(scene: Scene) -> None:
    """Give every resource in shared memory one id for all processes, and find foreign owners."""
    found = list(_in_shared_memory(scene))
    # C code that takes a lock of Python's sees nothing but a semaphore.
    kinds = {shared: one.kind for one, shared in found if one.kind not in _UNSPECIFIC}
    renamed: dict[NodeId, NodeId] = {}
    for resource, shared in sorted(found, key=lambda pair: pair[0].kind in _UNSPECIFIC):
        kind = kinds.get(shared, resource.kind)
        renamed[resource.id] = shared_id(kind, shared)
        _merge(scene, replace(resource, kind=kind), renamed[resource.id], shared)
    if renamed:
        _rename(scene, renamed)


def _in_shared_memory(scene: Scene) -> Iterator[tuple[Resource, str]]:
    for node, resource in scene.facts.resources.items():
        peer = scene.peers.get(resource.pid)
        shared = shared_identity(peer.memory, resource.address) if peer else None
        if shared and not node.shared:
            yield resource, shared


def _merge(scene: Scene, resource: Resource, node: NodeId, shared: str) -> None:
    del scene.facts.resources[resource.id]
    made = replace(resource, id=node)
    file = file_at(scene.peers[resource.pid].memory, resource.address)
    if file is not None and resource.type_name is None:
        made = named_by_file(made, file)
    elif resource.name is None and resource.type_name is None:
        # Nothing names it: then say at least what it is.
        name = f"{resource.kind.value} in memory that process {resource.pid} shares"
        made = replace(made, label=label_of(name, shared), name=name, detail=shared)
    scene.facts.resources.setdefault(node, made)


def _rename(scene: Scene, renamed: dict[NodeId, NodeId]) -> None:
    facts = scene.facts
    facts.waits[:] = [_wait(wait, renamed) for wait in facts.waits]
    holds: dict[tuple[NodeId, NodeId], Hold] = {}
    owners = _Owners(scene, frozenset(renamed.values()))
    for hold in facts.holds:
        if hold.resource in renamed:
            resource = renamed[hold.resource]
            holder = owners.find(hold.holder, resource)
            hold = replace(hold, resource=resource, holder=holder)  # noqa: PLW2901
        holds.setdefault((hold.resource, hold.holder), hold)
    facts.holds[:] = holds.values()


def _wait(wait: Wait, renamed: dict[NodeId, NodeId]) -> Wait:
    return replace(wait, target=renamed.get(wait.target, wait.target))


@dataclass(slots=True)
class _Owners:
    """Finds the threads that owner words in shared memory name: of whichever process, in the
    reader's numbering."""

    scene: Scene
    nodes: frozenset[NodeId]
    """All resources in shared memory."""
    _namespaces: dict[int, str | None] = field(default_factory=dict)
    _threads: dict[tuple[str | None, int], NodeId] | None = None
    _sharers: dict[str, set[int]] | None = None

    def find(self, holder: NodeId, resource: NodeId) -> NodeId:
        """The node of the thread or process; *holder* where it is not found."""
        reader, tid = self.scene.peers.get(holder.pid), holder.tid
        if tid is None or reader is None:
            return holder
        if any(thread.tid == tid for thread in reader.process.threads):
            return holder
        known = self._all_threads().get((self._namespace(reader.pid), tid))
        # The word says what whoever writes to it likes: one who cannot take it has not got it.
        if known:
            return known if self._shares(known.pid, resource) else holder
        leader = relatives.leader_of(tid)
        return self.scene.process(leader) if leader and self._shares(leader, resource) else holder

    def _all_threads(self) -> dict[tuple[str | None, int], NodeId]:
        """The threads of captured processes, by PID namespace and number there."""
        if self._threads is None:
            self._threads = {}
            for peer in self.scene.peers.values():
                space = self._namespace(peer.pid)
                for thread in peer.process.threads:
                    for number in (thread.ns_tid, thread.tid):
                        if number is not None:
                            node = thread_id(peer.pid, thread.tid)
                            self._threads.setdefault((space, number), node)
        return self._threads

    def _namespace(self, pid: int) -> str | None:
        if pid not in self._namespaces:
            self._namespaces[pid] = link(PROC / str(pid) / "ns" / "pid")
        return self._namespaces[pid]

    def _shares(self, pid: int, resource: NodeId) -> bool:
        if self._sharers is None:
            self._sharers = sharers(node.name for node in self.nodes)
        return pid in self._sharers.get(resource.name, ())
