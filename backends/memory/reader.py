"""How memory is read, whoever it is of: block by block, as numbers, words and strings."""

import bisect
import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import BinaryIO, Self

from hangtui.backends import arch
from hangtui.backends.arch import Arch
from hangtui.backends.door import Root
from hangtui.backends.limits import BudgetSpentError, Spending
from hangtui.backends.memory.c_library import CLibrary, c_library
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping

MAX_READ = 64 << 20
"""Bytes that one read may ask for: sizes found in foreign memory can be garbage."""
MAX_ADDRESS = 1 << 63
_BITS = 12
_BLOCK = 1 << _BITS
"""Bytes that are read and remembered together: the smallest page that Linux has, so that no block
lies partly in memory that cannot be read."""
_SIGNED, _UNSIGNED = struct.Struct("<i").unpack_from, struct.Struct("<I").unpack_from
_EMULATOR = re.compile(r"/(qemu-\w+(-static)?|rosetta|FEXInterpreter|FEX|box64)( \(deleted\))?$")
"""Programs that run another processor's code: what they map is not the target's."""


class Memory(ABC):
    """Reads block by block and remembers what it read: a thread that stands still does not change
    its memory, so within one capture every block is read once. ``fresh`` reads past that."""

    def __init__(
        self, pid: int, mappings: Sequence[Mapping], spent: Spending | None = None
    ) -> None:
        self.pid = pid
        self.mappings = tuple(mappings)
        self.spent = spent or Spending()
        """What the reading of this target has cost, in all that is read of it."""
        self.forgotten = 0
        """How often all was to be read anew: what was made of it before may have changed."""
        self._starts = [mapping.start for mapping in self.mappings]
        self._pages: dict[int, bytes] = {}
        self._words: dict[int, memoryview] = {}
        """Those of them that can be read, as 64-bit words: every machine that this runs on has them
        in the target's order."""

    def __enter__(self) -> Self:
        return self

    @property
    def is_live(self) -> bool:
        """Whether its process runs on this machine, under its PID: only then does the kernel have
        something to say of it."""
        return False

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def arch(self) -> Arch:
        """The processor whose code is run here: that of the program, or of the first library; of
        this machine's kernel if neither can be read."""
        found = next((one for header in self._headers() if (one := arch.of_header(header))), None)
        return found or arch.of_kernel()

    @cached_property
    def c_library(self) -> CLibrary:
        """The C library that its locks and threads are of."""
        return c_library((mapping.path for mapping in self.mappings), self.arch.kernel_name)

    @property
    def emulator(self) -> str | None:
        """The name of the program that runs its code, if that is not the kernel's processor."""
        found = (_EMULATOR.search(mapping.path) for mapping in self.mappings)
        name = next((match[1] for match in found if match), None)
        return name or (None if self.arch is arch.of_kernel() else "an emulator")

    def _headers(self) -> Iterator[bytes]:
        """The beginnings of the files that are mapped."""
        for mapping in self.mappings:
            if mapping.offset or not mapping.path.startswith("/"):
                continue
            if _EMULATOR.search(mapping.path):
                continue
            try:
                yield self.read(mapping.start, 20)
            except (MemoryReadError, BudgetSpentError):
                continue

    @property
    @abstractmethod
    def root(self) -> Root:
        """Where the target's files are found."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what is read."""

    @abstractmethod
    def fresh(self, address: int, size: int) -> bytes:
        """*size* bytes as they are now.

        Raises:
            MemoryReadError: not all of them could be read.
        """

    @abstractmethod
    def open_mapped(self, first: Mapping) -> BinaryIO:
        """The file that a mapping shows, as it was when it was mapped.

        Raises:
            OSError: it is gone or may not be read.
        """

    @abstractmethod
    def open_file(self, path: str) -> BinaryIO:
        """The file at *path* as the target sees it.

        Raises:
            OSError: there is none, or it may not be read.
        """

    def mapping_at(self, address: int) -> Mapping | None:
        """The mapping that holds *address*."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index < 0 or address >= self.mappings[index].end:
            return None
        return self.mappings[index]

    def read(self, address: int, size: int) -> bytes:
        """*size* bytes, each block as it was when it was first read.

        Raises:
            MemoryReadError: not all of them could be read.
        """
        offset = address & (_BLOCK - 1)
        if 0 <= address < MAX_ADDRESS and offset + size <= _BLOCK and size >= 0:
            return self._page(address >> _BITS)[offset : offset + size]
        if not 0 <= address < MAX_ADDRESS - MAX_READ or not 0 <= size <= MAX_READ:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        if size > 16 * _BLOCK:
            return self.fresh(address, size)
        first, last = address >> _BITS, (address + size - 1) >> _BITS
        data = b"".join(self._page(number) for number in range(first, last + 1))
        return data[offset : offset + size]

    def _page(self, number: int) -> bytes:
        page = self._pages.get(number)
        if page is None:
            try:
                page = self.fresh(number << _BITS, _BLOCK)
            except MemoryReadError:
                page = b""
            if len(self._pages) >= self.spent.limits.pages:
                self.forget()
            self._pages[number] = page
            if page:
                self._words[number] = memoryview(page).cast("Q")
        if not page:
            raise MemoryReadError(f"page {number << _BITS:#x}")
        return page

    def forget(self) -> None:
        """Read everything anew from here on."""
        self.forgotten += 1
        self._pages.clear()
        self._words.clear()

    def u8(self, address: int) -> int:
        """An unsigned byte."""
        page = self._pages.get(address >> _BITS)
        return page[address & (_BLOCK - 1)] if page else self.read(address, 1)[0]

    def u32(self, address: int) -> int:
        """An unsigned 32-bit word."""
        page = self._pages.get(address >> _BITS)
        offset = address & (_BLOCK - 1)
        if page and offset <= _BLOCK - 4:
            number: int = _UNSIGNED(page, offset)[0]
            return number
        return int.from_bytes(self.read(address, 4), "little")

    def i32(self, address: int) -> int:
        """A signed 32-bit word."""
        page = self._pages.get(address >> _BITS)
        offset = address & (_BLOCK - 1)
        if page and offset <= _BLOCK - 4:
            number: int = _SIGNED(page, offset)[0]
            return number
        return int.from_bytes(self.read(address, 4), "little", signed=True)

    def u64(self, address: int) -> int:
        """An unsigned 64-bit word, or a pointer."""
        # Most reads are this one: the way through read() takes six times as long.
        words = self._words.get(address >> _BITS)
        if words is not None and not address & 7:
            number: int = words[(address & (_BLOCK - 1)) >> 3]
            return number
        return int.from_bytes(self.read(address, 8), "little")

    def i64(self, address: int) -> int:
        """A signed 64-bit word."""
        return int.from_bytes(self.read(address, 8), "little", signed=True)

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """*count* unsigned 64-bit words."""
        return struct.unpack(f"<{count}Q", self.read(address, 8 * count))

    def c_string(self, address: int, limit: int = 256) -> str:
        """A NUL-terminated string, cut to *limit* bytes."""
        data = b""
        while len(data) < limit:
            part = self.read(address, min(limit - len(data), _BLOCK - (address & (_BLOCK - 1))))
            end = part.find(b"\0")
            if end >= 0:
                return (data + part[:end]).decode("utf-8", "replace")
            data += part
            address += len(part)
        return data.decode("utf-8", "replace")

    def words_upward(self, address: int, size: int) -> tuple[int, ...]:
        """The 64-bit words from *address* up to *size* bytes on, up to an unreadable page.

        glibc 2.42 and newer keep guard pages inside a stack's mapping, so the pages are read one
        by one.
        """
        mapping = self.mapping_at(address)
        if mapping is None:
            return ()
        end = min(address + size, mapping.end) & ~7
        data = b""
        while address + len(data) < end:
            here = address + len(data)
            try:
                data += self.read(here, min(end - here, _BLOCK - (here & (_BLOCK - 1))))
            except MemoryReadError:
                break
        count = len(data) // 8
        return struct.unpack(f"<{count}Q", data[: 8 * count])
