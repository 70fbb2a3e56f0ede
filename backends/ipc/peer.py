"""What is known of one captured process when its waits are related to other processes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.servants import serves_a_device
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs import life
from hangtui.backends.procfs.files import PROC, numbers
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeId, NodeKind, Process, Thread, thread_id

_FUTEX_PRIVATE = 0x80
"""FUTEX_PRIVATE_FLAG of linux/futex.h."""
_DEAD = frozenset("ZX")


@dataclass(frozen=True, slots=True)
class SharedLock:
    """What one process knows of a lock or semaphore that it shares with others."""

    word: int
    """Address in this process's memory."""
    kind: NodeKind
    label: str
    free: bool
    taken: int
    """How much more often this process took it than it gave it back; it can be less than zero."""
    last: int | None
    """TID of the thread of this process that took it last, if *taken* is more than zero."""
    units: int | None
    """How many may have it at once, where that is limited."""
    entered: tuple[tuple[int, str | None, Certainty], ...] = ()
    """TIDs whose frames show that they took it, each with ``file:line``; proven inside ``with``."""
    named: bool = False
    """Any process may come to share it by its name, so that these have to be looked for."""


@dataclass(frozen=True, slots=True)
class ProxyLock:
    """A lock of a manager of multiprocessing that a thread has taken through a proxy."""

    tid: int
    address: int
    """In the manager's memory."""
    path: str
    """Of the socket that the manager listens at."""
    place: str
    """``file:line`` of the ``with``."""
    function: str


@dataclass(frozen=True, slots=True)
class PolledFile:
    """A thread that sleeps, and asks for a lock file again when it wakes up."""

    tid: int
    paths: tuple[str, ...]
    """That the variables of the frames which ask name: the file is one of them, or none."""
    asks: frozenset[str]
    """By what: ``flock``, ``lockf``, ``O_EXCL``, ``mkdir``, ``link``, ``symlink``."""
    place: str
    """``file:line`` of the application."""
    unlimited: bool = False
    """What asks was given no timeout."""
    descriptors: tuple[int, ...] = ()
    """Of files that these variables have open, or numbers that may be such."""


@dataclass(frozen=True, slots=True)
class PolledProcess:
    """A thread that sleeps, and asks whether a process is there when it wakes up."""

    tid: int
    number: int
    """Of the process, as the thread's own numbers it."""
    expires: bool


@dataclass(frozen=True, slots=True)
class FileUse:
    """A thread that is inside of a ``with`` whose manager names a file."""

    tid: int
    path: str
    place: str
    """``file:line`` of the application."""
    function: str


@dataclass(frozen=True, slots=True)
class TaskStream:
    """A task that waits for who has the other end of a connection."""

    task: NodeId
    tid: int
    """The thread of its event loop."""
    fd: int
    operation: str
    """``receive`` or ``send``."""
    expires: bool
    text: str
    place: str | None
    """``file:line`` of the application."""
    beside: bool = False
    """It waits in a library for a future or an event, with the connection in hand."""


