"""Tasks and greenlets with their waits and holds, added to what is known of the threads."""

from dataclasses import replace

from hangtui.backends.cpython.aio.bridges import Bridges
from hangtui.backends.cpython.aio.edges import TaskEdges
from hangtui.backends.cpython.aio.registry import MAX_TASKS
from hangtui.backends.cpython.aio.tasks import AsyncReader, AsyncReading
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.greenlet_facts import GreenletResolver
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.offspring import called
from hangtui.backends.limits import BudgetSpentError
from hangtui.model import (
    Hold,
    LoopState,
    NodeId,
    NodeKind,
    Notice,
    Source,
    TaskState,
    clean,
    label_of,
    resource_id,
    task_id,
)

_FUTURE = "concurrent.futures.Future"


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

    def add(self, facts: Facts) -> None:
        """Add all tasks, after the waits of threads are known."""
        reader = AsyncReader(self._python)
        bridges = Bridges(self._pid, self._python, reader.futures, reader.containers)
        for reading in self._readings(reader):
            edges = TaskEdges(self._pid, reading, self._child)
            for task in reading.tasks.values():
                self.stacks[task_id(self._pid, task.address)] = task.frames
            self.suspended |= {
                task_id(self._pid, task.address): task.frames
                for task in reading.tasks.values()
                if task.state is not TaskState.RUNNING
            }
            facts.tasks += edges.tasks()
            facts.event_loops += edges.event_loops()
            facts.waits += edges.waits()
            facts.holds += edges.holds()
            for resource in edges.resources():
                facts.resources.setdefault(resource.id, resource)
            self._add_bridges(facts, reading, bridges)
            self._suspect(facts, reading)
            if reading.truncated:
                message = f"there are more than {MAX_TASKS:,} tasks: not all of them were read"
                spent = self._python.objects.memory.spent
                spent.reach("tasks of asyncio", Source.CPYTHON, message)
        self._add_greenlets(facts)

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

    def _child(self, number: int) -> int | None:
        return called(self._pid, number) if self._live else None

    def _readings(self, reader: AsyncReader) -> list[AsyncReading]:
        try:
            return list(reader.readings())
        except BudgetSpentError:
            return []
        except Exception as error:  # noqa: BLE001  what the tasks of a busy loop lead to is anything
            message = f"the tasks of asyncio could not be read: {type(error).__name__}: {error}"
            self.notices.append(Notice(Source.CPYTHON, clean(message, 200), None, self._pid))
            return []

    def _add_bridges(self, facts: Facts, reading: AsyncReading, bridges: Bridges) -> None:
        """Who sets the futures that lie between threads and tasks.

        What is proven of a future replaces what was supposed of it.
        """
        awaited = {wait.target for wait in facts.waits}
        futures = [
            node.address
            for node in awaited
            if node.kind is NodeKind.FUTURE and node.pid == self._pid and node.address is not None
        ]
        found = list(bridges.setters(reading, futures))
        proven = {hold.resource for hold in found}
        self._name_futures(facts, found)
        facts.holds[:] = [hold for hold in facts.holds if hold.resource not in proven]
        known = {(hold.resource, hold.holder) for hold in facts.holds}
        found += bridges.workers(reading)
        facts.holds += [hold for hold in found if (hold.resource, hold.holder) not in known]

    def _name_futures(self, facts: Facts, setters: list[Hold]) -> None:
        """Call a future that no variable names by the task that will set it."""
        functions = {task.id: task.function for task in facts.tasks if task.pid == self._pid}
        for hold in setters:
            known, function = facts.resources.get(hold.resource), functions.get(hold.holder)
            if known and function and known.name is None and known.type_name == _FUTURE:
                name = f"future of {function}"
                label = label_of(name, _FUTURE)
                facts.resources[known.id] = replace(known, label=label, name=name)

    def _suspect(self, facts: Facts, reading: AsyncReading) -> None:
        """Loops whose tasks wait for locks that others of them hold, and loops held up by one."""
        awaited = {wait.target for wait in facts.waits}
        contended = {
            hold.task
            for hold in reading.holds
            if resource_id(hold.kind, self._pid, hold.lock) in awaited
        }
        for task in reading.tasks.values():
            loop = reading.loops.get(task.raw.loop)
            if loop is None or loop.tid is None:
                continue
            runs = task.state is TaskState.RUNNING and loop.state is LoopState.BUSY
            if runs or task.address in contended:
                self.suspects.add(loop.tid)
