"""Database files that several connections use at once."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class DatabaseLock:
    """A lock that SQLite has on a database file, in the kernel's list of locks."""

    path: str
    """The database file, also where the lock is on a file that belongs to it."""
    pid: Pid
    """The process that has it. Which of its connections has it, the kernel does not know."""
    writes: bool
    """It is a writer's: RESERVED, PENDING, EXCLUSIVE, or the write lock of a WAL."""
    users: tuple[Pid, ...] = ()
    """PIDs of the captured processes that have the file open."""


@dataclass(frozen=True, slots=True)
class DatabaseUse:
    """A thread that has a connection of ``sqlite3`` in a variable."""

    thread: NodeId
    where: str
    """``file:line`` of the frame, which is where it stands."""
    name: str
    """The variable."""
    only_copies: bool = False
    """It is in ``Connection.backup()``, which was given nothing but the target: it calls nothing of
    the program's between two tries."""


@dataclass(frozen=True, slots=True)
class DatabaseKept:
    """A global variable that leads to a connection of ``sqlite3`` which no frame has."""

    pid: Pid
    name: str
    """``session (main.py)``."""


@dataclass(frozen=True, slots=True)
class DatabaseSession:
    """One session of a PostgreSQL server of this machine, as its process says in its title."""

    server: Pid
    """PID of the server's first process."""
    pid: Pid
    database: str
    activity: str
    """``idle in transaction``, ``UPDATE waiting``."""
    client: Pid | None = None
    """PID of the process that has its other end; None: not known, or on another machine."""
    fd: int | None = None
    """The client's descriptor."""
    waiters: tuple[NodeId, ...] = ()
    """Threads and tasks that wait for it."""
    stopped: bool = False
    """A signal keeps it from running."""

    @property
    def works(self) -> bool:
        """Whether it executes a statement, as far as its title tells: neither its client nor a lock
        keeps it waiting. COPY may do either."""
        rests = self.activity.startswith(("idle", "COPY", "authentication", "startup"))
        return not (self.stopped or self.waits or rests)

    @property
    def copies(self) -> bool:
        """Whether it is in a COPY: at work, or waiting for its client."""
        return self.activity.startswith("COPY") and not (self.waits or self.stopped)

    @property
    def waits(self) -> bool:
        """Whether it waits for a lock of the database."""
        return self.activity.endswith(" waiting")

    @property
    def rests_in_transaction(self) -> bool:
        """Whether its client has begun a transaction and asks for nothing now: it keeps its locks
        until that ends."""
        return self.activity.startswith("idle in transaction")
