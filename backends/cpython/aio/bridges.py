"""Where threads and tasks wait for each other through a ``concurrent.futures.Future``.

``run_coroutine_threadsafe(...).result()`` makes a thread wait for a task, ``run_in_executor`` a
task for a thread of a pool.
"""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.aio.tasks import AsyncReading
from hangtui.backends.cpython.aio.thread_pools import ThreadPools
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.layouts import LayoutError
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

_FRAMES_SEARCHED, _MOST_QUEUED = 20, 200
"""Of one thread; and calls of one event loop."""


class Bridges:
    """Tells who will set the futures that threads and tasks of one process wait for."""

    def __init__(
        self, pid: int, python: PythonReader, futures: Futures, containers: Containers
    ) -> None:
        self._pid = pid
        self._python = python
        self._futures = futures
        self._containers = containers
        self._pools = ThreadPools(python, containers)
        self.called: dict[NodeId, str] = {}
        """The functions whose results futures are for, as far as something shows them."""

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
                closure = self._containers.closure(callback)
                if closure.get("future") == future:
                    name = self._coroutine(closure.get("coro", 0))
                    self._call(future, name)
                    which = f"its coroutine {name}()" if name else "its coroutine"
                    text = f"{which} is queued, and only this thread runs the event loop"
                    holder = thread_id(self._pid, loop.tid)
                    return self._hold(future, holder, Certainty.PROVEN, text)
        return None

    def given_to_nobody(self, awaited: int, stack: Sequence[Frame]) -> str | None:
        """What a future or an event is for whose coroutine lies in an event loop that no thread
        runs; None: it does not, as far as *stack*, which waits for it, refers to the loop. Never
        raises."""
        try:
            for loop in self._idle_loops(stack):
                for handle in self._containers.sequence(loop.get("_ready", 0))[:_MOST_QUEUED]:
                    callback = self._containers.slots(handle).get("_callback", 0)
                    closure = self._containers.closure(callback)
                    coroutine = closure.get("coro", 0)
                    inner = self._setting(awaited, coroutine)
                    if closure.get("future") == awaited or inner:
                        name = self._coroutine(inner or coroutine)
                        return f"{name}()" if name else "a coroutine"
        except (MemoryReadError, LayoutError):
            pass
        return None

    def _setting(self, event: int, coroutine: int) -> int:
        """*coroutine*, which has not begun, or what it was given to await, if it is to set an
        event; else 0."""
        if self._python.objects.kind(coroutine) != "coroutine":
            return 0
        frame = self._python.frames.suspended(coroutine)
        if frame is None or "set" not in frame.code.names:
            return 0
        given = self._python.frames.variables(frame).values()
        if event not in given:
            return 0
        kinds = self._python.objects.kind
        return next((one for one in given if kinds(one) == "coroutine"), coroutine)

    def _idle_loops(self, stack: Sequence[Frame]) -> Iterator[Mapping[str, int]]:
        """The attributes of the event loops to which these frames, or their `self`, refer and which
        nobody runs."""
        objects = self._python.objects
        for frame in stack[:_FRAMES_SEARCHED]:
            variables = self._python.frames.variables(frame)
            of_self = objects.attributes(variables.get("self", 0))
            for value in dict.fromkeys((*variables.values(), *of_self.values())):
                if "BaseEventLoop" in self._containers.classes(value):
                    loop = objects.attributes(value)
                    runs = loop.get("_thread_id", 0)
                    if runs and self._containers.integer(runs) is None:
                        yield loop

    def workers(self, reading: AsyncReading) -> Iterator[Hold]:
        """The threads of pools that do what tasks wait for."""
        wanted = {
            task.awaited.address
            for task in reading.tasks.values()
            if task.awaited
            and task.awaited.kind is NodeKind.FUTURE
            and self._futures.kind(task.awaited.address) is None
        }
        for work in self._pools.of(wanted) if wanted else ():
            self._call(work.future, work.function)
            holder = thread_id(self._pid, work.tid)
            yield self._hold(work.future, holder, work.certainty, work.text)

    def _coroutine(self, address: int) -> str | None:
        """The function of a coroutine that has not begun."""
        if self._python.objects.kind(address) != "coroutine":
            return None
        frame = self._python.frames.suspended(address)
        return clean(frame.code.bare_name, 80) if frame else None

    def _call(self, future: int, name: str | None) -> None:
        if name:
            self.called[resource_id(NodeKind.FUTURE, self._pid, future)] = name

    def _hold(self, future: int, holder: NodeId, certainty: Certainty, text: str) -> Hold:
        node = resource_id(NodeKind.FUTURE, self._pid, future)
        return Hold(node, holder, Evidence(Source.CPYTHON, certainty, text))
