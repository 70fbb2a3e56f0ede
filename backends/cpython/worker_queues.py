"""Queues with work in them of which every thread that would take it waits inside of earlier work,
or is to be woken for it.

A thread's frames show the loop that it goes back to: further out than the line of the application
where it waits, code comes to ``get()`` of a queue again; or it is a thread of an executor of the
standard library. One that stands in the loop itself, at connections, may be to hear that something
lies there.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.queued_work import ROWS, QueuedWork
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.simple_queue import KIND
from hangtui.backends.cpython.wakers.complements import complements
from hangtui.backends.cpython.wakers.library_frames import is_primitive
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.cpython.work_enders import WorkEnders
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import NodeId, NodeKind, WorkerQueue, clean, thread_id

_GIVEN = frozenset(
    {
        *(NodeKind.QUEUE, NodeKind.EVENT, NodeKind.CONDITION, NodeKind.SEMAPHORE),
        *(NodeKind.BARRIER, NodeKind.FUTURE),
    }
)
"""What is waited for and has no holder by nature: one of the tasks behind may be to give it."""
_CLASSES = frozenset({"Queue", "LifoQueue", "PriorityQueue"})
"""Of ``queue``, and what is based on them."""
_EXECUTOR = "/concurrent/futures/thread.py"
_OF_EXECUTOR = "work_queue of ThreadPoolExecutor"
_THREADS, _FRAMES = 200, 30
_NEAR = 3
"""Frames of the application in which a loop lies that waits to be woken."""
_TAKES = frozenset({"get", "get_nowait"})
_POPS = frozenset({"popleft", "pop"})
"""By which a deque is emptied, or a list."""
_LIST = "list"
"""Mostly it is exchanged for an empty one, and read then."""


class _Taking(NamedTuple):
    """Where a thread's code takes from a queue once more."""

    thread: NodeId
    queue: int
    frame: Frame
    mention: Mention | None
    """None: it is a thread of an executor, whose own queue that is."""
    called: Code | None = None
    """The function in which it does so, if the frame calls that."""


