"""Which tasks have a connection of asyncio in hand: whose variables lead to its transport, or to
the protocol above that."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice

from hangtui.backends.cpython.aio.tasks import TaskReading
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.referents import ITEM, KEY
from hangtui.backends.cpython.trio.fields import Fields

_MOST_TASKS, _MOST_FRAMES = 500, 20
"""Tasks of one process that are looked through, and innermost frames of each."""
_STEPS = 3
"""From a variable to a transport: a request, its protocol, the transport."""
TO_A_PIPE = 5
"""From a variable to a pipe of a child: an object, one of its own, the process, its stream, the
transport. Who else may write there is asked, not who has it in hand."""

_STREAMS = {1: "stdout", 2: "stderr"}
"""What asyncio calls the streams of a child, by their numbers."""


class TransportUsers:
    """Finds them in one interpreter."""

    def __init__(self, python: PythonReader, fields: Fields) -> None:
        self._python = python
        self._fields = fields

    def of(
        self, transports: Collection[int], tasks: Iterable[TaskReading], steps: int = _STEPS
    ) -> dict[int, list[TaskReading]]:
        """Those of *tasks* that have each of *transports* in hand, by its address, or lead to it by
        so many steps.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        goals = {goal: one for one in transports for goal in self._goals(one)}
        found: dict[int, list[TaskReading]] = {one: [] for one in transports}
        # What tasks share, a server's application, is looked through once.
        led = cache(lambda value: self._led(value, goals, steps))
        for task in islice(tasks, _MOST_TASKS) if goals else ():
            for transport in {one for value in self._values(task.frames) for one in led(value)}:
                found[transport].append(task)
        return found

    def reading(self, transport: int, tasks: Iterable[TaskReading]) -> list[TaskReading]:
        """Those of *tasks* that read from a pipe of a child, or go through what comes from it: who
        has its stream in a variable or iterates over it.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        protocol = self._fields.of(transport, "_protocol")
        number = self._fields.containers.integer(self._fields.of(protocol, "fd"))
        name = _STREAMS.get(number) if number is not None else None
        stream = self._fields.path(protocol, "proc", "_protocol", name) if name else 0
        if not stream:
            return []
        return [task for task in islice(tasks, _MOST_TASKS) if self._has(task.frames, stream)]

    def _has(self, frames: Sequence[Frame], stream: int) -> bool:
        inner, read = frames[:_MOST_FRAMES], self._python.frames
        return any(
            stream in read.variables(frame).values() or stream in read.stack_slots(frame)
            for frame in inner
        )

    def _goals(self, transport: int) -> set[int]:
        """A transport, its protocol, and what lies above that where it is one of TLS."""
        protocol = self._fields.of(transport, "_protocol")
        above = (self._fields.of(protocol, name) for name in ("_app_protocol", "_app_transport"))
        return {transport, protocol, *above} - {0}

    def _values(self, frames: Sequence[Frame]) -> set[int]:
        inner = frames[:_MOST_FRAMES]
        return {one for frame in inner for one in self._python.frames.variables(frame).values()}

    def _led(self, value: int, goals: Mapping[int, int], steps: int) -> frozenset[int]:
        """The transports to which a variable's value leads, by names alone: a server keeps all of
        its connections in a list."""
        return frozenset(
            goals[address]
            for way, address in self._python.references.walk(value, steps)
            if address in goals and not {ITEM, KEY} & {*way}
        )


def innermost(tasks: Sequence[TaskReading]) -> list[TaskReading]:
    """Those that wait for no other one of them."""
    inner = {one.address for one in tasks}
    return [one for one in tasks if not (one.awaited and inner & {*one.awaited.tasks})]
