"""Which threads of executors run the task of a future, or have it in the queue of their pool."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.awaited import Owner, self_of
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.executor_threads import executor_of, is_full
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.referents import Referents
from hangtui.backends.cpython.simple_queue import KIND, items
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import Certainty

_POOL = "concurrent/futures/thread.py"
_ITEMS = (_POOL, "futurist/_utils.py")
"""Where the items of queues are run."""
_FUTURIST = "futurist/_thread.py"
"""Whose workers are objects that have what those of Python have in variables."""
_MOST_CALLBACKS = 8
"""Of one task that are looked at."""
_MOST_QUEUED = 200
"""Tasks of one queue whose callbacks are looked at."""
_ONLY = "the task is queued, and this is a worker of the only pool"
_QUEUED = "the task is in the queue of the pool whose worker this is"
_ALL = f"{_QUEUED}, and all workers that it may have are known"
_LEADS = "a callback of the task that its frame runs leads to this one"
_QUEUED_LEADS = (
    "a callback of a task leads to this one, and that is in the queue of the pool whose worker "
    "this is"
)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The workers of one queue, and the futures of the tasks in it; None: it cannot be read."""

    idents: list[int]
    futures: list[int] | None
    whole: bool
    """These are all that its executor may have."""


class FutureWorkers:
    """Reads the thread pools of one process. *stacks*: frames by ``Thread.ident``."""

    def __init__(
        self, objects: Objects, frames: Frames, stacks: Mapping[int, tuple[Frame, ...]]
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._stacks = stacks
        self._containers = Containers(objects, CodeReader(objects))
        self._referents = Referents(objects, frames, self._containers)

    def of(self, future: int) -> tuple[Owner, ...]:
        """Those who run its task; else those who are to take it; else whose task is to set it."""
        for ident, task in self._running:
            if task == future:
                return (Owner(ident, Certainty.PROVEN, "its frame runs this very task"),)
        for pool in self._pools:
            if future in (pool.futures or ()):
                if not pool.whole:
                    return tuple(_inferred(pool.idents, _QUEUED))
                return tuple(Owner(one, Certainty.PROVEN, _ALL) for one in pool.idents)
        led = [ident for ident, task in self._running if self._leads(task, future)]
        owners = list(_inferred(led, _LEADS))
        for pool in self._pools:
            if any(self._leads(task, future) for task in (pool.futures or ())[:_MOST_QUEUED]):
                idle = [ident for ident in pool.idents if ident not in led]
                owners += _inferred(idle, _QUEUED_LEADS)
        if not owners and len(self._pools) == 1 and self._pools[0].futures is None:
            # Otherwise it cannot be told which of the pools has it queued, or none has.
            owners += _inferred(self._pools[0].idents, _ONLY)
        return tuple(owners)

    @cached_property
    def _running(self) -> list[tuple[int, int]]:
        """Threads, and the futures of the tasks that their frames run, innermost first."""
        found = []
        for ident, frames in self._stacks.items():
            for frame in frames:
                item = self_of(self._frames, frame, "run", *_ITEMS)
                task = self._objects.attributes(item).get("future") if item else None
                if task:
                    found.append((ident, task))
        return found

    @cached_property
    def _pools(self) -> list[_Pool]:
        queues: dict[int, list[int]] = {}
        executors: dict[int, int] = {}
        for ident, frames in self._stacks.items():
            for queue, reference in map(self._worker, frames):
                if queue:
                    queues.setdefault(queue, []).append(ident)
                    executors[queue] = executor_of(reference, self._containers, self._objects)
        return [
            _Pool(idents, self._queued(queue), self._is_full(executors[queue], len(idents)))
            for queue, idents in queues.items()
        ]

    def _worker(self, frame: Frame) -> tuple[int, int]:
        """The queue that *frame* takes tasks from, and the weak reference to its executor; 0, 0: it
        is no worker's."""
        if frame.code.bare_name == "_worker":
            variables = self._frames.variables(frame)
            return variables.get("work_queue", 0), variables.get("executor_reference", 0)
        if worker := self_of(self._frames, frame, "run", _FUTURIST):
            attributes = self._objects.attributes(worker)
            return attributes.get("work_queue", 0), attributes.get("executor_ref", 0)
        return 0, 0

    def _is_full(self, executor: int, known: int) -> bool:
        return is_full(executor, known, self._containers, self._objects)

    def _queued(self, queue: int) -> list[int] | None:
        try:
            if self._objects.kind(queue) == KIND:
                queued = items(self._objects, queue)
            elif inner := self._objects.attributes(queue).get("queue", 0):  # a queue.Queue
                queued = self._containers.sequence(inner)
            else:
                return None
        except MemoryReadError:
            return None
        return [self._objects.attributes(item).get("future", 0) for item in queued]

    def _leads(self, task: int, future: int) -> bool:
        """Whether one of the callbacks of *task* reaches *future*: as an argument or a variable, or
        in one of these. Libraries that have futures of their own set them so."""
        if not task:
            return False
        try:
            callbacks = self._containers.sequence(
                self._objects.attributes(task).get("_done_callbacks", 0)
            )
            for callback in callbacks[:_MOST_CALLBACKS]:
                for reached in self._containers.mentioned(callback):
                    if reached == future:
                        return True
                    if any(one == future for _, one in self._referents.of(reached)):
                        return True
        except (MemoryReadError, LayoutError):
            return False
        return False


def _inferred(idents: list[int], text: str) -> Iterator[Owner]:
    return (Owner(ident, Certainty.INFERRED, text) for ident in idents)
