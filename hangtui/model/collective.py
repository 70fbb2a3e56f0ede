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
    """Those of the group; empty: not known. Of number 0: some ranks of the job."""
    number: int
    """The how-manieth of its group it is, from 1: all ranks have to call the same ones in order.
    Of a message: of those of this rank. 0: it is none, and says that the record of this rank was
    read, with all that the rank has called."""
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
    is_new: bool = False
    """It had been called less than five seconds before its record was written, as far as the file's
    time tells: that it was not done then is no wait."""

    @property
    def waits(self) -> bool:
        """Whether its rank waits in it."""
        return not self.done and not self.is_new
