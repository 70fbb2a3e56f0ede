"""Process groups of torch that are being made: who has come, and who would come; and what ranks
wait for of each other."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class Joining:
    """A thread that waits in a call that makes a process group or its store, or that comes to such
    a call once it goes on."""

    thread: NodeId
    here: bool
    """Whether it is in the call."""
    call: str
    """``ProcessGroupGloo``, ``TCPStore``, ``init_process_group``."""
    line: str
    """Where the application's own line stands that makes the call, or calls what makes it."""
    function: str | None = None
    """Of one that would come to it: the application's function that it would call there."""
    store: str | None = None
    """The address of the group's store, as the call names it: ``127.0.0.1:4711``."""
    rank: int | None = None
    """Its number in the group."""
    size: int | None = None
    """How many have to come."""
    opens: bool | None = None
    """Of the call that makes a store: whether it opens it for the others."""
    called: tuple[NodeId, ...] = ()
    """Actors to whose results the functions that lead to the call have references: these may have
    been asked to join, too."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A process that has ended, and whose status the launcher of ranks that started it has
    fetched: the kernel knows nothing of it any more."""

    parent: Pid
    """The launcher, which may be a rank itself."""
    pid: Pid
    """The number that it had, as its parent knows it."""
    exit_status: int
    """As ``Popen.returncode`` has it; -9: by signal 9."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A thread of a rank that waits until a message to another rank, or from it, is through, or
    until all of a group have taken part in an operation."""

    thread: NodeId
    operation: str
    """``send`` or ``recv``; or ``broadcast``, ``all_reduce``, ..."""
    peer: int | None
    """The number of the other rank, or of the root; None: not known, any, or there is none."""
    tag: int | None
    """What both halves of a message have in common; None: not known."""
    group: str | None = None
    """The name of the process group in which that is, which all its ranks call it alike."""
    members: tuple[int, ...] = ()
    """The numbers of the ranks of that group; none: not known."""


@dataclass(frozen=True, slots=True)
class MessageSenders:
    """Functions of the program that would send a message of ZeroMQ, or over a ring in shared
    memory, in a process with a thread that waits to receive one."""

    pid: Pid
    places: tuple[str, ...]
    """Those that no thread was inside of: ``Server.answer (server.py:24)``."""


@dataclass(frozen=True, slots=True)
class StoreKeys:
    """What a thread has given to a call of a store of torch, in which a job's processes leave each
    other notes."""

    thread: NodeId
    keys: tuple[str, ...]
    """Names of keys, as the call has them: behind the prefixes of its group's store."""
