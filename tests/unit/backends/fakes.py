"""A process's memory made of literal bytes."""

from typing import BinaryIO

from hangtui.backends.door import Root
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import Memory


class LiteralMemory(Memory):
    """Holds what a test writes into it; everything else is not mapped."""

    def __init__(self, *places: tuple[int, bytes | bytearray]) -> None:
        self._places = places
        mappings = [
            Mapping(start & ~0xFFF, (start + len(data) + 0xFFF) & ~0xFFF, "rw-p", 0, 0, "")
            for start, data in places
        ]
        super().__init__(0, mappings)

    def fresh(self, address: int, size: int) -> bytes:
        """As ``Memory.fresh``."""
        return self.read(address, size)

    def read(self, address: int, size: int) -> bytes:
        """As ``Memory.read``."""
        for start, data in self._places:
            if start <= address and address + size <= start + len(data):
                return bytes(data[address - start : address - start + size])
        raise MemoryReadError(f"{size} bytes at {address:#x}")

    root = Root.of_folder("/nonexistent")

    def close(self) -> None:
        """Nothing to let go of."""

    def open_mapped(self, first: Mapping) -> BinaryIO:
        """No file is behind it."""
        raise FileNotFoundError(first.path)

    def open_file(self, path: str) -> BinaryIO:
        """No file is behind it."""
        raise FileNotFoundError(path)
