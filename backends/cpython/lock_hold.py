"""That one thread holds one Python lock, and how surely that is known."""

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.locks import Lock
from hangtui.dataclass import dataclass
from hangtui.model import Certainty


@dataclass(frozen=True, slots=True)
class LockHold:
    """One thread's hold of one lock."""

    lock: Lock
    tid: int
    certainty: Certainty
    text: str
    frame: Frame | None = None
    """The frame that took it, where that is known."""
    line: int | None = None
    """The line that took it."""

    @property
    def where(self) -> str | None:
        """``file:line`` where it was taken."""
        if self.frame is None:
            return None
        name = self.frame.code.filename.rsplit("/", 1)[-1]
        return f"{name}:{self.line or self.frame.line}"


def recorded(lock: Lock, tid: int, frame: Frame | None = None, line: int | None = None) -> LockHold:
    """The hold of a lock that records *tid* as its owner."""
    text = "the RLock records it as its owner"
    return LockHold(lock, tid, Certainty.CERTAIN, text, frame, line)


def distinct(holds: list[LockHold]) -> list[LockHold]:
    """One hold per thread and lock: the best known, and among those the outermost, which took it.

    Holds come innermost first, so the last of the best known wins.
    """
    best: dict[tuple[int, int], LockHold] = {}
    for hold in holds:
        key = (hold.tid, hold.lock.address)
        if key not in best or hold.certainty.rank <= best[key].certainty.rank:
            best[key] = hold
    return list(best.values())
