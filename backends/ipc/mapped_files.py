"""Words that lie in a file which processes map: what they are called by it, and who else maps it.

A named semaphore (``/dev/shm/sem.NAME``) and a database's lock file outlive those that use them,
and whoever may open the file can come to share the word.
"""

import os
from dataclasses import replace
from itertools import islice
from pathlib import Path

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.sharers import sharers
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import Memory
from hangtui.model import Hold, NodeId, Resource, clean, label_of

_SEMAPHORE = "/dev/shm/sem."
"""What sem_open(3) puts before a name."""
_NAMELESS = ("/dev/zero", "/memfd:", "/SYSV", "/[aio]")
"""How the kernel calls shared memory that is in no file."""
_GONE = " (deleted)"
_MOST = 3
_PATH, _MOST_FILES = 120, 4096


def file_at(memory: Memory, address: int) -> tuple[str, int] | None:
    """The file that a shared word lies in, and where in it; None: one without a name, or none."""
    mapping = memory.mapping_at(address)
    if mapping is None or not mapping.path.startswith("/"):
        return None
    path = mapping.path
    if path.startswith(_SEMAPHORE) and path.endswith(_GONE):
        path = _linked(mapping) or path
    if path.startswith(_NAMELESS) or path.endswith(_GONE):
        return None
    return clean(path, _PATH), mapping.offset + address - mapping.start


def _linked(mapping: Mapping) -> str | None:
    """The name that a semaphore got after its process had mapped it; None: it has none here."""
    folder = Path(_SEMAPHORE).parent
    try:
        device = folder.stat().st_dev
        if f"{os.major(device):02x}:{os.minor(device):02x}" != mapping.device:
            return None
        with os.scandir(folder) as entries:
            for entry in islice(entries, _MOST_FILES):
                if entry.inode() == mapping.inode:
                    return entry.path
    except OSError:
        pass
    return None


def named_by_file(resource: Resource, file: tuple[str, int]) -> Resource:
    """*resource*, which has no name of Python's, called by the file that its word lies in."""
    path, offset = file
    name, detail = f"{resource.kind.value} in {path}", f"offset {offset}"
    if path.startswith(_SEMAPHORE):
        name, detail = f"named semaphore /{path.removeprefix(_SEMAPHORE)}", path
    return replace(resource, label=label_of(name, detail), name=name, detail=detail)


def add(scene: Scene) -> None:
    """Say of what is waited for, and nobody is known to have, who else maps its file, and whether
    it names an owner that has ended."""
    ended = {hold.resource: hold for hold in scene.facts.holds if _ended(hold)}
    for hold in ended.values():
        scene.facts.holds.remove(hold)
    held = {hold.resource for hold in scene.facts.holds}
    awaited = sorted({wait.target for wait in scene.facts.waits if wait.target.shared} - held)
    files = {node: path for node in awaited if (path := _path(scene, node))}
    sharing = sharers(node.name for node in files)
    for node in awaited:
        resource = scene.facts.resources.get(node)
        notes = [resource.note] if resource and resource.note else []
        if node in ended:
            notes = [f"it names thread {ended[node].holder.tid} as its owner, which has ended"]
        if resource and (path := files.get(node)):
            others = sorted(sharing.get(node.name, set()) - {resource.pid})
            notes.append(f"{_others(scene, others)} {path} mapped")
        if resource and notes:
            scene.facts.resources[node] = replace(resource, note="; ".join(notes))


def _path(scene: Scene, node: NodeId) -> str | None:
    """The file that something without a name of Python's lies in."""
    resource = scene.facts.resources.get(node)
    peer = scene.peers.get(resource.pid) if resource else None
    if resource is None or peer is None or resource.type_name or not resource.address:
        return None
    file = file_at(peer.memory, resource.address)
    return file[0] if file else None


def _ended(hold: Hold) -> bool:
    """Whether a word in shared memory names a thread as its owner that is nowhere any more, in the
    numbering of processes that is ours as well as its reader's."""
    tid, pid = hold.holder.tid, hold.holder.pid
    if not hold.resource.shared or tid is None or not relatives.same_namespace(pid, os.getpid()):
        return False
    return relatives.leader_of(tid) is None


def _others(scene: Scene, pids: list[int]) -> str:
    if not pids:
        return "no other process that could be looked into has"
    names = ", ".join(scene.name(pid) for pid in pids[:_MOST])
    more = f" and {len(pids) - _MOST} more" if len(pids) > _MOST else ""
    return f"{names}{more} {'has' if len(pids) == 1 else 'have'}"
