"""Which error a thread or task is handling while it waits."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId


@dataclass(frozen=True, slots=True)
class Handled:
    """The interpreter records it: the code that waits was called by an ``except``, a ``finally`` or
    the end of a ``with``, and nobody has seen the error yet if that is to raise it again."""

    actor: NodeId
    error: str
    """Its type: ``sqlite3.OperationalError``; not what it says."""
    where: str | None
    """``file:line (function)`` where it was raised, as near as that is to the application."""
    inner: bool
    """It was raised by C code, or by the frame itself that handles it."""
    peer: str | None = None
    """``127.0.0.1:8080``, whom it names as not to be reached; of what it says nothing else."""
    cause: str | None = None
    """The type of the system's own error that led to it: ``ConnectionRefusedError``."""
    file: str | None = None
    """``/tmp/box.lock``, of which a `FileExistsError` says that it is there already."""
