"""Work that lies in a queue while all threads that take from it are inside of earlier work."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class WorkerQueue:
    """A queue with items in it. Each thread whose code takes from it again, once it goes on, waits
    for something else, below that code and without a timeout, or looks again and again for what
    only code changes that nobody runs."""

    pid: Pid
    name: str
    """As the code that takes from it spells it: ``self.queue``."""
    taken_in: str
    """The function and its line: ``WorkerThread.run (util.py:91)``."""
    items: int
    takers: tuple[NodeId, ...]
    work: tuple[str, ...] = ()
    """Functions of the program that its items lead to: ``Office.load_rates``."""
    ends: bool = False
    """One of its items is a call of what a taker waits for: ``ready.set``."""
    unwoken: bool = False
    """The takers are inside of no earlier work, and no wait is known but what they hear: each comes
    to the queue once something wakes it there. What somebody waits for belongs to one of the
    items."""
    may_end: tuple[str, ...] = ()
    """Functions of the program to which its items come, and that do to something of what they are
    methods of what would end a wait of a taker, if that is it: ``Counter.bring``."""
