"""What the ``__slots__`` of an object's class refer to, in foreign memory."""

from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_MEMBER_TYPE, _MEMBER_OFFSET = 8, 16
"""PyMemberDef.type and offset (Include/descrobject.h)."""
_OBJECT, _OBJECT_EX = 6, 16
"""What members that are references have as their type; those of C code may be numbers."""
_MAX_CLASSES = 100


class Slots:
    """Reads those of one interpreter; where they lie is looked up once for each class."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._known: dict[int, dict[str, int]] = {}

    def of(self, address: int) -> dict[str, int]:
        """All of an object's, by name, that refer to something. Never raises."""
        found = {}
        try:
            for name, offset in self._offsets(address).items():
                found[name] = self._memory.u64(address + offset)
        except MemoryReadError:
            pass
        return {name: value for name, value in found.items() if value}

    def one(self, address: int, name: str) -> int:
        """What one of them refers to; 0: nothing, or there is no such slot. Never raises."""
        try:
            offset = self._offsets(address).get(name)
            return 0 if offset is None else self._memory.u64(address + offset)
        except MemoryReadError:
            return 0

    def _offsets(self, address: int) -> Mapping[str, int]:
        kind = self._objects.type_of(address)
        if kind not in self._known:
            self._known[kind] = dict(self._members(kind))
        return self._known[kind]

    def _members(self, kind: int) -> Iterator[tuple[str, int]]:
        layout = self._objects.layout
        order = self._memory.u64(kind + layout["type.tp_mro"])
        for base in self._objects.tuple_items(order)[:_MAX_CLASSES] if order else ():
            namespace = self._memory.u64(base + layout["type.tp_dict"])
            for name, value in self._objects.named(namespace).items() if namespace else ():
                if self._objects.kind(value) == "member_descriptor":
                    member = self._memory.u64(value + layout["memberdescr.d_member"])
                    if self._memory.u32(member + _MEMBER_TYPE) in (_OBJECT, _OBJECT_EX):
                        yield name, self._memory.i64(member + _MEMBER_OFFSET)
