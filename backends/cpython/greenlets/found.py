"""All objects of certain types in an interpreter, by what they are to whoever asks."""

from collections.abc import Mapping

from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_MAX_CLASSES = 50


class Found:
    """Objects whose types are, or are derived from, one of *bases*: their roles by address."""

    def __init__(self, objects: Objects, lists: GcLists, bases: Mapping[int, str]) -> None:
        self._objects = objects
        self._bases = bases
        self.types: dict[int, str] = {}
        """The role that instances of each type have; empty: none."""
        self.by_role: dict[str, list[int]] = {role: [] for role in bases.values()}
        self._walk(lists)

    def _walk(self, lists: GcLists) -> None:
        """Every object of the program passes here: nothing is done twice."""
        field, u64 = self._objects.layout["object.ob_type"], self._objects.memory.u64
        types: dict[int, str] = {}
        for address in lists.objects():
            try:
                kind = u64(address + field)
            except MemoryReadError:
                continue
            role = types.get(kind)
            if role is None:
                role = types[kind] = self._role(kind)
            if role:
                self.by_role[role].append(address)
        self.types = types

    def _role(self, kind: int) -> str:
        """What the nearest of the bases of a type makes of it."""
        layout, memory = self._objects.layout, self._objects.memory
        try:
            order = memory.u64(kind + layout["type.tp_mro"])
            classes = self._objects.tuple_items(order)[:_MAX_CLASSES] if order else ()
        except MemoryReadError:
            return ""
        return next((self._bases[one] for one in classes if one in self._bases), "")
