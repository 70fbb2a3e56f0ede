"""Which thread holds which Python lock.

A reentrant lock records its owner. A plain lock does not; that a thread holds it follows from the
``with`` block it is inside of, as long as nothing contradicts it: the lock must be locked, no
other thread may be inside a ``with`` on it, and neither the block's function nor what it called may
have been able to release it early. Where no ``with`` says anything, the bytecode of ``acquire()``
and ``release()`` may still give a hint.

That a thread holds the very lock that it waits for is said only if there is no better reading: it
may have given the lock back and be about to take it again, or wait for another thread to release
it, as where a lock is used for a signal.
"""

from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.hints import Hints
from hangtui.backends.cpython.lock_hold import LockHold, distinct, recorded
from hangtui.backends.cpython.locks import Lock
from hangtui.backends.cpython.managers import Managers
from hangtui.backends.cpython.queue_writers import QueueWriters
from hangtui.backends.cpython.traces import Traces
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind


@dataclass(frozen=True, slots=True)
class _Claim:
    lock: Lock
    tid: int
    frame: Frame
    line: int | None
    via: str
    sure: bool
    called: tuple[Frame, ...]
    """The frame and those that it called, innermost first."""


class Ownership:
    """Finds the holds of one process's Python threads."""

    def __init__(
        self, frames: Frames, managers: Managers, blocks: WithBlocks, traces: Traces
    ) -> None:
        self._managers = managers
        self._blocks = blocks
        self._traces = traces
        self._hints = Hints(frames, managers, traces)
        self._writers = QueueWriters(frames, managers)

    @property
    def kept(self) -> Mapping[int, str]:
        """By the address of a lock, which generator has it, in words; found with the holds."""
        return self._hints.kept

    def holds(
        self,
        stacks: Mapping[int, tuple[Frame, ...]],
        idents: Mapping[int, int],
        awaited: Mapping[int, Lock],
    ) -> list[LockHold]:
        """All holds that can be told.

        *stacks*: frames by TID; *idents*: TID by ``Thread.ident``; *awaited*: the lock that each
        waiting TID wants.
        """
        wanted = {tid: lock.address for tid, lock in awaited.items()}
        claims = [claim for tid, frames in stacks.items() for claim in self._claims(tid, frames)]
        claims = self._without_waiters(claims, wanted)
        takers: dict[int, list[int]] = {}
        for claim in claims:
            takers.setdefault(claim.lock.address, []).append(claim.tid)
        rivals = {address: len(set(tids)) for address, tids in takers.items()}
        counts = {address: len(tids) for address, tids in takers.items()}
        found = [
            hold for claim in claims if (hold := self._hold(claim, rivals, counts, idents, wanted))
        ]
        known = {hold.lock.address for hold in found if hold.certainty.supports_claim}
        for lock in {lock.address: lock for lock in awaited.values()}.values():
            if lock.address in known:
                continue
            if lock.records_owner:
                tid = idents.get(lock.owner)
                found += [recorded(lock, tid)] if tid is not None else []
            elif lock.kind is NodeKind.LOCK and lock.locked:
                found += self._hints.believed(lock, stacks, wanted)
            elif lock.kind is NodeKind.SEMAPHORE and not any(
                hold.lock.address == lock.address for hold in found
            ):
                found += self._hints.units(lock, stacks, wanted)
        return distinct(found)

    def entered(self, lock: Lock, stacks: Mapping[int, tuple[Frame, ...]]) -> list[LockHold]:
        """The threads among *stacks* whose frames show that they took *lock*, and where."""
        claims = [claim for tid, frames in stacks.items() for claim in self._claims(tid, frames)]
        found = [
            LockHold(lock, claim.tid, Certainty.PROVEN, _inside(claim), claim.frame, claim.line)
            for claim in claims
            if claim.lock.address == lock.address and claim.sure
        ]
        hints = self._hints.hinted(lock, stacks)
        writing = self._writers.having(lock, stacks, {hint.tid: hint.line for hint in hints})
        return distinct([*hints, *found, *writing])

    # -- by with blocks -------------------------------------------------------------------------

    def _claims(self, tid: int, frames: tuple[Frame, ...]) -> Iterator[_Claim]:
        released = self._managers.released_by_waiting(frames)
        for depth, frame in enumerate(frames):
            for block in reversed(self._blocks.of(frame)):
                for entered in self._managers.locks(block.manager, block.exit_method):
                    lock = entered.lock
                    if lock.address not in released:
                        called = frames[: depth + 1]
                        yield _Claim(
                            lock, tid, frame, block.line, entered.via, entered.sure, called
                        )

    def _without_waiters(self, claims: list[_Claim], wanted: Mapping[int, int]) -> list[_Claim]:
        """*claims* without those of a thread on the plain lock that it waits for, where it may
        have given that back, or another thread is seen to have it."""
        takers: dict[int, set[int]] = {}
        for claim in claims:
            takers.setdefault(claim.lock.address, set()).add(claim.tid)
        return [
            claim
            for claim in claims
            if claim.lock.kind is not NodeKind.LOCK
            or wanted.get(claim.tid) != claim.lock.address
            or (
                not takers[claim.lock.address] - {claim.tid}
                and not self._traces.releases.by_frames(claim.called, claim.lock.address)
                and self._traces.releases.takes_again(claim.called) is not True
            )
        ]

    def _hold(
        self,
        claim: _Claim,
        rivals: Mapping[int, int],
        takers: Mapping[int, int],
        idents: Mapping[int, int],
        wanted: Mapping[int, int],
    ) -> LockHold | None:
        """*rivals*, *takers*: how many threads, and how many frames, took each lock; *wanted*: the
        lock that each TID waits for."""
        if claim.lock.shared:
            return None
        if claim.lock.kind is NodeKind.SEMAPHORE:
            return self._unit(claim, takers[claim.lock.address])
        if claim.lock.records_owner:
            if idents.get(claim.lock.owner) != claim.tid:
                return None
            return recorded(claim.lock, claim.tid, claim.frame, claim.line)
        if not claim.lock.locked:
            return None
        waits = wanted.get(claim.tid) == claim.lock.address
        return self._plain(claim, rivals[claim.lock.address], waits=waits)

    def _plain(self, claim: _Claim, rivals: int, *, waits: bool) -> LockHold:
        """*waits*: the thread waits for this very lock."""
        lock = claim.lock
        text = _inside(claim)
        certainty = Certainty.PROVEN
        if not claim.sure:
            certainty = Certainty.INFERRED
        elif waits and self._traces.releases.takes_again(claim.called) is not False:
            certainty = Certainty.INFERRED
            text = f"{text}, but it waits like one that takes back what it released"
        elif rivals > 1:
            certainty = Certainty.INFERRED
            text = f"{text}, but so are {rivals - 1} other thread(s)"
        elif self._traces.releases.by_frames(claim.called, lock.address):
            certainty = Certainty.INFERRED
            text = f"{text}, but a release() on the way may have given it back"
        return LockHold(lock, claim.tid, certainty, text, claim.frame, claim.line)

    def _unit(self, claim: _Claim, takers: int) -> LockHold:
        """One unit of a semaphore; a proof of who blocks it only if all units are accounted for."""
        complete = claim.lock.units is not None and takers >= claim.lock.units
        text = f"{_inside(claim)}, which holds a unit"
        if not complete:
            text += "; others may hold more"
        certainty = Certainty.PROVEN if complete else Certainty.INFERRED
        return LockHold(claim.lock, claim.tid, certainty, text, claim.frame, claim.line)


def _inside(claim: _Claim) -> str:
    through = f", through {claim.via}" if claim.via else ""
    return f"it is inside `with` on the lock in {claim.frame.code.function}{through}"
