"""A process's memory made of literal bytes."""

from hangtui.backends.memory import Mapping, MemoryReadError, ProcessMemory


class LiteralMemory(ProcessMemory):
    """Holds what a test writes into it; everything else is not mapped."""

    def __init__(self, *places: tuple[int, bytes]) -> None:
        self.pid = 0
        self._places = places
        self._pages = {}
        self.mappings = tuple(
            Mapping(start & ~0xFFF, (start + len(data) + 0xFFF) & ~0xFFF, "rw-p", 0, 0, "")
            for start, data in places
        )
        self._starts = [mapping.start for mapping in self.mappings]

    def fresh(self, address: int, size: int) -> bytes:
        """As ``ProcessMemory.fresh``."""
        return self.read(address, size)

    def read(self, address: int, size: int) -> bytes:
        """As ``ProcessMemory.read``."""
        for start, data in self._places:
            if start <= address and address + size <= start + len(data):
                return data[address - start : address - start + size]
        raise MemoryReadError(f"{size} bytes at {address:#x}")

    def close(self) -> None:
        """Nothing to let go of."""
