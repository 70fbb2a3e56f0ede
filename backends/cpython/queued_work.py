"""What lies in a queue of work: which functions of the program its items lead to."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import file_of_application
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.simple_queue import KIND, items
from hangtui.backends.cpython.wakers.values import CALLS, Function, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

ROWS = frozenset({"collections.deque", "list"})
_MOST_ITEMS, _MOST_TOLD = 50, 5
_STEPS, _PARTS, _MOST_PARTS = 3, 20, 100
"""From an item to its function: `_WorkItem.args[0].func`; parts of one object, and of one item."""
_PARTED = frozenset({"tuple", "list"})


class QueuedWork:
    """Reads the queues of one process."""

    def __init__(
        self, objects: Objects, codes: CodeReader, containers: Containers, values: Values
    ) -> None:
        self._objects = objects
        self._codes = codes
        self._containers = containers
        self._values = values

    def items(self, queue: int) -> Sequence[int]:
        """The items of a queue; empty: there are none, or they cannot be read."""
        with suppress(MemoryReadError):
            if self._objects.kind(queue) == KIND:
                return items(self._objects, queue)
            if self._objects.kind(queue) in ROWS:
                return self._containers.sequence(queue)
            kept = self._objects.attributes(queue).get("queue", 0)
            return self._containers.sequence(kept) if kept else ()
        return ()

    def count(self, queue: int) -> int:
        """How many items lie in a queue, without those that tell who takes them to end: None."""
        found = self.items(queue)
        marks = {one for one in set(found[:_MOST_ITEMS]) if self._is_none(one)}
        return sum(one not in marks for one in found)

    def _is_none(self, item: int) -> bool:
        with suppress(MemoryReadError):
            return self._objects.kind(item) == "NoneType"
        return False

    def functions(self, queue: int) -> tuple[str, ...]:
        """Those of the program that the items lead to first: ``Office.load_rates``.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found = (self._function(item) for item in self.items(queue)[:_MOST_ITEMS])
        return tuple(islice(dict.fromkeys(filter(None, found)), _MOST_TOLD))

    def called(self, queue: int) -> Iterator[Function]:
        """Those of the program that the items lead to first, with what they are bound to.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        told = set[int]()
        for item in self.items(queue)[:_MOST_ITEMS]:
            for part in self._within(item):
                with suppress(MemoryReadError):
                    known = self._objects.kind(part) in CALLS and self._name(part)
                    function = self._values.function(part) if known else None
                    if function and function.code not in told:
                        told.add(function.code)
                        yield function

    def leads_to(self, queue: int, wanted: AbstractSet[int]) -> bool:
        """Whether one of *wanted* belongs to an item.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        items = self.items(queue)[:_MOST_ITEMS]
        return any(part in wanted for item in items for part in self._within(item))

    def calls_of(self, queue: int, wanted: AbstractSet[int]) -> bool:
        """Whether an item is a call of a method of one of *wanted*: ``pool.submit(ready.set)``.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        parts = (part for item in self.items(queue)[:_MOST_ITEMS] for part in self._within(item))
        return any(self._is_call_of(part, wanted, _STEPS) for part in parts)

    def _is_call_of(self, part: int, wanted: AbstractSet[int], steps: int) -> bool:
        """Whether it is such a method, or a function or partial call that is put around one."""
        kind = self._objects.kind(part)
        if kind == "method":
            return self._objects.bound_to(part) in wanted
        if kind not in CALLS or not steps:
            return False
        inner = self._containers.mentioned(part)[:_PARTS]
        return any(self._is_call_of(one, wanted, steps - 1) for one in inner)

    def _function(self, item: int) -> str:
        for part in self._within(item):
            with suppress(MemoryReadError):
                if self._objects.kind(part) in CALLS and (name := self._name(part)):
                    return name
        return ""

    def _within(self, item: int) -> Iterator[int]:
        """An item and what belongs to it, but for what belongs to a function of that."""
        pending, seen = [(item, 0)], {item}
        for part, steps in pending:
            yield part
            with suppress(MemoryReadError):
                if steps == _STEPS or self._objects.kind(part) in CALLS:
                    continue
                parts = [one for one in islice(self._parts(part), _PARTS) if one not in seen]
                seen.update(parts)
                pending += ((one, steps + 1) for one in parts if len(pending) < _MOST_PARTS)

    def _parts(self, value: int) -> Iterator[int]:
        if self._objects.kind(value) in _PARTED:
            yield from self._containers.sequence(value)
        else:
            yield from self._containers.members(value).values()

    def _name(self, value: int) -> str:
        """The name of a function, or of what a partial call calls; empty: it is a library's."""
        function = self._values.function(value)
        code = self._codes.code(function.code) if function else None
        if code is None or not file_of_application(code.filename):
            return ""
        return clean(code.function, 100)
