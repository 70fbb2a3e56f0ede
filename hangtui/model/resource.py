"""What threads wait for and hold: resources, waits and holds, by node id."""

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Evidence
from hangtui.model.node import NodeId, NodeKind


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that a thread or task can wait for or hold."""

    id: NodeId
    kind: NodeKind
    label: str
    """What a person calls it: ``Account.lock (threading.Lock)``, ``rwlock in libcuda.so``."""
    pid: int
    address: int
    module: str | None = None
    """Path of the native module whose lock this is, where it has one."""
    note: str | None = None
    """What is known of it beyond its owner: ``held by 2 readers, which glibc does not record``."""
    orphaned: bool = False
    """Its owner was seen to have ended with it: the lock named an owner before and after the
    threads of the process were listed without that one. A holder that is merely in no list is not
    known, and may be alive."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread or task cannot go on until *target* lets it."""

    waiter: NodeId
    """Node id of the waiting thread or task."""
    target: NodeId
    """Node id of a resource, a thread (join), a process (waitpid) or a task (await)."""
    evidence: Evidence
    expires: bool = False
    """The wait has a timeout: it will give up by itself."""
    operation: str | None = None
    """How it wants the resource, where that matters: ``write`` or ``read`` for a rwlock."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A thread or task owns a resource."""

    resource: NodeId
    holder: NodeId
    """Node id of a thread or task; one that is not in the capture is not known: it may have ended
    or have been started since (see ``Resource.orphaned``)."""
    evidence: Evidence
