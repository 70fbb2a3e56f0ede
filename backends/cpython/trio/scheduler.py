"""trio as one of the schedulers, and where its tasks and threads wait for each other."""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.asks import ask
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.trio.calls import Calls, Message
from hangtui.backends.cpython.trio.channels import Channels, other_ends
from hangtui.backends.cpython.trio.runners import LIBRARY
from hangtui.backends.cpython.trio.tasks import TrioReader
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.facts import Facts
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    LoopState,
    NodeId,
    NodeKind,
    Source,
    resource_id,
    task_id,
    thread_id,
)

_ASKS = "trio.from_thread.run"


class TrioScheduler:
    """Reads the tasks of trio in one process."""

    library = LIBRARY

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._reader = TrioReader(python)
        self._calls = Calls(self._reader.fields)
        self._channels = Channels(self._reader.fields)
        self._stand_ins: dict[int, NodeId] = {}
        self.others: Sequence[Other] = ()
        """Of the tasks that were joined last."""

    @property
    def stand_ins(self) -> Mapping[int, NodeId]:
        """The threads by the placeholders that limiters record."""
        return self._stand_ins

    def readings(self) -> Iterator[AsyncReading]:
        """One for each runner."""
        return self._reader.readings()

    def join(self, facts: Facts, reading: AsyncReading) -> None:
        """Who does what tasks wait for in threads, and what threads asked trio for."""
        self.others = list(self._others(reading))
        registers = {
            task.awaited.address
            for task in reading.tasks.values()
            if task.awaited is not None and task.awaited.kind is NodeKind.FUTURE
        }
        for call in self._calls.workers(self._python.stacks):
            thread = thread_id(self._pid, call.tid)
            if call.placeholder:
                self._stand_ins[call.placeholder] = thread
            if call.register in registers:
                node = resource_id(NodeKind.FUTURE, self._pid, call.register)
                text = "this thread was given the very call"
                facts.add_hold(Hold(node, thread, self._proven(text)))
        answering = self._answering(reading)
        for message in self._calls.messages(self._python.stacks):
            self._ask(facts, message, answering.get(message.queue))

    def same(self, task: TaskReading) -> bool:
        """Whether a task that was read before waits now, at the same place, for the same thing."""
        return self._reader.same(task)

    def _others(self, reading: AsyncReading) -> Iterator[Other]:
        """anyio's objects for those of trio, and the other ends of channels."""
        waits = [task.awaited for task in reading.tasks.values() if task.awaited is not None]
        for one in dict.fromkeys(waits):
            if one.kind in (NodeKind.EVENT, NodeKind.CONDITION) and one.object != one.address:
                yield Other(one.object, resource_id(one.kind, self._pid, one.address))
        stacks = (*(task.frames for task in reading.tasks.values()), *self._python.stacks.values())
        yield from other_ends(self._pid, self._channels, waits, stacks)

    def _answering(self, reading: AsyncReading) -> dict[int, tuple[NodeId, str]]:
        """Who is to answer by which queue, and what shows it."""
        found: dict[int, tuple[NodeId, str]] = {}
        for loop in reading.loops.values():
            if loop.tid is None or loop.state is not LoopState.BUSY:
                continue
            text = "it has not looked at the request yet, and only this thread runs trio"
            for queue in self._calls.queued(loop.address):
                found[queue] = thread_id(self._pid, loop.tid), text
        for task in reading.tasks.values():
            text = "this task runs what the thread asked for"
            for queue in self._calls.answering(task.frames):
                found[queue] = task_id(self._pid, task.address), text
        return found

    def _ask(self, facts: Facts, message: Message, answer: tuple[NodeId, str] | None) -> None:
        """A thread waits for the result of what it asked for, rather than for a queue."""
        queue = resource_id(NodeKind.QUEUE, self._pid, message.queue)
        ask(facts, message.tid, queue, message.function, _ASKS, answer)

    def _proven(self, text: str) -> Evidence:
        return Evidence(Source.CPYTHON, Certainty.PROVEN, text)
