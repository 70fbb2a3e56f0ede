"""Collective operations and messages as the flight recorders of a job's ranks have them."""

from hangtui.dataclass import dataclass
from hangtui.model.frame import PythonFrame


@dataclass(frozen=True, slots=True)
class Collective:
    """One operation that a rank called."""

    rank: int
    group: str
    """The process group: ``default_pg``."""
    ranks: tuple[int, ...]
    """Those of the group; empty: not known."""
    number: int
    """The how-manieth of its group it is, from 1: all ranks have to call the same ones in order.
    Of a message: of those of this rank."""
    operation: str
    """``all_reduce``."""
    shape: str
    """Of what each rank brings: ``Float [8]``."""
    done: bool
    stack: tuple[PythonFrame, ...] = ()
    """Who called it, innermost first."""
    file: str = ""
    """Where it was read."""
    peer: int | None = None
    """Of a message: the other rank. It is no collective operation then: ``send``, ``recv``."""
