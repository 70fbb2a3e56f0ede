"""Ray's ids: of the calls whose results are waited for, and of the actors whose calls these are.

The id of a task holds that of the actor whose method it is, and a reference to a result holds the
id of the task that is to give it. So both ends name the same nodes without knowing of each other.
"""

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeId, NodeKind, Resource, shared_id

_ID = 32
"""Where an id's bytes begin in the Cython objects of `_raylet`: behind header, methods and hash."""
_OWN, _ACTOR = 12, 16
"""Bytes of an actor's id: its own, and with those of its job."""
_TASK = 8
"""Bytes of a task's own id, before that of its actor."""
SIZES = {"ActorID": _ACTOR, "TaskID": _TASK + _ACTOR, "ObjectRef": _TASK + _ACTOR}
"""Which classes have one, and how much of it counts: of a reference, the id of its task."""
NO_ACTOR = b"\xff" * _OWN
"""The actor of a plain task."""


def read_id(objects: Objects, address: int, kind: str) -> bytes:
    """The bytes of an id of class *kind*, as many as `SIZES` says.

    Raises:
        MemoryReadError: it is none.
    """
    if not is_id(objects, address, kind) or objects.basic_size(address) <= _ID:
        raise MemoryReadError(f"no {kind}")
    return objects.memory.read(address + _ID, SIZES[kind])


def is_id(objects: Objects, address: int, kind: str) -> bool:
    """Whether an object is of that class. Never raises."""
    return (objects.kind(address) or "").rpartition(".")[2] == kind


def actor_of(task: bytes) -> bytes:
    """Whose method a task is; plain tasks have no actor, whatever their job."""
    actor = task[_TASK:]
    return NO_ACTOR if actor.startswith(NO_ACTOR) else actor


def actor_node(actor: bytes) -> NodeId:
    """An actor, or whoever runs plain tasks."""
    if actor == NO_ACTOR:
        return shared_id(NodeKind.WORKER, "ray")
    return shared_id(NodeKind.ACTOR, f"ray-{actor.hex()}")


def call_node(task: bytes) -> NodeId:
    """One call of an actor's method."""
    return shared_id(NodeKind.CALL, f"ray-{task.hex()}")


def label(actor: bytes) -> str:
    """What to call an actor of which only the id is known, or whoever runs plain tasks."""
    if actor == NO_ACTOR:
        return "a worker of Ray that runs its task"
    return f"the actor {actor.hex()[:8]}"


def resource(node: NodeId, name: str, pid: int) -> Resource:
    """A node of Ray's."""
    return Resource(node, node.kind, name, pid, 0, name=name, package="ray")


def named(actor: bytes) -> str:
    """What the id of a reference says, behind "names"."""
    return "no actor: they are plain tasks" if actor == NO_ACTOR else "that actor"
