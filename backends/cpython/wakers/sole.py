"""Whether nobody but frames that were searched refers to an object: then whoever is to use it is
among those that the frames belong to.

An object counts how often it is referred to. If the variables of the frames make up for all of it,
no attribute, list, callback or timer leads to it.
"""

from collections.abc import Collection, Iterable

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_IMMORTAL = 1 << 30
"""From so many references on CPython 3.12 stops to count (Include/refcount.h)."""


class Sole:
    """Looks through frames of one interpreter."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._memory = objects.memory

    def of(
        self, wanted: Collection[int], frames: Iterable[Frame], besides: Collection[int] = ()
    ) -> frozenset[int]:
        """Those of the objects *wanted* that nothing but variables of *frames* refers to, and of
        those *besides* one thing more. Empty for free-threaded builds, which count in parts.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if self._objects.layout.free_threaded:
            return frozenset()
        seen: set[int] = set()
        direct = {one: int(one in besides) for one in wanted}
        cells: dict[int, int] = {}
        for frame in frames:
            if frame.slots in seen:
                continue  # the frames of a task that runs are those of its thread as well
            seen.add(frame.slots)
            for value in self._slots(frame):
                # A reference that counts nothing has a bit set (3.14 on): it is not equal.
                if value in direct:
                    direct[value] += 1
                elif self._objects.kind(value) == "cell":
                    cells[value] = cells.get(value, 0) + 1
        for cell, count in cells.items():
            content = self._content(cell)
            if content in direct and self.count(cell) == count:
                direct[content] += 1
        return frozenset(one for one, count in direct.items() if count and self.count(one) == count)

    def in_closure(self, function: int, wanted: int) -> bool:
        """Whether nothing but the closure of *function* refers to the object *wanted*."""
        objects = self._objects
        if objects.layout.free_threaded or self.count(wanted) != 1:
            return False
        try:
            cells = objects.tuple_items(
                self._memory.u64(function + objects.layout["func.func_closure"])
            )
        except MemoryReadError:
            return False
        return any(self._content(one) == wanted and self.count(one) == 1 for one in cells)

    def _slots(self, frame: Frame) -> tuple[int, ...]:
        count = len(frame.code.variables)
        self._memory.spent.objects(1 + count)
        try:
            return tuple(self._memory.words(frame.slots, count)) if count else ()
        except MemoryReadError:
            return ()

    def _content(self, cell: int) -> int:
        try:
            return self._objects.cell_contents(cell)
        except MemoryReadError:
            return 0

    def count(self, address: int) -> int | None:
        """How many references an object has; None: it does not say."""
        try:
            if not self._objects.layout.since(3, 12):
                return self._memory.i64(address)
            count = self._memory.u32(address)
        except MemoryReadError:
            return None
        return count if count < _IMMORTAL else None
