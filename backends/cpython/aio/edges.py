"""What tasks wait for and hold, in the words of the model."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.docs import Docs
from hangtui.backends.cpython.frames import place_of
from hangtui.backends.cpython.message_loops import MessageLoops, Takes
from hangtui.backends.cpython.sleep_loops import SleepLoops
from hangtui.model import (
    FIRST_TASK,
    Certainty,
    EventLoop,
    Evidence,
    Hold,
    LoopState,
    NodeKind,
    NoHolder,
    PythonFrame,
    Resource,
    Source,
    Task,
    TaskState,
    Wait,
    object_label,
    process_id,
    resource_id,
    task_id,
    thread_id,
)

_NAMED = 4
"""How many awaited tasks are listed by name."""
_UNTOLD = "it is locked, and nothing tells by which task"
_THROUGH_THE_LOOP = {
    TaskState.RUNNING: "its frames are on this thread's stack",
    TaskState.READY: "it is ready, and only this thread runs its event loop",
    TaskState.WAITING: "what ends its wait reaches it only through the event loop of this thread",
}


class _Stack(NamedTuple):
    shown: tuple[PythonFrame, ...]
    place: str | None
    takes: Takes
    goes_round: bool
    is_part: bool


class TaskEdges:
    """Tells what the tasks of one interpreter wait for and hold; *child* tells the PID of a child
    from the number that the process has for it."""

    def __init__(
        self,
        pid: int,
        reading: AsyncReading,
        child: Callable[[int], int | None],
        loops: SleepLoops,
        messages: MessageLoops,
        docs: Docs,
    ) -> None:
        self._pid = pid
        self._loops = loops
        self._messages = messages
        self._docs = docs
        self._child = child
        self._reading = reading
        self._stacks: dict[tuple[tuple[int, int | None, bool], ...], _Stack] = {}
        self._said: dict[int, str | None] = {}
        self._evidences: dict[tuple[Certainty, str, str | None], Evidence] = {}
        self._labels = {address: self._label(task) for address, task in reading.tasks.items()}

    # -- tasks and loops ------------------------------------------------------------------------

    def tasks(self) -> Iterator[Task]:
        """All tasks."""
        for task in self._reading.tasks.values():
            coroutine = task.coroutine
            loop = self._reading.loops.get(task.raw.loop)
            stack = self._stack(task)
            waits = task.state is TaskState.WAITING
            takes = stack.takes if waits else Takes()
            yield Task(
                self._pid,
                task.address,
                task.raw.name or (coroutine or "task").rpartition(".")[2],
                coroutine,
                task.state,
                task.raw.loop,
                loop.tid if loop else None,
                stack.shown,
                self._words(task.awaited),
                cancels=task.raw.cancels,
                cancelled_at=self._reading.cancelled.get(task.address),
                only_sleeps=self._only_sleeps(task),
                goes_round=waits and stack.goes_round,
                is_part=waits and stack.is_part,
                takes_next=takes.next,
                subscribes=takes.subscribes,
                ends=task.awaited.ends if task.awaited else None,
                sends=task.awaited is not None and task.awaited.operation == "send",
                answers=task.answers,
                sleep=task.awaited.sleep if task.awaited else None,
            )

    def event_loops(self) -> Iterator[EventLoop]:
        """All event loops."""
        running = {
            task.raw.loop: task_id(self._pid, task.address)
            for task in self._reading.tasks.values()
            if task.state is TaskState.RUNNING
        }
        for loop in self._reading.loops.values():
            yield EventLoop(
                self._pid,
                loop.address,
                loop.type_name,
                loop.state,
                loop.tid,
                running.get(loop.address),
                loop.timers,
                loop.watched,
                loop.signal_handlers,
                loop.library,
                loop.accepting,
                loop.stopped_clock,
                loop.buffered,
                loop.upkeep,
                None if loop.due is None else max(0.0, loop.due - time.monotonic()),
                loop.listeners,
                protocols=loop.protocols,
                owes=loop.owes,
            )

    def _only_sleeps(self, task: TaskReading) -> bool | None:
        """Asked of what the program gave to ``asyncio.run``: of thousands it would take long."""
        first = task.raw.name == FIRST_TASK and task.state is TaskState.WAITING
        return self._loops.task_only_sleeps(task.frames) if first else None

    def _stack(self, task: TaskReading) -> _Stack:
        """Thousands of tasks stand alike: what is told of their stacks is made once."""
        key = tuple([(frame.code.address, frame.line, frame.entry) for frame in task.frames])
        known = self._stacks.get(key)
        if known is None:
            frames = task.frames
            shown = self._docs.added(frames, tuple(frame.shown() for frame in frames))
            takes, goes_round = self._messages.of(frames), self._loops.task_goes_round(frames)
            is_part = self._messages.is_part(frames)
            known = _Stack(shown, place_of(frames), takes, goes_round, is_part)
            self._stacks[key] = known
        return known

    def _place(self, task: TaskReading) -> str | None:
        return task.where or self._stack(task).place

    def _words(self, awaited: Awaited | None) -> str | None:
        """Many may share one *awaited*."""
        if awaited is None:
            return None
        if id(awaited) not in self._said:
            self._said[id(awaited)] = self._in_words(awaited)
        return self._said[id(awaited)]

    def _in_words(self, awaited: Awaited) -> str | None:
        if awaited.address:
            return awaited.text.replace("{}", self.resource_label(awaited))
        if not awaited.tasks:
            return awaited.text
        names = [self._labels.get(task, "a task that is not known") for task in awaited.tasks]
        if awaited.text == "task":
            return names[0]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"{awaited.text}: {', '.join(names[:_NAMED])}{more}"

    def _label(self, task: TaskReading) -> str:
        coroutine = (task.coroutine or "?").rsplit(".", 1)[-1]
        return f"task {coroutine} ({task.raw.name})" if task.raw.name else f"task {coroutine}"

    # -- waits ----------------------------------------------------------------------------------

    def waits(self) -> Iterator[Wait]:
        """What tasks wait for: tasks, resources, or the thread that runs their loop."""
        for task in self._reading.tasks.values():
            awaited = task.awaited
            if awaited is not None and (awaited.tasks or awaited.kind or awaited.process):
                yield from self._waits_of(task, awaited)
            else:
                yield from self._through_the_loop(task)

    def _waits_of(self, task: TaskReading, awaited: Awaited) -> Iterator[Wait]:
        waiter = task_id(self._pid, task.address)
        evidence = self._evidence(awaited.certainty, awaited.proof, self._place(task))
        for other in self._telling_first(awaited.tasks):
            yield Wait(
                waiter,
                task_id(self._pid, other),
                evidence,
                awaited.expires,
                awaited.operation if awaited.kind is None and awaited.operation else "await",
                together=awaited.together,
            )
        child = self._child(awaited.process) if awaited.process else None
        if child is not None:
            yield Wait(waiter, process_id(child), evidence, awaited.expires, "end")
        elif awaited.process:
            yield from self._through_the_loop(task)
        if awaited.kind is not None:
            target = resource_id(awaited.kind, self._pid, awaited.address)
            yield Wait(waiter, target, evidence, awaited.expires, awaited.operation)

    def _telling_first(self, tasks: Sequence[int]) -> Sequence[int]:
        """Those first that wait for something of the program's: the first wait is told of."""
        return sorted(tasks, key=lambda one: not self._waits_inside(one))

    def _waits_inside(self, address: int) -> bool:
        task = self._reading.tasks.get(address)
        awaited = task.awaited if task else None
        return awaited is not None and bool(awaited.kind or awaited.tasks) and not awaited.expires

    def _through_the_loop(self, task: TaskReading) -> Iterator[Wait]:
        """A loop whose thread is inside of a task or a callback runs nothing else."""
        loop = self._reading.loops.get(task.raw.loop)
        if loop is None or loop.tid is None or loop.state is not LoopState.BUSY:
            return
        proof = _THROUGH_THE_LOOP[task.state]
        evidence = self._evidence(Certainty.PROVEN, proof, self._place(task))
        waiter = task_id(self._pid, task.address)
        yield Wait(waiter, thread_id(self._pid, loop.tid), evidence, operation="run")

    # -- holds and resources --------------------------------------------------------------------

    def holds(self) -> Iterator[Hold]:
        """Which tasks hold locks."""
        for hold in self._reading.holds:
            node = resource_id(hold.kind, self._pid, hold.lock)
            evidence = self._evidence(hold.certainty, hold.text, hold.where)
            yield Hold(node, task_id(self._pid, hold.task), evidence)

    def resources(self) -> Iterator[Resource]:
        """What tasks wait for or hold, each once."""
        held = {hold.lock for hold in self._reading.holds}
        seen = {(hold.kind, hold.lock) for hold in self._reading.holds}
        for hold in self._reading.holds:
            yield self._resource(hold.kind, hold.lock, hold.type_name)
        for task in self._reading.tasks.values():
            found = task.awaited
            if found is None or found.kind is None or (found.kind, found.address) in seen:
                continue
            seen.add((found.kind, found.address))
            made = self._resource(found.kind, found.address, found.type_name)
            if found.label:
                made = replace(
                    made,
                    label=found.label,
                    name=found.label,
                    detail=f"from {found.ends.local}" if found.ends and found.ends.local else None,
                    type_name=None,
                    ends=found.ends,
                )
            made = replace(
                made,
                note=found.note,
                unshared=found.unshared,
                bare=found.unshared,
                kept=found.kept,
            )
            if found.parties:
                made = replace(made, size=found.parties.all, waiting=found.parties.there)
            if owner := self._reading.orphaned.get(found.address):
                note = f"it records its owner, {owner}, which has ended"
                made = replace(made, note=note, orphaned=True)
            elif found.kind is NodeKind.LOCK and found.address not in held:
                note = self._reading.kept.get(found.address, _UNTOLD)
                made = replace(made, note=note, no_holder=NoHolder.UNTOLD)
            yield made

    def resource_label(self, awaited: Awaited) -> str:
        """What a person calls the object that a task waits for."""
        return awaited.label or self._named(awaited.address, awaited.type_name)

    def _named(self, address: int, type_name: str) -> str:
        return object_label(self._reading.names.get(address), type_name, address)

    def _resource(self, kind: NodeKind, address: int, type_name: str) -> Resource:
        return Resource(
            resource_id(kind, self._pid, address),
            kind,
            self._named(address, type_name),
            self._pid,
            address,
            name=self._reading.names.get(address),
            type_name=type_name,
        )

    def _evidence(self, certainty: Certainty, text: str, where: str | None) -> Evidence:
        key = certainty, text, where
        if key not in self._evidences:
            self._evidences[key] = Evidence(Source.CPYTHON, *key)
        return self._evidences[key]
