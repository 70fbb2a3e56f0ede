"""Whether nobody but frames that were searched refers to an object: then whoever is to use it is
among those that the frames belong to.

An object counts how often it is referred to. If the variables of the frames make up for all of it,
and those of functions that were defined there, and attributes of objects, that nothing else leads
to, no other attribute, no list, callback or timer leads to it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_IMMORTAL = 1 << 30
"""From so many references on CPython 3.12 stops to count (Include/refcount.h)."""
_DICT_BEHIND_WEAK = 80
"""How far ``tp_dictoffset`` lies behind ``tp_weaklistoffset``."""
_LEADS_ON = frozenset({"cell", "function"})
_NONE: Mapping[int, Sequence[int]] = MappingProxyType({})


class Sole:
    """Looks through frames of one interpreter."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._memory = objects.memory

    def of(
        self,
        wanted: Collection[int],
        frames: Iterable[Frame],
        besides: Iterable[int] = (),
        owners: Mapping[int, Sequence[int]] = _NONE,
    ) -> frozenset[int]:
        """Those of the objects *wanted* that nothing but variables of *frames* refers to, and as
        often as they are among those *besides* something that is known. Empty for free-threaded
        builds, which count in parts.

        *owners*: instances that have some of *wanted* as attributes, and which: such a one passes
        on what it refers to if nothing else leads to it either.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if self._objects.layout.free_threaded:
            return frozenset()
        seen, wanted, onward = set[int](), frozenset(wanted), owners.keys() | wanted
        known = Counter(dict.fromkeys(wanted, 0))
        known.update(besides)
        for frame in frames:
            if frame.slots in seen:
                continue  # the frames of a task that runs are those of its thread as well
            seen.add(frame.slots)
            # A reference that counts nothing has a bit set (3.14 on): it is not equal.
            known.update(self._counted((*self._slots(frame), self._function_of(frame)), onward))
        left = set(known)
        # A cell, or what else nothing else leads to, passes on what it refers to itself.
        while whole := [one for one in left - wanted if self._is_whole(one, known[one])]:
            left.difference_update(whole)
            for one in whole:
                inner = self._counted(owners.get(one) or self._inside(one), onward)
                known.update(inner)
                left.update(inner)
        alone = (one for one in wanted if known[one] and self.count(one) == known[one])
        return frozenset(one for one in alone if not self._weakly(one))

    def _is_whole(self, address: int, known: int) -> bool:
        """Whether nothing leads to a cell, a function or an owner but what is *known*."""
        if self.count(address) != known:
            return False
        kind = self._objects.kind(address)
        if kind == "cell":
            return True
        return not self._weakly(address) and (kind == "function" or self._has_own(address))

    def _has_own(self, owner: int) -> bool:
        """Whether nobody else has the dict of an instance, as all of a class may share one."""
        try:
            dictionary = self._objects.dictionary(owner)
        except MemoryReadError:
            return False
        return not dictionary or self.count(dictionary) == 1

    def _weakly(self, address: int) -> bool:
        """Whether a weak reference leads to it, as that of a ``WeakSet`` does: it counts nothing,
        and whoever has it may use the object. Not known: it may."""
        objects, layout = self._objects, self._objects.layout
        # Between them are ten other fields (PyTypeObject in Include/cpython/object.h).
        place = layout["type.tp_dictoffset"] - _DICT_BEHIND_WEAK
        try:
            offset = self._memory.i64(objects.type_of(address) + place)
            return offset != 0 and self._memory.u64(address + offset) != 0
        except MemoryReadError:
            return True

    def _counted(self, values: Iterable[int], wanted: Collection[int]) -> list[int]:
        """Those of *values* that are *wanted*, or lead on."""
        return [one for one in values if one in wanted or self._objects.kind(one) in _LEADS_ON]

    def _inside(self, address: int) -> Sequence[int]:
        """What a cell or a function leads on to."""
        if self._objects.kind(address) == "cell":
            return (self._content(address),)
        return self._closure(address)

    def in_closure(self, function: int, wanted: int) -> bool:
        """Whether nothing but the closure of *function* refers to the object *wanted*."""
        objects = self._objects
        if objects.layout.free_threaded or self.count(wanted) != 1:
            return False
        cells = self._closure(function)
        return any(self._content(one) == wanted and self.count(one) == 1 for one in cells)

    def _closure(self, function: int) -> Sequence[int]:
        """The cells of a function's closure that nobody shares; empty: it has none."""
        objects = self._objects
        try:
            closure = self._memory.u64(function + objects.layout["func.func_closure"])
            return objects.tuple_items(closure) if self.count(closure) == 1 else ()
        except MemoryReadError:
            return ()

    def _function_of(self, frame: Frame) -> int:
        """The function that a frame runs and refers to; 0: it does not, up to CPython 3.10. It
        lies before the globals (Include/internal/pycore_frame.h)."""
        layout = self._objects.layout
        if not layout.since(3, 11):
            return 0
        self._memory.spent.objects(1)
        try:
            return self._memory.u64(frame.address + layout["iframe.f_globals"] - 8)
        except MemoryReadError:
            return 0

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
