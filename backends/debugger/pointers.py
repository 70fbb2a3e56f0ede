"""What an address of a process points to."""

import bisect
from collections.abc import Mapping

from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.runtime import NotPythonError, locate
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.debugger import Pointee, Region
from hangtui.model import NULL_PAGES, clean

_METACLASSES = 3


class Pointers:
    """Knows the regions of one process."""

    def __init__(self, memory: Memory, images: Images, names: Mapping[int, str]) -> None:
        self._memory = memory
        self._images = images
        self._names = names
        self._stacks: list[tuple[int, int, int]] = []
        self._objects = _objects(memory, images)

    def know_stacks(self, pointers: Mapping[int, int]) -> None:
        """*pointers*: the stack pointers of the threads by TID."""
        found = []
        for tid, pointer in pointers.items():
            mapping = self._memory.mapping_at(pointer)
            if mapping is not None:
                found.append((mapping.start, mapping.end, tid))
        self._stacks = sorted(found)

    def pointee(self, value: int) -> Pointee | None:
        """What *value* points to; None: nothing, it is a number."""
        if value == 0:
            return Pointee(Region.NULL, "")
        if value < NULL_PAGES or (mapping := self._memory.mapping_at(value)) is None:
            return None
        if (tid := self._stack_of(value)) is not None:
            name = clean(self._names.get(tid, ""), 60)
            return Pointee(Region.STACK, f"{name} {tid}".strip(), tid)
        if self._images.at(value) is not None:
            region = Region.CODE if "x" in mapping.permissions else Region.DATA
            return Pointee(region, self._in_image(value))
        if (kind := self.object_type(value)) is not None:
            return Pointee(Region.OBJECT, clean(kind, 80))
        if mapping.path == "[heap]":
            return Pointee(Region.HEAP, "")
        if mapping.path == "[stack]":
            return Pointee(Region.STACK, "MainThread")
        return Pointee(Region.MAPPED, clean(mapping.path) or f"anonymous {mapping.permissions}")

    def symbol(self, address: int) -> str:
        """``context_lock in libfakedriver.so``; empty where no symbol is at *address*."""
        image = self._images.at(address)
        name = image.symbol_at(address) if image else None
        if image is None or name is None:
            return ""
        start = image.address_of(name)
        offset = f" + {address - start}" if start is not None and start < address else ""
        return clean(f"{name}{offset} in {_file_name(image.path)}", 160)

    def object_type(self, address: int) -> str | None:
        """The type of the Python object that begins at *address*; None: none does.

        Believed only if its type is an instance of ``type`` or of one of its metaclasses.
        """
        objects = self._objects
        if objects is None or (name := objects.kind(address)) is None:
            return None
        try:
            kind = objects.type_of(address)
            for _ in range(_METACLASSES):
                kind, before = objects.type_of(kind), kind
                if objects.kind(before) == "type" or kind == before:
                    return name
        except MemoryReadError:
            pass
        return None

    def _stack_of(self, value: int) -> int | None:
        index = bisect.bisect_right(self._stacks, (value, 1 << 64, 0)) - 1
        if index < 0 or value >= self._stacks[index][1]:
            return None
        return self._stacks[index][2]

    def _in_image(self, value: int) -> str:
        image = self._images.at(value)
        assert image is not None
        name = _file_name(image.path)
        symbol = image.symbol_at(value)
        start = image.address_of(symbol) if symbol else None
        if symbol is None or start is None or start > value:
            return clean(f"{name} + {value - image.bias:#x}", 160)
        offset = f" + {value - start}" if value > start else ""
        return clean(f"{symbol}{offset}  {name}", 160)


def _file_name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _objects(memory: Memory, images: Images) -> Objects | None:
    """A reader of Python objects, where the interpreter is known."""
    try:
        return Objects(memory, locate(memory, images).layout)
    except (NotPythonError, LayoutError, MemoryReadError):
        return None
