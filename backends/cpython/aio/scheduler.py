"""asyncio as one of the schedulers, and where its tasks and threads wait for each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from hangtui.backends.cpython.aio.bridges import Bridges
from hangtui.backends.cpython.aio.tasks import AsyncReader, AsyncReading, TaskReading
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.facts import Facts
from hangtui.model import Hold, NodeId, NodeKind, label_of

_FUTURE = "concurrent.futures.Future"


class AsyncioScheduler:
    """Reads the tasks of asyncio in one process."""

    library = "asyncio"
    stand_ins: Mapping[int, NodeId] = MappingProxyType({})
    others: Sequence[Other] = ()

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._reader = AsyncReader(python)
        futures, containers = self._reader.futures, self._reader.containers
        self._bridges = Bridges(pid, python, futures, containers)

    def readings(self) -> Iterator[AsyncReading]:
        """One for each interpreter that uses asyncio."""
        return self._reader.readings()

    def join(self, facts: Facts, reading: AsyncReading) -> None:
        """Who sets the futures that lie between threads and tasks.

        What is proven of a future replaces what was supposed of it.
        """
        awaited = {wait.target for wait in facts.waits}
        futures = [
            node.address
            for node in awaited
            if node.kind is NodeKind.FUTURE and node.pid == self._pid and node.address is not None
        ]
        found = list(self._bridges.setters(reading, futures))
        proven = {hold.resource for hold in found}
        self._name_futures(facts, found)
        facts.holds[:] = [hold for hold in facts.holds if hold.resource not in proven]
        known = {(hold.resource, hold.holder) for hold in facts.holds}
        found += self._bridges.workers(reading)
        facts.holds += [hold for hold in found if (hold.resource, hold.holder) not in known]

    def same(self, task: TaskReading) -> bool:
        """Whether a task that was read before waits now, at the same place, for the same thing."""
        return self._reader.same(task)

    def _name_futures(self, facts: Facts, setters: list[Hold]) -> None:
        """Call a future that no variable names by the task that will set it."""
        functions = {task.id: task.function for task in facts.tasks if task.pid == self._pid}
        for hold in setters:
            known, function = facts.resources.get(hold.resource), functions.get(hold.holder)
            if known and function and known.name is None and known.type_name == _FUTURE:
                name = f"future of {function}"
                label = label_of(name, _FUTURE)
                facts.resources[known.id] = replace(known, label=label, name=name)
