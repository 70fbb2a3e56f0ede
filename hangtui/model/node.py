"""Node ids: the only place where they are put together and taken apart.

A node id names a thread, a task, a greenlet, a process or a resource. Everything that refers to one
of them does so by its id, so that a wait may point into another process. As text, in JSON and in
files, it is ``KIND:PID``, ``KIND:PID:NAME`` or, for a node of another host than the capture's own,
``KIND@HOST:PID:NAME``. NAME is the TID of a thread, the address of a task, greenlet or resource,
and for what all processes share (PID 0) whatever the kernel tells it by.
"""

import re
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Self

from hangtui.model.pid import host_of, on, own

OF_THREAD = "thread-locals of "
"""How a place begins where one thread alone keeps things."""
SHARED = "shared by several: "
"""How a variable begins that several threads or tasks refer to."""


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
    GREENLET = "greenlet"
    PIPE = "pipe"
    SOCKET = "socket"
    FILE_LOCK = "file-lock"
    FUTEX = "futex"
    POOL = "pool"
    """What a library lends out: connections, channels, workers."""
    LIMITER = "limiter"
    """What lets only so many in at a time, and knows whom."""
    ACTOR = "actor"
    """An object of a cluster, in a process of its own, that answers one call after the other."""
    CALL = "call"
    """One call of a method of such an object, which one thread or task runs."""
    WORKER = "worker"
    """A process of a cluster that is to run a task, wherever its scheduler finds one."""

    # Enum's own is Python code, and rules look kinds up thousands of times.
    __hash__ = str.__hash__

    @property
    def is_resource(self) -> bool:
        """False for threads, processes, tasks and greenlets: those act."""
        return self not in _ACTORS


_ACTORS = frozenset({NodeKind.THREAD, NodeKind.PROCESS, NodeKind.TASK, NodeKind.GREENLET})
_KINDS = {kind.value: kind for kind in NodeKind}
_VALID = re.compile(r"[a-z-]{1,20}(@[!-9;-~]{1,64})?:\d{1,10}(:[!-~]{1,200})?")


class NodeId(str):
    """The id of a node. A subclass of str: ids are keys of dictionaries, and lines of JSON.

    It remembers its parts: rules ask for those of thousands of tasks again and again.
    """

    _known: "_Parts"

    __slots__ = ("_known",)

    def __getstate__(self) -> None:
        """Its text is all that it has."""

    @property
    def _parts(self) -> "_Parts":
        try:
            return self._known
        except AttributeError:
            self._known = _parts(self)
            return self._known

    @classmethod
    def of(cls, kind: NodeKind, pid: int, name: str = "", host: str = "") -> Self:
        """Put an id together. *host*: its name, which has no colon; empty: the capture's own."""
        place = f"@{host}" if (host := host or host_of(pid)) else ""
        number = own(pid)
        return cls(
            f"{kind.value}{place}:{number}:{name}" if name else f"{kind.value}{place}:{number}"
        )

    @property
    def kind(self) -> NodeKind:
        """What it names; FUTEX, which says least, where a stranger's capture has another word."""
        return self._parts.kind

    @property
    def host(self) -> str:
        """The host; empty: the capture's own."""
        return self._parts.host

    @property
    def pid(self) -> int:
        """The process that it belongs to; 0: all processes share it."""
        return self._parts.pid

    @property
    def name(self) -> str:
        """What tells it from others of its kind and process."""
        return self._parts.name

    @property
    def tid(self) -> int | None:
        """The thread's number; None: it is no thread."""
        kind, host, _, name, _ = self._parts
        return on(int(name), host) if kind is NodeKind.THREAD and name.isdecimal() else None

    @property
    def address(self) -> int | None:
        """Where it lies in the memory of its process; None: it is not told by that."""
        return self._parts.address

    @property
    def shared(self) -> bool:
        """Whether it belongs to no process alone, as a pipe or a lock in shared memory."""
        return not self.pid

    def on(self, host: str) -> Self:
        """The same as a node of *host*."""
        kind, _, pid, name, _ = self._parts
        return type(self).of(kind, pid, name, host)

    @property
    def valid(self) -> bool:
        """Whether the functions of this module could have made it."""
        if not _VALID.fullmatch(self):
            return False
        return bool(self.name) or self.kind is NodeKind.PROCESS


class _Parts(NamedTuple):
    kind: NodeKind
    host: str
    pid: int
    name: str
    address: int | None


@lru_cache(maxsize=2**14)
def _parts(node: str) -> _Parts:
    head, _, rest = node.partition(":")
    kind, _, host = head.partition("@")
    pid, _, name = rest.partition(":")
    number = on(int(pid), host) if pid.isdecimal() else 0
    address = None
    if number and name.startswith("0x"):
        with suppress(ValueError):
            address = int(name, 16)
    return _Parts(_KINDS.get(kind, NodeKind.FUTEX), host, number, name, address)


@lru_cache(maxsize=2**17, typed=True)  # rules ask for those of thousands of threads
def thread_id(pid: int, tid: int) -> NodeId:
    """The node id of a thread; both numbers as the capturing host sees them."""
    return NodeId.of(NodeKind.THREAD, pid, str(own(tid)))


def process_id(pid: int) -> NodeId:
    """The node id of a process."""
    return NodeId.of(NodeKind.PROCESS, pid)


def task_id(pid: int, address: int) -> NodeId:
    """The node id of a task of asyncio."""
    return resource_id(NodeKind.TASK, pid, address)


def greenlet_id(pid: int, address: int) -> NodeId:
    """The node id of a greenlet."""
    return resource_id(NodeKind.GREENLET, pid, address)


@lru_cache(maxsize=2**17, typed=True)  # and for those of thousands of tasks
def resource_id(kind: NodeKind, pid: int, address: int) -> NodeId:
    """The node id of a resource at *address* in the memory of process *pid*."""
    return NodeId.of(kind, pid, f"{address:#x}")


def shared_id(kind: NodeKind, name: str) -> NodeId:
    """The node id of what all processes share, which *name* tells from others of its kind."""
    return NodeId.of(kind, 0, name)
