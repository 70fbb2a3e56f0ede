"""Remote calls of torch (``torch.distributed.rpc``) that have not returned."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class RemoteCall:
    """A thread that waits for the answer of one."""

    thread: NodeId
    to: str
    """The worker that has to answer, as the call names it."""
    function: str
    """What is to run there."""
    line: str
    """Where the application's own line stands."""
    expires: bool = True
    """Whether it gives up by itself."""


@dataclass(frozen=True, slots=True)
class RpcWorker:
    """A process that makes or runs such calls."""

    pid: Pid
    name: str | None
    """What the others call it, as it says itself; None: it is in no function that has that."""
    names: tuple[str, ...]
    """Those of all workers of its job."""
