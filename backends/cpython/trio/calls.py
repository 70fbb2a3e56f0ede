"""Calls between trio and its threads: `to_thread.run_sync` one way, `from_thread.run` the other."""

from collections.abc import Iterable, Iterator, Mapping

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.places import runs, within
from hangtui.dataclass import dataclass

_THREADS = "_threads.py"


@dataclass(frozen=True, slots=True)
class WorkerCall:
    """What a worker thread does for a task. Addresses are 0 where they are not known."""

    tid: int
    register: int
    """The list by which the call and its task know each other."""
    placeholder: int
    """What the limiter records as its borrower."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a thread asks of trio, and waits for."""

    tid: int
    queue: int
    """That the answer comes by."""
    function: str


class Calls:
    """Reads such calls from the stacks of one process."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields

    def workers(self, stacks: Mapping[int, tuple[Frame, ...]]) -> Iterator[WorkerCall]:
        """The calls that worker threads are in."""
        closure = self._fields.containers.closure
        for tid, frames in stacks.items():
            for frame in frames:
                if runs(frame, "_core/_thread_cache.py", "_handle_job"):
                    deliver = closure(self._fields.frames.variables(frame).get("deliver", 0))
                    told = closure(deliver.get("report_back_in_trio_thread_fn", 0))
                    register, place = told.get("task_register", 0), told.get("placeholder", 0)
                    yield WorkerCall(tid, register, place)

    def messages(self, stacks: Mapping[int, tuple[Frame, ...]]) -> Iterator[Message]:
        """What threads wait for that asked trio to run something."""
        for tid, frames in stacks.items():
            for index, frame in enumerate(frames):
                if within(frame) != _THREADS:
                    continue
                queue = next(self._queues([frame]), 0)
                if queue:
                    yield Message(tid, queue, self._asked(frames[index:]))
                    break

    def _asked(self, frames: Iterable[Frame]) -> str:
        """The function that trio is to run: the variable ``afn`` or ``fn`` of the caller."""
        for frame in frames:
            if within(frame) != _THREADS:
                break
            variables = self._fields.frames.variables(frame)
            for name in ("afn", "fn"):
                found = self._fields.objects.function_name(variables.get(name, 0))
                if found and frame.code.bare_name.startswith("from_thread"):
                    return found
        return "a function"

    def answering(self, frames: Iterable[Frame]) -> list[int]:
        """The queues by which a task with these frames is to answer."""
        return list(self._queues(frame for frame in frames if within(frame) == _THREADS))

    def _queues(self, frames: Iterable[Frame]) -> Iterator[int]:
        """Queues that variables refer to, or messages in them."""
        for frame in frames:
            for value in self._fields.frames.variables(frame).values():
                kind = self._fields.objects.kind(value)
                if kind == "_queue.SimpleQueue":
                    yield value
                elif kind in ("Run", "RunSync"):
                    queue = self._fields.of(value, "queue")
                    yield from (queue,) if queue else ()

    def queued(self, runner: int) -> Iterator[int]:
        """The queues of messages that trio has not looked at yet."""
        waiting = self._fields.path(runner, "entry_queue", "queue")
        for job in self._fields.containers.sequence(waiting) if waiting else ():
            function, *_ = self._fields.containers.sequence(job) or [0]
            message = self._fields.containers.closure(function).get("self", 0)
            bound = self._fields.objects.bound_to(function)
            for one in (message, bound):
                queue = self._fields.of(one, "queue") if one else 0
                yield from (queue,) if queue else ()
