"""What threads wait for and hold: resources, waits and holds, by node id.

A node id names a thread, a process or a resource within one capture. Everything that refers to
one of them does so by its id, so that a wait may point into another process.
"""

from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Evidence


class NodeKind(StrEnum):
    """The kind of a node of the wait-for graph."""

    THREAD = "thread"
    PROCESS = "process"
    GIL = "gil"
    MUTEX = "mutex"
    RWLOCK = "rwlock"
    LOCK = "lock"
    RLOCK = "rlock"
    CONDITION = "condition"
    SEMAPHORE = "semaphore"
    IMPORT_LOCK = "import-lock"
    ONCE = "once"
    BARRIER = "barrier"
    STDIO = "stdio-lock"
    IO_LOCK = "io-lock"
    EVENT = "event"
    QUEUE = "queue"
    FUTURE = "future"
    TASK = "task"
    PIPE = "pipe"
    SOCKET = "socket"
    FILE_LOCK = "file-lock"
    FUTEX = "futex"

    # Enum's own is Python code, and rules look kinds up thousands of times.
    __hash__ = str.__hash__

    @property
    def is_resource(self) -> bool:
        """False for threads, processes and tasks: those act."""
        return self not in (NodeKind.THREAD, NodeKind.PROCESS, NodeKind.TASK)


def thread_id(pid: int, tid: int) -> str:
    """The node id of a thread; both numbers as the capturing host sees them."""
    return f"thread:{pid}:{tid}"


def process_id(pid: int) -> str:
    """The node id of a process."""
    return f"process:{pid}"


def resource_id(kind: NodeKind, pid: int, address: int) -> str:
    """The node id of a resource at *address* in the memory of process *pid*."""
    return f"{kind.value}:{pid}:{address:#x}"


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that a thread or task can wait for or hold."""

    id: str
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

    waiter: str
    """Node id of the waiting thread or task."""
    target: str
    """Node id of a resource, a thread (join), a process (waitpid) or a task (await)."""
    evidence: Evidence
    expires: bool = False
    """The wait has a timeout: it will give up by itself."""
    operation: str | None = None
    """How it wants the resource, where that matters: ``write`` or ``read`` for a rwlock."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A thread or task owns a resource."""

    resource: str
    holder: str
    """Node id of a thread or task; one that is not in the capture is not known: it may have ended
    or have been started since (see ``Resource.orphaned``)."""
    evidence: Evidence
