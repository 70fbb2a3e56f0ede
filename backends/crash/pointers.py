"""What values would point to, and which mappings an address hits or misses."""

from collections.abc import Iterable

from hangtui.backends.memory.mappings import Mapping, display_path
from hangtui.backends.memory.reader import Memory
from hangtui.model import NULL_PAGES, PointerKind, Region

_NEIGHBOURS = 3


class Pointers:
    """Classifies the values of one process."""

    def __init__(self, memory: Memory, stack_pointers: Iterable[int]) -> None:
        self._memory = memory
        found = (memory.mapping_at(pointer) for pointer in stack_pointers)
        self._stacks = {mapping.start for mapping in found if mapping and not mapping.path}
        self._stacks |= {mapping.start for mapping in memory.mappings if mapping.path == "[stack]"}

    def kind(self, value: int) -> PointerKind:
        """Where *value* points to."""
        if value < NULL_PAGES:
            return PointerKind.NULL
        bits = self._memory.arch.address_bits
        if value >> bits not in (0, (1 << 64 - bits) - 1):
            return PointerKind.NO_ADDRESS
        mapping = self._memory.mapping_at(value)
        if mapping is None:
            return PointerKind.UNMAPPED
        if "x" in mapping.permissions:
            return PointerKind.CODE
        if mapping.start in self._stacks:
            return PointerKind.STACK
        return PointerKind.DATA if mapping.path.startswith("/") else PointerKind.HEAP

    def region(self, address: int) -> Region | None:
        """The mapping at *address*, or the nearest one."""
        hit = self._memory.mapping_at(address)
        if hit is not None:
            return _region(hit, hit=True)
        nearest = min(self._memory.mappings, key=lambda m: _distance(m, address), default=None)
        return _region(nearest, distance=_distance(nearest, address)) if nearest else None

    def around(self, addresses: Iterable[int]) -> tuple[Region, ...]:
        """The mappings at and around *addresses*, in order."""
        mappings, wanted = self._memory.mappings, set[int]()
        for address in addresses:
            index = sum(mapping.start <= address for mapping in mappings) - 1
            wanted.update(range(index - _NEIGHBOURS, index + _NEIGHBOURS + 1))
        return tuple(_region(mappings[i]) for i in sorted(wanted) if 0 <= i < len(mappings))

    def guard_distance(self, stack_pointer: int) -> int | None:
        """From the stack pointer down to the lower end of its stack; negative below that end."""
        usable = [m for m in self._memory.mappings if "w" in m.permissions]
        above = next((m for m in usable if m.end > stack_pointer), None)
        if above is None or above.start - stack_pointer > _OVERRUN:
            return None
        return stack_pointer - above.start


_OVERRUN = 16 << 20
"""Bytes that one frame may reach beyond the end of its stack."""


def _distance(mapping: Mapping, address: int) -> int:
    return mapping.start - address if address < mapping.start else address - mapping.end + 1


def _region(mapping: Mapping, *, hit: bool = False, distance: int = 0) -> Region:
    name = display_path(mapping.path)
    return Region(hit, mapping.start, mapping.end, mapping.permissions, name, distance)
