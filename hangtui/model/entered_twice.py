"""Context managers of a package that one thread or task enters inside of one another."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId


@dataclass(frozen=True, slots=True)
class EnteredTwice:
    """A thread or task that waits where a package's context manager is entered, while it has
    entered another one of the same class itself, further out; or somebody else has."""

    thread: NodeId
    manager: str
    """Their class: ``Lock``."""
    entered: str
    """Where the other one was entered: ``main.py:24 (Pantry.take)``."""
    same: bool = False
    """It is one and the same object; else, another one that goes by the same name."""
    by: NodeId | None = None
    """Who has entered the other one; None: the same thread or task."""
