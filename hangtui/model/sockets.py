"""Sockets that a process has: what went over them last, and who watches or forgets them."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


def bracketed(host: str) -> str:
    """A host as it stands before a port: ``10.0.0.1``, ``[fd00::1]``."""
    return f"[{host}]" if ":" in host else host


@dataclass(frozen=True, slots=True)
class Ends:
    """Addresses of the two ends of a TCP connection: ``10.0.0.1:5672``, ``[fd00::1]:5672``."""

    local: str | None
    """Of the process that it is seen from; None: not known."""
    remote: str
    """Where it leads to."""

    @property
    def name(self) -> str:
        """What a person calls the connection."""
        return f"TCP connection to {self.remote}"

    def meets(self, other: "Ends") -> bool:
        """Whether *other* is the same connection, seen from its other end."""
        return (self.local, self.remote) == (other.remote, other.local)


@dataclass(frozen=True, slots=True)
class Traffic:
    """What went over a connection last, by the kernel's own clock."""

    sent_s: float | None
    """How many seconds ago its process sent data last; None: it never did."""
    received_s: float | None
    """How many seconds ago data came last; None: none ever came."""
    sent_last: bool | None
    """Whether data went out after the last that came in, so that an answer may be due. None: that
    is not known, as both were at the same moment, or neither ever was."""
    accepted: bool = False
    """Its process is the server: the other end asked for the connection."""
    unacknowledged: bool = False
    """What was sent had to be sent again, and the other machine has not even confirmed it."""
    unread: int = 0
    """Bytes that came, and that its process has not fetched yet."""
    unfetched: int = 0
    """Bytes that its process sent, and that the one at the other end, on this machine, has not
    fetched yet."""
    came: int | None = None
    """Bytes that have come since it was made; None: the kernel does not tell."""


UNIX = "Unix connection"
"""What a `Watched` of that kind is called: the kernel does not count what goes over it."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A connection that a thread watches along with other things, in poll, select or epoll: any of
    them wakes it, so that it waits for none of them alone."""

    thread: NodeId
    name: str
    """``TCP connection to 10.0.0.1:5672``, ``stdout pipe of process 12``."""
    traffic: Traffic | None = None
    peers: tuple[Pid, ...] = ()
    """PIDs of those that have its other end open; empty: nobody on this machine, or not known."""
    accepted: bool = True
    """False: nobody has accepted it yet, and these listen there."""
    heard_by: str = ""
    """``slixmpp's ClientXMPP``: the protocol that an event loop gives to what comes there; empty:
    one of asyncio's own, or not known."""
    ends: Ends | None = None
    """None: it is no connection of TCP."""

    def leads_to(self, address: str) -> bool:
        """Whether it is a TCP connection to *address*."""
        return self.ends is not None and self.ends.remote == address


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket which a thread watches along with other things, and that others may connect to."""

    thread: NodeId
    name: str
    """``TCP port 0.0.0.0:5555``."""
    clients: int
    """How many open connections lead to it."""


@dataclass(frozen=True, slots=True)
class Unconnected:
    """A process of several threads that has no open TCP connection, nor sockets of other kinds but
    pairs by which it wakes itself."""

    pid: Pid
    begun: tuple[str, ...] = ()
    """Whom it tries to connect to, and has no answer from: ``10.0.0.1:50051``."""
    pairs: bool = False
    """It has such pairs: Unix sockets that lead to each other."""


@dataclass(frozen=True, slots=True)
class Unattended:
    """A connection in which data lies unread, and which no thread of the process that has it reads
    from, asks about in poll, or watches with an event loop; all of them were asleep."""

    pid: Pid
    name: str
    """``TCP connection to 10.0.0.1:5672``."""
    descriptors: str
    """``fd 7``."""
    traffic: Traffic
    paused: str | None = None
    """The type of the protocol, if the transport of an event loop was told not to read for now."""
    disarmed: bool = False
    """It is registered with epoll, which was to tell of it once (EPOLLONESHOT), and has done so."""
    ends: Ends | None = None
