"""Who seems to hold a lock of which no ``with`` block of a thread tells: hints in the bytecode of
its frames, of functions that they called, and of generators that they keep."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.acquisitions import Acquisition
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.generators import Suspended
from hangtui.backends.cpython.library_loops import releases_nothing
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.backends.cpython.locks import Lock
from hangtui.backends.cpython.managers import Managers
from hangtui.backends.cpython.traces import Traces
from hangtui.model import Certainty

_IN_ITS_STEAD = "its function goes on to call release() on it, and takes it nowhere before"


class Hints:
    """Reads them from the frames of one interpreter."""

    def __init__(self, frames: Frames, managers: Managers, traces: Traces) -> None:
        self._frames = frames
        self._managers = managers
        self._traces = traces
        self._searched: tuple[Mapping[int, tuple[Frame, ...]], list[Suspended]] | None = None
        self.kept: dict[int, str] = {}
        """By the address of a lock, the generator that has it, in words: nobody is known to go over
        it."""

    def hinted(self, lock: Lock, stacks: Mapping[int, tuple[Frame, ...]]) -> list[LockHold]:
        """Threads whose bytecode suggests that they took *lock* with ``acquire()``."""
        return [
            LockHold(lock, tid, Certainty.INFERRED, sign.text, frames[depth], sign.line)
            for tid, frames in stacks.items()
            for depth, sign in self._signs_in(frames, self._traces.signs.of)
            if self._means(sign, lock)
            and not self._traces.helpers.gave(frames[depth], lock.address, sign.start)
            and not self._given_back(frames[:depth], lock)
        ]

    def _helped(self, lock: Lock, stacks: Mapping[int, tuple[Frame, ...]]) -> list[LockHold]:
        """Threads that seem to have taken *lock* in a function that has returned."""
        return [
            LockHold(lock, tid, Certainty.INFERRED, sign.text, frames[depth], sign.line)
            for tid, frames in stacks.items()
            for depth, sign in self._signs_in(frames, self._traces.helpers.took)
            if self._means(sign, lock) and not self._given_back(frames[:depth], lock)
        ]

    def _signs_in(
        self, frames: tuple[Frame, ...], signs: Callable[[Frame], list[Acquisition]]
    ) -> Iterator[tuple[int, Acquisition]]:
        self._frames.charge(len(frames))
        for depth, frame in enumerate(frames):
            yield from ((depth, sign) for sign in signs(frame))

    def _means(self, sign: Acquisition, lock: Lock) -> bool:
        """Whether what a sign is about is *lock*, or wraps it."""
        found = self._managers.locks(sign.object)
        found = found or self._managers.taken_by_methods(sign.object)
        return any(one.lock.address == lock.address for one in found)

    def _given_back(self, called: tuple[Frame, ...], lock: Lock) -> bool:
        """Whether what a frame called may have released *lock*."""
        return (
            lock.address in self._managers.released_by_waiting(called)
            or self._traces.releases.by_frames(called, lock.address)
            or any(self._traces.helpers.gave(frame, lock.address) for frame in called)
        )

    def believed(
        self,
        lock: Lock,
        stacks: Mapping[int, tuple[Frame, ...]],
        wanted: Mapping[int, int],
    ) -> list[LockHold]:
        """The hints, those of threads that wait for the same lock only where no other reading is
        as good: another thread has it, or is to release it. The only thread has none of these, nor
        has the only one that runs code of the application."""
        hints, helped = self.hinted(lock, stacks), self._helped(lock, stacks)
        others = [one for one in hints + helped if wanted.get(one.tid) != one.lock.address]
        others = others or self._releasing(lock, stacks, wanted)
        alone = sum(not releases_nothing(frames) for frames in stacks.values()) <= 1
        own = [hint for hint in hints if alone or self._takes_twice(hint, stacks)]
        return others or own or helped or self._kept(lock, stacks, wanted)

    def _kept(
        self, lock: Lock, stacks: Mapping[int, tuple[Frame, ...]], wanted: Mapping[int, int]
    ) -> list[LockHold]:
        """Who goes over a suspended generator that is inside of ``with`` on *lock*: rather one that
        does not wait for it. One that is merely within reach is noted."""
        found = [
            (one, LockHold(lock, one.keeper, Certainty.INFERRED, one.text, one.frame, line))
            for one in self._suspended(stacks)
            for line in (one.block.line,)
            for entered in self._managers.locks(one.block.manager, one.block.exit_method)
            if entered.lock.address == lock.address
        ]
        own = [hold for one, hold in found if one.direct]
        if found and not own:
            self.kept[lock.address] = found[0][0].has_it
        return sorted(own, key=lambda one: wanted.get(one.tid) == lock.address)[:1]

    def units(
        self,
        semaphore: Lock,
        stacks: Mapping[int, tuple[Frame, ...]],
        wanted: Mapping[int, int],
    ) -> list[LockHold]:
        """Who seems to have taken units of a semaphore with ``acquire()``: a thread that waits for
        another one of the same only where nobody else has any, nor is to give one back."""
        hints = self.hinted(semaphore, stacks) + self._helped(semaphore, stacks)
        others = [one for one in hints if wanted.get(one.tid) != semaphore.address]
        if others or self._releasing(semaphore, stacks, wanted):
            return []
        return [replace(one, text=f"{one.text}; others may hold more") for one in hints]

    def _suspended(self, stacks: Mapping[int, tuple[Frame, ...]]) -> list[Suspended]:
        """What generators that these refer to are inside of; searched once for all locks."""
        if self._searched is None or self._searched[0] is not stacks:
            self._searched = stacks, self._traces.generators.blocks(stacks)
        return self._searched[1]

    def _releasing(
        self, lock: Lock, stacks: Mapping[int, tuple[Frame, ...]], wanted: Mapping[int, int]
    ) -> list[LockHold]:
        """Threads that may go on to release *lock* without taking it before: it was taken for
        them, as where a lock is used for a signal."""
        return [
            LockHold(lock, tid, Certainty.INFERRED, _IN_ITS_STEAD)
            for tid, frames in stacks.items()
            if wanted.get(tid) != lock.address and self._traces.releases.ahead(frames, lock.address)
        ]

    def _takes_twice(
        self,
        hint: LockHold,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> bool:
        """Whether a thread waits in a function that the one called which took the lock, and which
        is to release it afterwards."""
        address = hint.lock.address
        frames = stacks[hint.tid]
        if hint.frame is None or hint.frame == frames[0]:
            return False
        called = frames[: frames.index(hint.frame) + 1]
        return self._traces.releases.ahead(called[-1:], address)
