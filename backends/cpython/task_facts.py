"""Tasks and greenlets with their waits and holds, added to what is known of the threads."""

from collections.abc import Collection
from contextlib import suppress

from hangtui.backends.cpython.aio.edges import TaskEdges
from hangtui.backends.cpython.aio.failed import FailedTask
from hangtui.backends.cpython.aio.registry import MAX_TASKS
from hangtui.backends.cpython.aio.scheduler import AsyncioScheduler
from hangtui.backends.cpython.aio.tasks import AsyncReading
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.greenlet_facts import GreenletResolver
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.scheduler import Scheduler
from hangtui.backends.cpython.stream_tasks import StreamTasks
from hangtui.backends.cpython.trio.scheduler import TrioScheduler
from hangtui.backends.cpython.twisted.scheduler import TwistedScheduler
from hangtui.backends.cpython.unmoved_tasks import Known, UnmovedTasks
from hangtui.backends.cpython.wakers.later import LoopCall
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.offspring import called
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import (
    LoopState,
    NodeId,
    Notice,
    Source,
    TaskState,
    clean,
    resource_id,
    task_id,
)


class TaskResolver:
    """Resolves what the tasks of one process wait for and hold."""

    def __init__(self, pid: int, python: PythonReader, *, live: bool = True) -> None:
        self._pid = pid
        self._live = live
        self._python = python
        self._greenlets = GreenletResolver(pid, python, live=live)
        self.suspects: set[int] = set()
        """TIDs of loops that should be watched for longer, to be sure that they stand still."""
        self.notices: list[Notice] = []
        self.stacks: dict[NodeId, tuple[Frame, ...]] = {}
        """The frames of each task, innermost first."""
        self.suspended: dict[NodeId, tuple[Frame, ...]] = {}
        """The frames of each suspended one, innermost first."""
        self.stand_ins: dict[int, NodeId] = {}
        """Who is meant where a limiter records an object in somebody's place, by its address."""

        self.descriptors: dict[NodeId, int] = {}
        """Those that wait for a file descriptor, and which, where their library watches it."""
        self._known: dict[NodeId, Known] = {}
        self.failed: list[FailedTask] = []
        """Tasks that have ended with an exception."""
        self.timers: list[LoopCall] = []
        """What timers of event loops call, and when."""
        self.others: list[Other] = []
        """Objects whose methods end waits of tasks, beside those that these wait for."""
        self.streams = StreamTasks(pid, python)

    def add(self, facts: Facts) -> None:
        """Add all tasks, after the waits of threads are known."""
        for scheduler in (
            AsyncioScheduler(self._pid, self._python),
            TrioScheduler(self._pid, self._python),
            TwistedScheduler(self._pid, self._python),
        ):
            for reading in self._readings(scheduler):
                self._add(facts, reading)
                self.failed += reading.failed
                self.streams.add(reading)
                self._known |= self._unmoved(scheduler, reading)
                self._join(scheduler, facts, reading)
                self.stand_ins |= scheduler.stand_ins
                self.others += scheduler.others
                for loop in reading.loops.values():
                    self.timers += () if loop.stopped_clock else loop.calls
                self._suspect(facts, reading)
                if reading.truncated:
                    message = f"there are more than {MAX_TASKS:,} tasks: not all of them were read"
                    spent = self._python.objects.memory.spent
                    spent.reach(f"tasks of {scheduler.library}", Source.CPYTHON, message)
        self._add_greenlets(facts)
        if self._live and self._known:
            UnmovedTasks(self._pid, self._python.objects).mark(facts, self._known)

    def woken(self, node: NodeId) -> bool:
        """Whether a task that was read in a wait is out of it by now."""
        return bool(self.gone_on((node,)))

    def gone_on(self, nodes: Collection[NodeId]) -> set[NodeId]:
        """Those of *nodes* that were read as tasks in a wait and are out of it by now."""
        known = {node: self._known[node] for node in nodes if node in self._known}
        if not known or not self._live:
            return set()
        self._python.objects.memory.forget()
        return {node for node, one in known.items() if not self._waits_still(one)}

    def _waits_still(self, known: Known) -> bool:
        with suppress(DamagedDataError), foreign_data():
            return known.same(known.task)
        return True

    def _unmoved(self, scheduler: Scheduler, reading: AsyncReading) -> dict[NodeId, Known]:
        """The tasks that may stand still although their loop goes on."""
        tids = {loop.address: loop.tid for loop in reading.loops.values()}
        return {
            task_id(self._pid, task.address): Known(task, tid, scheduler.same)
            for task in reading.tasks.values()
            if (tid := tids.get(task.raw.loop)) is not None
        }

    def _add(self, facts: Facts, reading: AsyncReading) -> None:
        edges = TaskEdges(
            self._pid,
            reading,
            self._child,
            self._python.loops,
            self._python.message_loops,
            self._python.docs,
        )
        for task in reading.tasks.values():
            node = task_id(self._pid, task.address)
            self.stacks[node] = task.frames
            if task.state is not TaskState.RUNNING:
                self.suspended[node] = task.frames
            if task.awaited and task.awaited.descriptor is not None:
                self.descriptors[node] = task.awaited.descriptor
        facts.tasks += edges.tasks()
        facts.event_loops += edges.event_loops()
        facts.waits += edges.waits()
        facts.holds += edges.holds()
        for resource in edges.resources():
            facts.resources.setdefault(resource.id, resource)

    def _join(self, scheduler: Scheduler, facts: Facts, reading: AsyncReading) -> None:
        """What the tasks have to do with threads; what was found of it stays."""
        with suppress(DamagedDataError), foreign_data():
            scheduler.join(facts, reading)

    def _add_greenlets(self, facts: Facts) -> None:
        greenlets = self._greenlets
        try:
            greenlets.add(facts)
        except BudgetSpentError:
            return
        self.notices += greenlets.notices
        self.suspects |= greenlets.suspects
        self.stacks |= greenlets.stacks
        self.suspended |= greenlets.stacks
        self.descriptors |= greenlets.descriptors

    def _child(self, number: int) -> int | None:
        return called(self._pid, number) if self._live else None

    def _readings(self, scheduler: Scheduler) -> list[AsyncReading]:
        try:
            return list(scheduler.readings())
        except BudgetSpentError:
            return []
        except Exception as error:  # noqa: BLE001  what the tasks of a busy loop lead to is anything
            reason = f"{type(error).__name__}: {error}"
            message = f"the tasks of {scheduler.library} could not be read: {reason}"
            self.notices.append(Notice(Source.CPYTHON, clean(message, 200), None, self._pid))
            return []

    def _suspect(self, facts: Facts, reading: AsyncReading) -> None:
        """Loops that are held up by what they run, and those one of whose tasks has a lock that
        others wait for."""
        awaited = {wait.target for wait in facts.waits}
        contended = {
            hold.task
            for hold in reading.holds
            if resource_id(hold.kind, self._pid, hold.lock) in awaited
        }
        keepers = {task.raw.loop for task in reading.tasks.values() if task.address in contended}
        for loop in reading.loops.values():
            if loop.tid is None:
                continue
            if loop.state is LoopState.BUSY or loop.address in keepers:
                self.suspects.add(loop.tid)
