"""Threads that wait for a coroutine by functions of libraries that call one as if it were none:
``sync`` of dask's distributed and of fsspec. Each sets an event when the coroutine ends."""

from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.aio.tasks import AsyncReading
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.dataclass import dataclass
from hangtui.model import LoopState, NodeId, task_id, thread_id


@dataclass(frozen=True, slots=True)
class _Library:
    """How one calls what."""

    file: str
    call: str
    event: str
    """The variable with the event."""
    coroutine: str
    """The one with the function that is to run."""
    timeout: str
    task: str | None = None
    """The one with its task; None: a frame of the task has the event in a variable."""


_LIBRARIES = (
    _Library("/distributed/utils.py", "distributed.utils.sync", "e", "func", "timeout", "future"),
    _Library("/fsspec/asyn.py", "fsspec.asyn.sync", "event", "func", "timeout"),
)


@dataclass(frozen=True, slots=True)
class SyncCall:
    """One thread that waits so."""

    tid: int
    event: int
    function: str
    call: str
    expires: bool
    answer: tuple[NodeId, str] | None
    """Who is to end it, and what shows that."""


class SyncCalls:
    """Finds them in one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python

    def of(self, reading: AsyncReading) -> Iterator[SyncCall]:
        """Those that wait for tasks of *reading*, or for its loops to begin one."""
        for tid, frames in self._python.stacks.items():
            for frame in frames:
                library = next((one for one in _LIBRARIES if runs(frame, "sync", one.file)), None)
                found = self._read(tid, frame, library, reading) if library else None
                if found is not None:
                    yield found
                    break

    def _read(
        self, tid: int, frame: Frame, library: _Library, reading: AsyncReading
    ) -> SyncCall | None:
        variables = self._python.frames.variables(frame)
        objects = self._python.objects
        event, bound = variables.get(library.event, 0), variables.get(library.timeout, 0)
        if not event:
            return None
        answer = self._answer(variables, event, library, reading)
        if answer is None and not self._has_loop(variables.get("loop", 0), reading):
            return None
        function = objects.function_name(variables.get(library.coroutine, 0)) or "a coroutine"
        expires = objects.kind(bound) not in (None, "NoneType")
        return SyncCall(tid, event, function, library.call, expires, answer)

    def _answer(
        self, variables: Mapping[str, int], event: int, library: _Library, reading: AsyncReading
    ) -> tuple[NodeId, str] | None:
        task = variables.get(library.task, 0) if library.task else self._with(event, reading)
        if task in reading.tasks:
            return task_id(self._pid, task), "its end sets the event that the thread waits for"
        started = library.task and self._python.objects.kind(task) is not None
        loop = reading.loops.get(self._loop(variables.get("loop", 0)))
        if started or loop is None or loop.tid is None or loop.state is not LoopState.BUSY:
            return None
        text = "the loop has not come to it yet, and only this thread runs that"
        return thread_id(self._pid, loop.tid), text

    def _with(self, event: int, reading: AsyncReading) -> int:
        """The task with a frame that has the event in a variable."""
        for task in reading.tasks.values():
            for frame in task.frames:
                if event in self._python.frames.variables(frame).values():
                    return task.address
        return 0

    def _has_loop(self, loop: int, reading: AsyncReading) -> bool:
        return self._loop(loop) in reading.loops

    def _loop(self, address: int) -> int:
        """The loop of asyncio, also where tornado wraps it."""
        return self._python.objects.attributes(address).get("asyncio_loop", address)
