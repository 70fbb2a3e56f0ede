"""Who runs a one-time initialisation that others wait for.

Neither ``pthread_once`` nor the guard of a static variable records who runs it. But that thread is
inside the very function that the waiter called from, and deeper in it than the waiter got.
"""

from collections.abc import Mapping

from hangtui.backends.libc.futex.names import GUARD, ONCE
from hangtui.backends.unwind.native_stacks import NamedFrame, NativeStacks
from hangtui.backends.unwind.unwinder import RawStack

_MAX_FRAMES = 200


class Initialisers:
    """Looks for them among the stacks of one process's threads."""

    def __init__(self, native: NativeStacks, stacks: Mapping[int, RawStack]) -> None:
        self._native = native
        self._stacks = stacks

    def of(self, waiter: int, frames: list[NamedFrame]) -> int | None:
        """The only thread that can be running what *waiter* waits for; None: none, or several."""
        place = next((i for i, frame in enumerate(frames) if frame.names & ONCE), None)
        if place is None or place + 1 >= len(frames):
            return None
        function = self._function(frames[place + 1])
        if function is None:
            return None
        guard = bool(frames[place].names & GUARD)
        found = [
            tid
            for tid, stack in self._stacks.items()
            if tid != waiter and self._runs(stack, function, guard)
        ]
        return found[0] if len(found) == 1 else None

    def _function(self, frame: NamedFrame) -> int | None:
        return self._native.unwinder.function_start(frame.raw.lookup_address)

    def _runs(self, stack: RawStack, function: int, guard: bool) -> bool:
        """Whether a thread is past the point in *function* where others would wait."""
        frames = self._native.exported_names(stack, _MAX_FRAMES)
        for index, frame in enumerate(frames):
            if index and self._function(frame) == function:
                inner = frames[:index]
                if guard:
                    return not any(frame.names & GUARD for frame in inner[-1:])
                return self._initialises(inner)
        return False

    def _initialises(self, inner: list[NamedFrame]) -> bool:
        """Whether ``pthread_once`` is the last of *inner* frames, and calls out of its library."""
        once = next((i for i, frame in enumerate(inner) if frame.names & ONCE), None)
        if once is None:
            return False
        own = self._native.module_of(inner[once].raw)
        return any(self._native.module_of(frame.raw) != own for frame in inner[:once])