class WorkerQueues:
    """Finds them in one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        objects = python.objects
        self._pid = pid
        self._python = python
        self._codes = CodeReader(objects)
        self._containers = Containers(objects, self._codes)
        self._references = References(objects, python.frames, python.blocks, self._codes)
        self._values = Values(objects, python.frames, self._references, self._containers)
        self._work = QueuedWork(objects, self._codes, self._containers, self._values)
        self._mentions = Mentions(
            Bytecode(objects.layout.version, objects.memory.spent), objects.memory.spent
        )

    def add(self, facts: Facts) -> None:
        """Add them, once the waits of threads are known.

        Raises:
            BudgetSpentError: too much of this process was looked at.
        """
        waiting = {
            wait.waiter: wait.target.address
            for wait in facts.waits
            if wait.waiter.pid == self._pid
            and wait.waiter.kind is NodeKind.THREAD
            and wait.target.kind in _GIVEN
            and not wait.expires
        }
        # Who looks again and again for what only code changes that nobody runs waits as well.
        looking = (one for one in facts.polled if one.written)
        waiting.update((one.waiter, 0) for one in looking if one.waiter.pid == self._pid)
        if not waiting or len(self._python.stacks) > _THREADS:
            return
        found: dict[int, list[_Taking]] = {}
        with suppress(DamagedDataError), foreign_data():
            for tid, frames in self._python.stacks.items():
                for one in self._takings(thread_id(self._pid, tid), frames):
                    found.setdefault(one.queue, []).append(one)
        for queue, takings in found.items():
            takers = tuple(dict.fromkeys(one.thread for one in takings))
            busy = all(waiting.get(one, queue) != queue for one in takers)
            size = self._work.count(queue) if busy else 0
            if size and all(one in waiting for one in takers):
                told = self._told(takings[0], takers, size, self._work.functions(queue))
                awaited = frozenset(filter(None, map(waiting.get, takers)))
                ends = self._work.calls_of(queue, awaited)
                may_end = () if ends else self._may_end(queue, takers, facts)
                facts.worker_queues.append(replace(told, ends=ends, may_end=may_end))
        if known := frozenset(filter(None, waiting.values())):
            with suppress(DamagedDataError), foreign_data():
                self._add_unwoken(facts, found, known)

    def _may_end(self, queue: int, takers: Sequence[NodeId], facts: Facts) -> tuple[str, ...]:
        """What its items come to that may end a wait of *takers*."""
        waits = [one for one in facts.waits if one.waiter in takers]
        wanted = {one.target.address or 0: complements(one) for one in waits}
        near = Near(wanted, self._python.objects, self._references)
        enders = WorkEnders(wanted, self._codes, self._mentions, self._values, near)
        with suppress(DamagedDataError), foreign_data():
            return enders.of(self._work.called(queue))
        return ()

    def _add_unwoken(
        self, facts: Facts, found: Mapping[int, Sequence[_Taking]], awaited: AbstractSet[int]
    ) -> None:
        """Those from which only threads take that wait for nothing that is known yet, and one of
        whose items has to do with what is waited for: what lies there may also be kept."""
        busy = {wait.waiter for wait in facts.waits}
        waited_for = {wait.target.address for wait in facts.waits}
        loops: dict[int, list[_Taking]] = {}
        for tid, frames in self._python.stacks.items():
            if (thread := thread_id(self._pid, tid)) not in busy:
                for one in self._in_loop(thread, frames):
                    loops.setdefault(one.queue, []).append(one)
        for queue, takings in loops.items():
            takers = tuple(dict.fromkeys(one.thread for one in takings))
            others = any(one.thread not in takers for one in found.get(queue, ()))
            size = 0 if others or queue in waited_for else self._work.count(queue)
            if size and self._work.leads_to(queue, awaited):
                told = self._told(takings[0], takers, size, self._work.functions(queue))
                facts.worker_queues.append(replace(told, unwoken=True))

    def _in_loop(self, thread: NodeId, frames: Sequence[Frame]) -> Iterator[_Taking]:
        """Where it comes to a queue in the application's innermost functions, or in what these
        call."""
        own = next((i for i, one in enumerate(frames[:_FRAMES]) if of_application(one)), 0)
        for frame in takewhile(of_application, frames[own : own + _NEAR]):
            scope = self._values.frame(frame)
            for one in self._mentions.ahead(frame.code, frame.instruction).mentions:
                value = self._value(one, scope)
                if value and (taken := self._taken(one, value)):
                    yield _Taking(thread, taken, frame, one)
                called = self._values.called(value, one.name) if value else None
                code = self._codes.code(called.code) if called else None
                if called and code:
                    yield from self._in_call(thread, frame, called, code)

    def _in_call(
        self, thread: NodeId, frame: Frame, called: Function, code: Code
    ) -> Iterator[_Taking]:
        scope = self._values.call(called, code.variables)
        for one in self._mentions.of(code):
            value = self._value(one, scope)
            if value and (taken := self._taken(one, value)):
                yield _Taking(thread, taken, frame, one, code)

    def _taken(self, mention: Mention, value: int) -> int:
        """The queue or deque whose method is called there, or the list that is read; 0: none."""
        kind = self._python.objects.kind
        if mention.name in _POPS:
            return value if kind(value) in ROWS else 0
        if mention.name in _TAKES:
            return value if self._is_queue(value) else 0
        with suppress(MemoryReadError):
            part = self._values.attribute(value, mention.name) if mention.name else None
            return part if part and kind(part) == _LIST else 0
        return 0

    def _takings(self, thread: NodeId, frames: Sequence[Frame]) -> Iterator[_Taking]:
        """Where it comes to a queue's ``get()`` further out than the application's line."""
        own = next((i for i, one in enumerate(frames[:_FRAMES]) if of_application(one)), None)
        for index, frame in enumerate(frames[:_FRAMES]):
            if own is None or index < own:
                continue  # what waits for its work there is no worker in the middle of some
            if self._of_executor(frame):
                work = self._python.frames.variables(frame).get("work_queue", 0)
                if work and self._is_queue(work):
                    yield _Taking(thread, work, frame, None)
            if is_primitive(frame):
                continue
            scope = self._values.frame(frame)
            for one in self._mentions.ahead(frame.code, frame.instruction).mentions:
                value = self._value(one, scope) if one.name == "get" else None
                if value and self._is_queue(value):
                    yield _Taking(thread, value, frame, one)

    @staticmethod
    def _of_executor(frame: Frame) -> bool:
        return frame.code.bare_name == "_worker" and frame.code.filename.endswith(_EXECUTOR)

    def _value(self, mention: Mention, scope: Scope) -> int | None:
        with suppress(MemoryReadError):
            if mention.receiver is not None:
                return self._values.of(mention.receiver, scope)
        return None

    def _is_queue(self, value: int) -> bool:
        objects = self._python.objects
        if objects.kind(value) == KIND:
            return True
        return not _CLASSES.isdisjoint(self._containers.classes(value))

    def _told(
        self, taking: _Taking, takers: tuple[NodeId, ...], size: int, work: tuple[str, ...]
    ) -> WorkerQueue:
        code = taking.called or taking.frame.code
        if taking.mention is None:
            where = clean(f"{code.function} ({taking.frame.place})", 120)
            return WorkerQueue(self._pid, _OF_EXECUTOR, where, size, takers, work)
        said = taking.mention.text(code)
        name = said.rpartition(".")[0] if taking.mention.name in _TAKES | _POPS else said
        line = self._codes.line(code, taking.mention.offset)
        where = clean(f"{code.function} ({code.file}:{line})", 120)
        return WorkerQueue(self._pid, clean(name, 80), where, size, takers, work)
