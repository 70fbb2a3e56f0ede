"""A process's memory as it was at the moment of a copy, and where nothing was copied, as it is."""

import bisect
from collections.abc import Sequence
from functools import cached_property
from typing import BinaryIO

from hangtui.backends.arch import Arch
from hangtui.backends.door import Root
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import Memory


class CopiedMemory(Memory):
    """Reads copied pieces, in order and of whole pages, and *live* memory between them."""

    def __init__(self, live: Memory, pieces: Sequence[tuple[int, memoryview]]) -> None:
        super().__init__(live.pid, live.mappings, live.spent)
        self._live = live
        self._pieces = pieces
        self._begins = [address for address, _ in pieces]

    @cached_property
    def arch(self) -> Arch:
        """See ``Memory.arch``."""
        return self._live.arch

    @property
    def root(self) -> Root:
        """Where the process's files lie."""
        return self._live.root

    def close(self) -> None:
        """The live memory belongs to somebody else."""

    def fresh(self, address: int, size: int) -> bytes:
        """*size* bytes."""
        end, parts = address + size, []
        while address < end:
            step = min(end - address, PAGE - address % PAGE)
            parts.append(self._copied(address, step) or self._live.read(address, step))
            address += step
        return b"".join(parts)

    def _copied(self, address: int, size: int) -> bytes:
        """Bytes of one page; nothing if it was not copied."""
        index = bisect.bisect_right(self._begins, address) - 1
        if index < 0:
            return b""
        begin, data = self._pieces[index]
        return bytes(data[address - begin : address - begin + size])

    def open_mapped(self, first: Mapping) -> BinaryIO:
        """The file that a mapping shows."""
        return self._live.open_mapped(first)

    def open_file(self, path: str) -> BinaryIO:
        """The file at *path* as the target sees it."""
        return self._live.open_file(path)