class FileUsers(Protocol):
    """What the frames of one process tell of lock files."""

    def polled(self) -> Sequence[PolledFile]:
        """Who polls for one."""

    def uses(self, paths: Collection[str]) -> Sequence[FileUse]:
        """Who may have those with these paths."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A captured process."""

    process: Process
    memory: Memory
    asleep: Mapping[int, BlockedThread]
    """By TID: the threads that slept in the kernel, and where."""
    gil_waiters: frozenset[int]
    """TIDs. They wake every few milliseconds to ask for the GIL again."""
    place: Callable[[int], str | None]
    """``file:line`` of a thread's innermost Python frame."""
    shared_locks: Callable[[], Sequence[SharedLock]] = tuple
    """Finds the locks of its ``multiprocessing``."""
    file_users: FileUsers | None = None
    """None: its frames are not read."""
    socket_users: Callable[[Collection[int], Collection[int]], frozenset[int] | None] | None = None
    """Finds the TIDs of those who have one of these descriptors in hand; None: that is not known of
    all of the latter TIDs."""
    pipe_users: Callable[[Collection[int], Collection[int]], frozenset[int] | None] | None = None
    """The same of pipes, which a variable keeps open, used or not."""
    decrypts: Callable[[int, int], bool] = lambda *_: False
    """Whether the thread with this TID has a socket of TLS of this descriptor in hand."""
    streams: Callable[[], Sequence[TaskStream]] = tuple
    """Finds the waits of its tasks for other ends of connections."""
    stream_users: Callable[[Collection[int]], frozenset[NodeId]] = lambda _: frozenset()
    """Finds the tasks that have one of these descriptors in hand."""
    paused: Callable[[], Mapping[int, str]] = dict
    """Finds the descriptors of connections that an event loop does not read from for now, each with
    the type of its protocol."""
    hearers: Callable[[Collection[int]], Mapping[int, str]] = lambda _: {}
    """Finds the protocols to which event loops give what comes at these descriptors."""
    descriptors: Mapping[NodeId, int] = field(default_factory=dict)
    """The tasks that wait for a file descriptor, and which."""
    sentinels: Callable[[], Mapping[int, int]] = dict
    """Finds the descriptors that tell it of the ends of children, and which, as it numbers them."""
    asks_fork_server: Callable[[int], bool] = lambda _: False
    """Whether a thread of it waits for what multiprocessing's fork server answers."""
    unflushed: Callable[[Collection[int]], int] = lambda _: 0
    """How many bytes it has written to files of these descriptors, and not flushed."""
    polled_processes: Callable[[], Sequence[PolledProcess]] = tuple
    """Finds who asks again and again whether a process is still there."""
    proxy_locks: Callable[[], Sequence[ProxyLock]] = tuple
    """Finds who is inside of a ``with`` on a proxy of a manager's lock."""
    bystanders: Callable[[], Collection[int]] = tuple
    """Finds the TIDs of those who do nothing for any other thread."""

    @property
    def pid(self) -> int:
        """As the capturing host numbers it."""
        return self.process.pid

    def able(self) -> tuple[int, ...]:
        """The threads that something out of this process, or the clock, can set going.

        All others sleep on words that only a thread of the same process wakes, without a timeout:
        as long as none of the threads returned here goes on, they do not either. Or they are
        bystanders.
        """
        # Also those that were started since the process was read: they are not known to rest.
        tids = dict.fromkeys([*(thread.tid for thread in self.process.threads), *_tids(self.pid)])
        servants = {t.tid for t in self.process.threads if serves_a_device(t)}
        bystanders = servants.union(self.bystanders())
        return tuple(tid for tid in tids if tid not in bystanders and not self._rests(tid))

    def _rests(self, tid: int) -> bool:
        state = life.thread_state(self.pid, tid)
        if state in _DEAD:
            return True
        where = self.asleep.get(tid)
        call = where.futex if where else None
        # A stopped thread may have been given what it waited for, and goes on when it is resumed.
        return (
            state not in relatives.STOPPED
            and call is not None
            and bool(call.operation & _FUTEX_PRIVATE)
            and not call.expires
        )


def _tids(pid: int) -> list[int]:
    try:
        return numbers(PROC / str(pid) / "task")
    except OSError:
        return []


@dataclass(frozen=True, slots=True)
class Sleeper:
    """A captured thread that is asleep in a system call."""

    peer: Peer
    tid: int
    where: BlockedThread

    @property
    def pid(self) -> int:
        """Of its process."""
        return self.peer.pid

    @property
    def node(self) -> NodeId:
        """The node id."""
        return thread_id(self.peer.pid, self.tid)

    @property
    def stopped(self) -> bool:
        """Whether it is stopped: its last system call may be over although it is still shown."""
        return life.thread_state(self.pid, self.tid) in relatives.STOPPED

    @property
    def thread(self) -> Thread | None:
        """What else is known of it."""
        return next((t for t in self.peer.process.threads if t.tid == self.tid), None)

    @property
    def place(self) -> str | None:
        """``file:line`` where it sleeps."""
        return self.peer.place(self.tid)
