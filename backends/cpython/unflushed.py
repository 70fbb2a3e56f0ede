"""What a program has written to a file object and not flushed: bytes that lie in a buffer of its
own while who has the other end of the pipe or socket waits for them."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.open_files import BUFFERED, TEXT, TEXT_BUFFER, OpenFiles
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data

_STEPS = 3
"""From a variable to the file: ``self``, its process, ``stdin``."""
_MOST_FRAMES = 80
_MOST_BYTES = 1 << 24
"""That a buffer is believed to have."""
_WRITABLE, _BUFFER, _WRITE_POS, _WRITE_END, _SIZE = 36, 56, 88, 96, 120
"""Modules/_io/bufferedio.c, `buffered`, CPython 3.6 to 3.14 on 64 bits: where these fields lie."""
_CHUNK, _PENDING, _COUNT = 24, 136, 144
"""Modules/_io/textio.c, `textio`: the size of its chunks, what is written and not encoded further,
and how many bytes that has."""
_NONE = (1 << 64) - 1
"""As *write_end*: nothing is written."""


class Unflushed:
    """Reads it in one interpreter."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._containers = Containers(python.objects, python.codes)
        self._files = OpenFiles(python.objects, self._containers)
        self._known: dict[int, int] | None = None
        """By descriptor: a process may have the other ends of hundreds that are waited for."""

    def of(self, descriptors: Collection[int]) -> int:
        """How many bytes the file objects of *descriptors* have that variables of frames lead to,
        or ``sys.stdout``. Never raises."""
        if self._known is None:
            self._known = {}
            spent = self._python.objects.memory.spent
            with suppress(BudgetSpentError, DamagedDataError), foreign_data(), spent.clock():
                self._look(self._known)
        return max((self._known.get(one, 0) for one in descriptors), default=0)

    def _look(self, found: dict[int, int]) -> None:
        """Add what each descriptor has to *found*."""
        seen = set[int]()
        for address in self._candidates():
            if address in seen:
                continue
            seen.add(address)
            with suppress(MemoryReadError):
                classes = {*self._containers.classes(address)}
                if TEXT not in classes and BUFFERED.isdisjoint(classes):
                    continue
                known, count = self._files.descriptor(address), self._pending(address)
                if known is not None and count:
                    found[known[0]] = max(count, found.get(known[0], 0))

    def _candidates(self) -> Iterator[int]:
        """File objects, and what else the walk comes by."""
        python, seen = self._python, set[int]()
        yield from filter(None, (python.module("sys").get("stdout", 0),))
        for frames in python.stacks.values():
            for frame in islice(frames, _MOST_FRAMES):
                for value in python.frames.variables(frame).values():
                    if value not in seen:
                        seen.add(value)
                        yield from (one for _, one in python.references.walk(value, _STEPS))

    def _pending(self, address: int) -> int:
        """The bytes of a text file and of its buffer; 0: none, or its fields are not what they
        should be."""
        memory = self._python.objects.memory
        own = 0
        if TEXT in self._containers.classes(address):
            chunk, count = memory.u64(address + _CHUNK), memory.u64(address + _COUNT)
            pending = memory.u64(address + _PENDING)
            if not 0 < chunk <= _MOST_BYTES or count > _MOST_BYTES or bool(pending) != bool(count):
                return 0
            own, address = count, memory.u64(address + TEXT_BUFFER)
        try:
            return own + self._buffered(address)
        except MemoryReadError:
            return own

    def _buffered(self, address: int) -> int:
        memory = self._python.objects.memory
        start, end = memory.u64(address + _WRITE_POS), memory.u64(address + _WRITE_END)
        size, writable = memory.u64(address + _SIZE), memory.u32(address + _WRITABLE)
        if end == _NONE or writable != 1 or not memory.u64(address + _BUFFER):
            return 0
        return end - start if start <= end <= size <= _MOST_BYTES else 0
