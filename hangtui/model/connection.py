"""Ends of TCP connections, so that the two ends of one can be found in different captures."""

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Certainty
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid
from hangtui.model.sockets import Traffic


@dataclass(frozen=True, slots=True)
class Network:
    """A network namespace that captured processes are in."""

    id: str
    """What tells it from all others, also from those of other machines."""
    addresses: tuple[str, ...]
    """Its own ones, without those that every machine has for itself: ``10.0.0.1``."""


@dataclass(frozen=True, slots=True)
class TcpEnd:
    """One end of an open connection that a process has, or has yet to accept, and whose other end
    no process has that was captured with it."""

    socket: NodeId
    """The resource that a thread waits for if it waits for the other end."""
    pid: Pid
    network: str
    local: str
    """``10.0.0.1:5672``, ``[fd00::1]:5672``."""
    remote: str
    complete: Certainty
    """How sure it is that all processes that have it are known."""
    descriptors: str
    """``fd 7``."""
    able: tuple[NodeId, ...] | None
    """The threads that could come to act on it, and so end what the other end waits for. Empty:
    none of its process can act. None: that is not known."""
    users: tuple[NodeId, ...] = ()
    """The threads that have it in hand, as their frames show."""
    accepted: bool = True
    """False: the process listens, and has not taken the connection."""
    traffic: Traffic | None = None
    seen_at: float | None = None
    """When it was looked at: seconds since 1970, by the clock of its machine."""
