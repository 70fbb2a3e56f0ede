"""Which function has which lock of Twisted, by what its frames give away: none records an owner."""

from collections.abc import Iterable, Iterator, Mapping

from hangtui.backends.cpython.aio.locks import TaskHold
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.traces import Traces
from hangtui.backends.cpython.twisted.deferreds import Deferreds
from hangtui.backends.cpython.twisted.flows import Flow
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind

_GIVES_BACK = frozenset({"release", "_releaseAndReturn"})
"""Methods of locks and semaphores, called with a Deferred's result."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A lock that somebody waits for."""

    kind: NodeKind
    type_name: str


class Holds:
    """Reads them in one interpreter."""

    def __init__(self, blocks: WithBlocks, traces: Traces, deferreds: Deferreds) -> None:
        self._blocks = blocks
        self._traces = traces
        self._deferreds = deferreds

    def given_back(
        self, wanted: Mapping[int, Wanted], flows: Iterable[Flow], awaited: Mapping[int, int]
    ) -> Iterator[TaskHold]:
        """Those of flows whose Deferred gives a *wanted* lock back when it fires: by
        DeferredLock.run(), say. *awaited*: as of `of`."""
        for flow in flows:
            own = next((one for one in flow.frames if not one.in_library), flow.frames[0])
            for called, lock in self._deferreds.methods(flow.awaited):
                if called in _GIVES_BACK and lock in wanted and awaited.get(flow.address) != lock:
                    kind, name = wanted[lock].kind, wanted[lock].type_name
                    text = f"the Deferred that it awaits calls its {called} when it fires"
                    sure = Certainty.PROVEN
                    yield TaskHold(lock, kind, name, flow.address, sure, text, own.place)

    def of(
        self,
        wanted: Mapping[int, Wanted],
        stacks: Mapping[int, tuple[Frame, ...]],
        awaited: Mapping[int, int],
    ) -> Iterator[TaskHold]:
        """The holds of *wanted* locks that can be told.

        *stacks*: frames by flow; *awaited*: the lock that each waits for, which it has not got.
        """
        for unit, frames in stacks.items():
            told: set[int] = set()
            for lock, line, text, frame in self._signs(frames):
                if lock not in wanted or lock in told or awaited.get(unit) == lock:
                    continue
                told.add(lock)
                one, where = wanted[lock], f"{frame.place.rpartition(':')[0]}:{line or frame.line}"
                certainty = Certainty.INFERRED
                yield TaskHold(lock, one.kind, one.type_name, unit, certainty, text, where)

    def _signs(self, frames: tuple[Frame, ...]) -> Iterator[tuple[int, int | None, str, Frame]]:
        for frame in frames:
            for block in self._blocks.of(frame):
                text = f"it is inside `async with` on it in {frame.code.function}"
                yield block.manager, block.line, text, frame
            signs = (*self._traces.signs.of(frame), *self._traces.helpers.took(frame))
            # The line that takes it tells more than the one that will give it back.
            for sign in sorted(signs, key=lambda one: one.start is None):
                if not self._traces.helpers.gave(frame, sign.object, sign.start):
                    yield sign.object, sign.line, sign.text, frame
