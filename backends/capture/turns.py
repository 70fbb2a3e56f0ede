"""How much of our time one process may cost, and what is said when it wanted more.

Where many are read, a process that takes long must not cost the others theirs: each gets a first
turn, and whoever needs more gets it when all others have had theirs.
"""

from hangtui.dataclass import dataclass
from hangtui.model import Notice, Source

LIST_PATIENCE_S = 2.0
"""For how long the files of /proc may keep us waiting, in seconds: they do so only where a process
keeps its own memory map locked."""
GUARD_PATIENCE_S = 25.0
"""The guard has 20 s for itself."""
GDB_PATIENCE_S = 120.0
"""gdb has 60 s, and what writes the core file before as long as it takes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one step may cost."""

    patience_s: float
    """How long it may wait."""
    processor_s: float
    """How long it may compute."""


@dataclass(slots=True)
class Turns:
    """What the steps of one capture may cost, in seconds."""

    many: bool
    """Several processes are read."""
    all: bool = False
    """Those that nobody asked for by name: the list must not wait for a few of them."""
    _left_s: float = 1.0
    """What is left for the last turns of all of those."""

    @property
    def patience_s(self) -> float:
        """How long one process may keep us waiting."""
        return 2.0 if self.many else 10.0

    @property
    def pyspy_s(self) -> float:
        """How long py-spy may take."""
        return 2.0 if self.many else 10.0

    def listing(self) -> Turn:
        """To read what the kernel says of a process: 4,000 threads take 0.5 s."""
        return Turn(LIST_PATIENCE_S, 3.0 if self.many else 10.0)

    def first(self, threads: int) -> Turn:
        """To read its memory at first: ordinary ones take some 20 ms, and 0.5 ms per thread."""
        return Turn(self.patience_s, 0.3 + 0.002 * threads) if self.many else self.rest(threads)

    def rest(self, threads: int) -> Turn:
        """To read its memory when all others have been read."""
        if self.all:
            part = min(self._left_s / 2, 0.5)
            self._left_s -= part
            return Turn(self.patience_s, max(part, 0.02))
        return Turn(self.patience_s, (2.0 if self.many else 10.0) + 0.01 * threads)

    def step(self, threads: int) -> Turn:
        """To find names, to watch on and to conclude; py-spy may be asked in it."""
        if self.all:
            return Turn(self.patience_s + self.pyspy_s, 1.0 + 0.005 * threads)
        return Turn(self.patience_s + self.pyspy_s, (3.0 if self.many else 10.0) + 0.01 * threads)


def not_read(pid: int, reason: str) -> Notice:
    """A process of which nothing but its state is known."""
    message = f"process {pid} is not read: {reason}"
    return Notice(Source.PROCFS, message, f"hangtui dump --native none {pid}", pid)


def took_long(pid: int, what: str, turn: Turn) -> Notice:
    """A process that took more than its turn."""
    message = f"process {pid}: {what} takes more than {turn.processor_s:.1f} s of processor time"
    return Notice(Source.PROCFS, message, f"hangtui dump {pid}   (alone it has more time)", pid)
