"""Pools of actors to which a library of a cluster gives pieces of work."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class ActorPool:
    """One that somebody waits for, by the library's own record."""

    pid: Pid
    name: str
    """What the library calls its actors: ``MapWorker(MapBatches(Scorer))``."""
    waiters: tuple[NodeId, ...]
    """Threads that wait for what it makes."""
    alive: int
    """Actors that work can be given to."""
    ended: tuple[NodeId, ...]
    """Actors that are counted as its own and have ended."""
    coming: int
    """Actors that are being started, or started anew."""
    queued: int
    """Pieces of work that no actor has been given yet."""
    by_taking: bool = False
    """Who has it gives out the next piece himself, once he has taken a result (``ray.util``)."""
