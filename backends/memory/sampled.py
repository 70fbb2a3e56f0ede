"""A process's memory in which the top of one stack is as it was when it was sampled."""

from functools import cached_property
from typing import BinaryIO

from hangtui.backends.arch import Arch
from hangtui.backends.door import Root
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import Memory


class SampledMemory(Memory):
    """*memory*, with *stack* at the address that the stack pointer had."""

    def __init__(self, memory: Memory, stack_pointer: int, stack: bytes) -> None:
        super().__init__(memory.pid, memory.mappings, memory.spent)
        self._memory = memory
        self._start = stack_pointer
        self._stack = stack

    @cached_property
    def arch(self) -> Arch:
        """See ``Memory.arch``."""
        return self._memory.arch

    @property
    def root(self) -> Root:
        """See ``Memory.root``."""
        return self._memory.root

    def close(self) -> None:
        """Nothing to let go of: the memory below belongs to somebody else."""

    def fresh(self, address: int, size: int) -> bytes:
        """*size* bytes, those of the stack as they were sampled.

        Raises:
            MemoryReadError: not all of them could be read.
        """
        data = self._memory.read(address, size)
        first = max(address, self._start)
        last = min(address + size, self._start + len(self._stack))
        if first >= last:
            return data
        if len(data) != size:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        sampled = self._stack[first - self._start : last - self._start]
        return data[: first - address] + sampled + data[last - address :]

    def open_mapped(self, first: Mapping) -> BinaryIO:
        """See ``Memory.open_mapped``."""
        return self._memory.open_mapped(first)

    def open_file(self, path: str) -> BinaryIO:
        """See ``Memory.open_file``."""
        return self._memory.open_file(path)
