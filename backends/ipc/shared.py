"""Words in memory that several processes share: two waits on one word are waits for one thing."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.files import PROC, link, numbers, text
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

_SHARED = "s"
"""The last of the permissions in ``/proc/PID/maps``: changes are seen by all who map it."""

_FILE = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S{4} [0-9a-f]+ (\S+ \d+) ", re.MULTILINE)
"""In a line of ``/proc/PID/maps``: device and inode."""

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
    files: dict[str, list[str]] = {}
    found: dict[str, set[int]] = {one: set() for one in identities}
    for one in found:
        files.setdefault(" ".join(one.rpartition(":")[0].rsplit(":", 1)), []).append(one)
    for pid in numbers(PROC) if found else ():
        for file in files.keys() & _mapped(pid):
            for one in files[file]:
                found[one].add(pid)
    return found


def _mapped(pid: int) -> set[str]:
    """Device and inode of all that a process maps. A file's name could look like them as well."""
    try:
        return set(_FILE.findall(text(PROC / str(pid) / "maps") or ""))
    except OSError:
        return set()


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
    if resource.name is None and resource.type_name is None:
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
