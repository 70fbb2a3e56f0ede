"""Which thread holds which Python lock.

A reentrant lock records its owner. A plain lock does not; that a thread holds it follows from the
``with`` block it is inside of, as long as nothing contradicts it: the lock must be locked, no
other thread may be inside a ``with`` on it, and the block's function must not be able to release
it early.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.model import Certainty, NodeKind


@dataclass(frozen=True, slots=True)
class LockHold:
    """One thread's hold of one lock."""

    lock: Lock
    tid: int
    certainty: Certainty
    text: str
    frame: Frame | None
    """The frame whose ``with`` took it, where that is known."""
    line: int | None
    """Line of the ``with``."""

    @property
    def where(self) -> str | None:
        """``file:line`` where it was taken."""
        if self.frame is None:
            return None
        name = self.frame.code.filename.rsplit("/", 1)[-1]
        return f"{name}:{self.line or self.frame.line}"


@dataclass(frozen=True, slots=True)
class _Claim:
    lock: Lock
    tid: int
    frame: Frame
    line: int | None


class Ownership:
    """Finds the holds of one process's Python threads."""

    def __init__(self, frames: Frames, locks: Locks, blocks: WithBlocks) -> None:
        self._frames = frames
        self._locks = locks
        self._blocks = blocks

    def holds(
        self, stacks: Mapping[int, tuple[Frame, ...]], idents: Mapping[int, int]
    ) -> list[LockHold]:
        """All holds. *stacks*: frames by TID; *idents*: TID by ``Thread.ident``."""
        claims = [claim for tid, frames in stacks.items() for claim in self._claims(tid, frames)]
        plain = [self._plain(claim, claims) for claim in claims if not _records_owner(claim.lock)]
        return _distinct([hold for hold in plain if hold] + self._reentrant(claims, idents))

    def _claims(self, tid: int, frames: tuple[Frame, ...]) -> list[_Claim]:
        released = self._released_by_waiting(frames)
        claims = []
        for frame in frames:
            for block in self._blocks.of(frame):
                lock = self._locks.behind(block.manager)
                if lock is not None and lock.address not in released:
                    claims.append(_Claim(lock, tid, frame, block.line))
        return claims

    def _released_by_waiting(self, frames: tuple[Frame, ...]) -> set[int]:
        """Locks that ``Condition.wait`` gave back for as long as it waits."""
        released = set()
        for frame in frames:
            name = frame.code.function.rsplit(".", 1)[-1]
            if name != "wait" or not frame.code.filename.endswith("threading.py"):
                continue
            condition = self._frames.variables(frame).get("self")
            lock = self._locks.behind(condition) if condition else None
            if lock is not None:
                released.add(lock.address)
        return released

    def _plain(self, claim: _Claim, claims: list[_Claim]) -> LockHold | None:
        lock = claim.lock
        if not lock.locked:
            return None
        rivals = {other.tid for other in claims if other.lock.address == lock.address}
        text = f"it is inside `with` on the lock in {claim.frame.code.function}"
        certainty = Certainty.PROVEN
        if len(rivals) > 1:
            certainty = Certainty.INFERRED
            text = f"{text}, but so are {len(rivals) - 1} other thread(s)"
        elif "release" in claim.frame.code.names:
            certainty = Certainty.INFERRED
            text = f"{text}, but that function also calls release()"
        return LockHold(lock, claim.tid, certainty, text, claim.frame, claim.line)

    def _reentrant(self, claims: list[_Claim], idents: Mapping[int, int]) -> list[LockHold]:
        """Holds of locks that record their owner, as far as a thread is in a ``with`` on one."""
        return [
            _recorded(claim.lock, claim.tid, claim.frame, claim.line)
            for claim in claims
            if _records_owner(claim.lock) and idents.get(claim.lock.owner) == claim.tid
        ]

    def recorded(self, lock: Lock, idents: Mapping[int, int]) -> LockHold | None:
        """The hold that an awaited reentrant lock itself records, however it was taken."""
        tid = idents.get(lock.owner)
        if not _records_owner(lock) or tid is None:
            return None
        return _recorded(lock, tid, None, None)


def _recorded(lock: Lock, tid: int, frame: Frame | None, line: int | None) -> LockHold:
    text = "the RLock records this thread as its owner"
    return LockHold(lock, tid, Certainty.CERTAIN, text, frame, line)


def _records_owner(lock: Lock) -> bool:
    return lock.kind is NodeKind.RLOCK


def _distinct(holds: list[LockHold]) -> list[LockHold]:
    """One hold per thread and lock: the outermost ``with``, which took it first.

    Claims come innermost frame first, so the last one wins.
    """
    return list({(hold.tid, hold.lock.address): hold for hold in holds}.values())
