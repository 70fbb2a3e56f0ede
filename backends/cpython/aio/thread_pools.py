"""Threads of executors: which work each does, and which lies in the queue of their pool."""

from collections.abc import Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.executor_threads import executor_of, is_whole
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.simple_queue import KIND, items
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, clean

_POOL = "/concurrent/futures/thread.py"


@dataclass(frozen=True, slots=True)
class Work:
    """What one thread does, or will do."""

    future: int
    tid: int
    function: str | None
    text: str
    """What shows that."""
    certainty: Certainty


@dataclass(slots=True)
class _Pool:
    """The workers of one queue."""

    queue: int
    executor: int
    """0: it is no more."""
    tids: list[int]


class ThreadPools:
    """Reads the executors of one process by the frames of their workers."""

    def __init__(self, python: PythonReader, containers: Containers) -> None:
        self._python = python
        self._objects = python.objects
        self._containers = containers

    def of(self, wanted: set[int]) -> Iterator[Work]:
        """Who does, or will do, the work of the futures *wanted*."""
        left = set(wanted)
        pools: dict[int, _Pool] = {}
        for tid, frames in self._python.stacks.items():
            for frame in frames:
                if frame.code.bare_name == "run":
                    item = self._python.frames.variables(frame).get("self", 0)
                    future = self._objects.attributes(item).get("future", 0)
                    if future in left:
                        left.discard(future)
                        name = self._function(item)
                        text = f"its frame does this very work{f': {name}' if name else ''}"
                        yield Work(future, tid, name, text, _certainty(frame))
                elif runs(frame, "_worker", _POOL):
                    self._note(pools, tid, frame)
        yield from self._left_to(list(pools.values()), left)

    def _left_to(self, pools: list[_Pool], left: set[int]) -> Iterator[Work]:
        """Who will do the work that none of the threads does."""
        unread = []
        for pool in pools:
            queued = self._queued(pool, left)
            if queued is None:
                unread += pool.tids
            for work in queued or ():
                left.discard(work.future)
                yield work
        if len(pools) == 1:  # otherwise it cannot be told which of the pools has them queued
            text = "the work is queued, and this is a worker of the only pool"
            for tid in unread:
                yield from (Work(one, tid, None, text, Certainty.INFERRED) for one in left)

    def _note(self, pools: dict[int, _Pool], tid: int, frame: Frame) -> None:
        variables = self._python.frames.variables(frame)
        queue = variables.get("work_queue", 0)
        if queue not in pools:
            executor = executor_of(
                variables.get("executor_reference", 0), self._containers, self._objects
            )
            pools[queue] = _Pool(queue, executor, [])
        pools[queue].tids.append(tid)

    def _queued(self, pool: _Pool, wanted: set[int]) -> list[Work] | None:
        """The work in its queue: each worker may do it, and nobody else can if all are known. None:
        it cannot be read."""
        if self._objects.kind(pool.queue) != KIND:
            return None
        text = "the work is in the queue of the pool whose worker this is"
        known = is_whole(pool.executor, len(pool.tids), self._containers, self._objects)
        certainty = Certainty.PROVEN if known else Certainty.INFERRED
        found = []
        try:
            for item in items(self._objects, pool.queue):
                future = self._objects.attributes(item).get("future", 0)
                if future in wanted:
                    name = self._function(item)
                    found += [Work(future, tid, name, text, certainty) for tid in pool.tids]
        except MemoryReadError:
            return None
        return found

    def _function(self, item: int) -> str | None:
        """``load_blob``: what a pool's work item calls."""
        attributes = self._objects.attributes(item)
        call = self._containers.sequence(attributes.get("task", 0))  # 3.14 on
        name = self._objects.function_name(call[0] if call else attributes.get("fn", 0))
        return clean(name, 80) if name else None


def _certainty(frame: Frame) -> Certainty:
    """Of the library's own work it is known that it sets the future when it is done; executors of
    others name their work in the same way."""
    return Certainty.PROVEN if runs(frame, "run", _POOL) else Certainty.INFERRED
