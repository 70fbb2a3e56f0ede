"""What threads of Twisted's pools do for Deferreds, and what is queued for them."""

from collections.abc import Iterable, Iterator, Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.loops import Loop
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.dataclass import dataclass
from hangtui.model import clean

_RUNS = ("/twisted/python/threadpool.py", "inContext")
_BLOCKS = ("/twisted/internet/threads.py", "blockingCallFromThread")
_MOST_QUEUED = 1000


@dataclass(frozen=True, slots=True)
class Work:
    """One call of a function in a thread, and the Deferred that gets its result."""

    deferred: int
    function: str
    tid: int | None
    """The thread that runs it; None: it is queued."""


class Pools:
    """Reads them in one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._stacks = stacks

    def work(self, teams: Iterable[int]) -> dict[int, Work]:
        """All calls that run or are queued in *teams*, by their Deferreds."""
        found = [*self._running()]
        for team in teams:
            pending = self._objects.attributes(team).get("_pending", 0)
            for item in self._containers.sequence(pending)[:_MOST_QUEUED] if pending else ():
                found += self._of(item, None)
        return {one.deferred: one for one in found}

    def _running(self) -> Iterator[Work]:
        path, function = _RUNS
        for tid, frames in self._stacks.items():
            for index, frame in enumerate(frames):
                if frame.code.filename.endswith(path) and frame.code.bare_name == function:
                    item = self._frames.variables(frame).get(function, 0)
                    inside = [one.code.bare_name for one in frames[:index] if not one.installed]
                    yield from self._of(item, tid, inside[-1] if inside else None)

    def _of(self, item: int, tid: int | None, runs: str | None = None) -> Iterator[Work]:
        """*item*: the function that a thread is to call, which has what matters as attributes."""
        attributes = self._objects.attributes(item)
        work = self._containers.closure(attributes.get("theWork", 0)).get("func", 0)
        function = runs or clean(self._objects.function_name(work) or "a function", 80)
        for one in self._containers.mentioned(attributes.get("onResult", 0)):
            if "Deferred" in self._containers.classes(one):
                yield Work(one, function, tid)

    def blocked(self) -> Iterator[tuple[int, int]]:
        """Threads that wait in ``blockingCallFromThread``, with the queue that each waits for."""
        path, function = _BLOCKS
        for tid, frames in self._stacks.items():
            for frame in frames:
                if frame.code.filename.endswith(path) and frame.code.bare_name == function:
                    yield tid, self._frames.variables(frame).get("queue", 0)
                    break

    def asked(self, queue: int, loops: Iterable[Loop]) -> tuple[str, Loop] | None:
        """What a reactor is to call for who waits for *queue*, and which reactor; None: none is."""
        for loop in loops:
            for call in loop.queued[:_MOST_QUEUED]:
                function = next(iter(self._containers.sequence(call)), 0)
                closure = self._containers.closure(function)
                if queue in closure.values():
                    name = self._objects.function_name(closure.get("f", 0))
                    return clean(name or "a function", 80), loop
        return None
