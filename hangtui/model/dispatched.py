"""Waits in an object of a package, below a loop of that very object which takes what comes."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId


@dataclass(frozen=True, slots=True)
class Dispatched:
    """A thread or task that waits in an object of a package, and that a loop of the same object has
    come from: one which takes message after message, and has called the application for one."""

    waiter: NodeId
    package: str
    called: str
    """The application's function: ``bar.py:14 (Barkeeper.on_message)``."""
    loop: str
    """The package's: ``client.py:412 (Client.handle_forever)``."""
    alone: bool
    """Nobody else is seen where that object takes what comes."""
