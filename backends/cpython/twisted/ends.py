"""What is called once a function of Twisted has ended, and which Deferreds that comes to fire.

Whoever waits for a Deferred that nobody holds may wait for the end of another function: what was
added to the Deferred of that one fires it (a cache that tells all who asked for the same).
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.twisted.deferreds import Deferreds
from hangtui.backends.cpython.twisted.flows import Flow
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Function, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Complement,
    CouldWake,
    Evidence,
    Nearness,
    NodeKind,
    Source,
    clean,
    resource_id,
    task_id,
)

_FIRES = ("callback", "errback")
_MOST_FLOWS = 500


@dataclass(frozen=True, slots=True)
class Firing:
    """The end of a flow comes to fire a Deferred."""

    flow: int
    deferred: int
    function: str
    """What is called with the result of the flow."""


class Ends:
    """Reads them in one interpreter."""

    def __init__(self, python: PythonReader, containers: Containers, deferreds: Deferreds) -> None:
        self._python = python
        self._containers = containers
        self._deferreds = deferreds

    def wakers(
        self, pid: int, flows: Iterable[Flow], reading: AsyncReading, work: Container[int]
    ) -> Iterator[CouldWake]:
        """Which *flows* fire, once they have ended, what others wait for that no thread does, as
        *work* is; nothing where a connection may bring what fires it.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        loops = reading.loops.values()
        if any(one.watched is None or one.watched != one.accepting for one in loops):
            return
        waits = [one.awaited for one in reading.tasks.values() if one.awaited]
        futures = (one for one in waits if one.kind is NodeKind.FUTURE and not one.expires)
        wanted = {one.address for one in futures if one.address not in work}
        for one in self.of(flows, wanted) if wanted else ():
            text = f"{one.function}() is called once it has ended, and fires it"
            where = reading.tasks[one.flow].place
            yield CouldWake(
                resource_id(NodeKind.FUTURE, pid, one.deferred),
                task_id(pid, one.flow),
                Complement.SET_RESULT,
                Nearness.AHEAD,
                Evidence(Source.CPYTHON, Certainty.INFERRED, text, where),
                one.function,
            )

    def of(self, flows: Iterable[Flow], wanted: Collection[int]) -> Iterator[Firing]:
        """Which of *flows* fire which of the Deferreds *wanted*.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        python = self._python
        near = Near(wanted, python.objects, python.references)
        values = Values(python.objects, python.frames, python.references, self._containers)
        for flow in list(flows)[:_MOST_FLOWS]:
            for function, arguments in self._deferreds.callbacks(flow.deferred):
                try:
                    yield from self._firings(flow, function, arguments, near, values)
                except MemoryReadError:
                    continue

    def _firings(
        self, flow: Flow, function: int, arguments: Iterable[int], near: Near, values: Values
    ) -> Iterator[Firing]:
        objects = self._python.objects
        address = objects.function_code(function)
        if not address:
            return
        code = self._python.codes.code(address)
        if not any(name in code.names for name in _FIRES):
            return
        objects.memory.spent.objects(1)
        bound = objects.bound_to(function)
        plain = function if objects.kind(function) == "function" else 0
        found = {one for value in (bound, *arguments) for one in near.targets(value)}
        if plain:
            scope = values.call(Function(plain, address), code.variables)
            named = (scope.namespace[name] for name in code.names if name in scope.namespace)
            for value in (*scope.slots.values(), *named):
                found |= near.targets(value)
        for deferred in found:
            yield Firing(flow.address, deferred, clean(code.bare_name, 80))


def called_by_its_waiter(task: TaskReading, names: Mapping[int, str]) -> TaskReading:
    """The same; a Deferred that no variable names is called by the function that waits for it."""
    awaited, own = task.awaited, task.frames[-1].code.function if task.frames else None
    if (
        awaited is None
        or own is None
        or awaited.label
        or awaited.kind is not NodeKind.FUTURE
        or awaited.address in names
    ):
        return task
    return replace(task, awaited=replace(awaited, label=f"the Deferred awaited in {own}"))
