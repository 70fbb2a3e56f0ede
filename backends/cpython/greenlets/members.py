"""Fields of objects of classes that Cython has compiled, or that run as Python.

A compiled class describes only the fields that it shows; the others are where its declaration puts
them, in the order of that.
"""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_MAX_CLASSES = 50


class Members:
    """Reads them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._containers = containers
        self._compiled: dict[int, bool] = {}

    def compiled(self, address: int) -> bool:
        """Whether Cython has compiled the class of an object, or one that it is derived from."""
        kind = self._objects.type_of(address)
        if kind not in self._compiled:
            self._compiled[kind] = self._has_table(kind)
        return self._compiled[kind]

    def _has_table(self, kind: int) -> bool:
        layout = self._objects.layout
        order = self._memory.u64(kind + layout["type.tp_mro"])
        for base in self._objects.tuple_items(order)[:_MAX_CLASSES] if order else ():
            namespace = self._memory.u64(base + layout["type.tp_dict"])
            if namespace and "__pyx_vtable__" in self._objects.named(namespace):
                return True
        return False

    def reference(self, address: int, name: str, offset: int) -> int:
        """The object that a field refers to; 0: none."""
        if self.compiled(address):
            return self._memory.u64(address + offset)
        return self.all(address).get(name, 0)

    def number(self, address: int, name: str, offset: int) -> int | None:
        """A field that is a C ``int``, or in Python an ``int`` or ``bool``; None: not known."""
        if self.compiled(address):
            return self._memory.i32(address + offset)
        value = self.all(address).get(name, 0)
        if self._objects.kind(value) not in ("int", "bool"):
            return None
        return self._objects.integer(value)

    def all(self, address: int) -> dict[str, int]:
        """The slots and attributes of an object of a class in Python."""
        return self._containers.members(address)

    def items_of_set(self, address: int) -> list[int]:
        """The items of a set, or nothing. Never raises."""
        return self._containers.members_of_set(address)

    def sequence(self, address: int) -> list[int]:
        """The items of a list, tuple or deque, or nothing. Never raises."""
        try:
            return self._containers.sequence(address)
        except MemoryReadError:
            return []
