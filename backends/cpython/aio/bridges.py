"""Where threads and tasks wait for each other through a ``concurrent.futures.Future``.

``run_coroutine_threadsafe(...).result()`` makes a thread wait for a task, ``run_in_executor`` a
task for a thread of a pool.
"""

from collections.abc import Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.aio.tasks import AsyncReading
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    LoopState,
    NodeId,
    NodeKind,
    Source,
    clean,
    resource_id,
    task_id,
    thread_id,
)

_POOL = "/concurrent/futures/thread.py"


class Bridges:
    """Tells who will set the futures that threads and tasks of one process wait for."""

    def __init__(
        self, pid: int, python: PythonReader, futures: Futures, containers: Containers
    ) -> None:
        self._pid = pid
        self._python = python
        self._futures = futures
        self._containers = containers

    def setters(self, reading: AsyncReading, awaited: list[int]) -> Iterator[Hold]:
        """For each future of *awaited* (addresses) the task or thread that will set it."""
        for address in awaited:
            try:
                hold = self._task_behind(reading, address) or self._queued(reading, address)
            except MemoryReadError:
                continue
            if hold is not None:
                yield hold

    def _task_behind(self, reading: AsyncReading, future: int) -> Hold | None:
        source = self._futures.source(future)
        if source not in reading.tasks:
            return None
        text = "run_coroutine_threadsafe: the future takes over the result of this task"
        return self._hold(future, task_id(self._pid, source), Certainty.PROVEN, text)

    def _queued(self, reading: AsyncReading, future: int) -> Hold | None:
        """A coroutine whose task is not made yet: the loop has not come back to do so."""
        for loop in reading.loops.values():
            if loop.state is not LoopState.BUSY or loop.tid is None:
                continue
            for callback in loop.queued:
                if self._containers.closure(callback).get("future") == future:
                    text = "its coroutine is queued, and only this thread runs the event loop"
                    holder = thread_id(self._pid, loop.tid)
                    return self._hold(future, holder, Certainty.PROVEN, text)
        return None

    def workers(self, reading: AsyncReading) -> Iterator[Hold]:
        """The threads of pools that do what tasks wait for."""
        wanted = {
            task.awaited.address
            for task in reading.tasks.values()
            if task.awaited
            and task.awaited.kind is NodeKind.FUTURE
            and self._futures.kind(task.awaited.address) is None
        }
        if not wanted:
            return
        pools: dict[int, list[int]] = {}
        for tid, frames in self._python.stacks.items():
            for frame in frames:
                if runs(frame, "run", _POOL):
                    item = self._python.frames.variables(frame).get("self", 0)
                    future = self._python.objects.attributes(item).get("future", 0)
                    if future in wanted:
                        wanted.discard(future)
                        text = f"its frame does this very work{self._work(item)}"
                        holder = thread_id(self._pid, tid)
                        yield self._hold(future, holder, Certainty.PROVEN, text)
                elif runs(frame, "_worker", _POOL):
                    queue = self._python.frames.variables(frame).get("work_queue", 0)
                    pools.setdefault(queue, []).append(tid)
        if len(pools) == 1:  # otherwise it cannot be told which of the pools has them queued
            for tid in next(iter(pools.values())):
                for future in wanted:
                    text = "the work is queued, and this is a worker of the only pool"
                    holder = thread_id(self._pid, tid)
                    yield self._hold(future, holder, Certainty.INFERRED, text)

    def _work(self, item: int) -> str:
        """``: load_blob``, by the name of the function that a pool's work item calls."""
        attributes = self._python.objects.attributes(item)
        call = self._containers.sequence(attributes.get("task", 0))  # 3.14 on
        name = self._python.objects.function_name(call[0] if call else attributes.get("fn", 0))
        return f": {clean(name, 80)}" if name else ""

    def _hold(self, future: int, holder: NodeId, certainty: Certainty, text: str) -> Hold:
        node = resource_id(NodeKind.FUTURE, self._pid, future)
        return Hold(node, holder, Evidence(Source.CPYTHON, certainty, text))
