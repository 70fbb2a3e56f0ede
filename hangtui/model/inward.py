"""A thread that sleeps at what it has open, of which it is known who could wake it through that."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class Inward:
    """A thread in read, accept, poll, select or epoll. Of each pipe, socket, eventfd and child that
    would wake it all are known who have its other end."""

    thread: NodeId
    ends: tuple[Pid, ...]
    """Their PIDs, with its own if its process has such an end, too."""
    accepts: tuple[str, ...] = ()
    """The sockets among them to which somebody new may connect: ``TCP port 0.0.0.0:5555``."""
