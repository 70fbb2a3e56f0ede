"""Which tasks have a connection of asyncio in hand: whose variables lead to its transport, or to
the protocol above that."""

from collections.abc import Collection, Iterable, Sequence

from hangtui.backends.cpython.aio.tasks import TaskReading
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.referents import ITEM, KEY
from hangtui.backends.cpython.trio.fields import Fields

_MOST_TASKS, _MOST_FRAMES = 500, 20
"""Tasks of one process that are looked through, and innermost frames of each."""
_STEPS = 3
"""From a variable to a transport: a request, its protocol, the transport."""


class TransportUsers:
    """Finds them in one interpreter."""

    def __init__(self, python: PythonReader, fields: Fields) -> None:
        self._python = python
        self._fields = fields

    def of(self, transport: int, tasks: Iterable[TaskReading]) -> list[TaskReading]:
        """Those of *tasks* that have it in hand, but for who waits for another one of them.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        protocol = self._fields.of(transport, "_protocol")
        above = (self._fields.of(protocol, name) for name in ("_app_protocol", "_app_transport"))
        goals = {transport, protocol, *above} - {0}
        few = list(tasks)[:_MOST_TASKS]
        found = [one for one in few if self._leads(one.frames, goals)]
        inner = {one.address for one in found}
        return [one for one in found if not (one.awaited and inner & {*one.awaited.tasks})]

    def _leads(self, frames: Sequence[Frame], goals: Collection[int]) -> bool:
        """Whether variables lead to one of *goals*, by names alone: a server keeps all of its
        connections in a list."""
        return any(
            address in goals and not {ITEM, KEY} & {*way}
            for frame in frames[:_MOST_FRAMES]
            for value in set(self._python.frames.variables(frame).values())
            for way, address in self._python.references.walk(value, _STEPS)
        )
