"""Context managers of a package that one thread or task enters inside of one another."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId


@dataclass(frozen=True, slots=True)
class EnteredTwice:
    """A thread or task that waits where a package's context manager is entered, inside of another
    one of the same class that it has entered itself, further out."""

    thread: NodeId
    manager: str
    """Their class: ``Lock``."""
    entered: str
    """Where it entered the other one: ``main.py:24 (Pantry.take)``."""
    same: bool = False
    """It is one and the same object; else, another one that goes by the same name."""
