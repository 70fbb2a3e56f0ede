"""Who has the other end of a connection at which a task waits."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class FarEnd:
    """A task that waits for data over a connection whose other end one captured process alone has
    open. The event loops at both ends may be woken by much else, so this is no wait of the graph:
    no cycle leads over it."""

    task: NodeId
    name: str
    """``Unix socket to process 12 (engine)``."""
    pid: Pid
    users: tuple[NodeId, ...] = ()
    """The tasks and threads there that have it in hand; empty: that is not known."""
    expires: bool = False
    """The clock may end the wait."""
    paused: str | None = None
    """The type of the protocol there, if the transport of its event loop was told not to read from
    the connection for now."""
