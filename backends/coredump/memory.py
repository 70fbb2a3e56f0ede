"""The memory of a process that is no more: what its core holds, and what its files held."""

import bisect
import os
from functools import cached_property
from typing import BinaryIO

from hangtui.backends.arch import Arch
from hangtui.backends.coredump.elfcore import Core, Segment
from hangtui.backends.coredump.files import MappedFiles
from hangtui.backends.door import Root
from hangtui.backends.limits import Spending
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import MAX_READ, Memory

_MAX_ADDRESS = 1 << 63


class CoreMemory(Memory):
    """Reads a core file in place; *root*: where the files of its machine lie, None: here."""

    def __init__(self, core: Core, file: BinaryIO, root: str | None = None) -> None:
        super().__init__(core.notes.pid, core.mappings(), Spending())
        self._core_arch = core.arch
        self._segments = core.segments
        self._segment_starts = [segment.start for segment in core.segments]
        self._file = file
        self._firsts = {m.path: m for m in reversed(self.mappings) if m.path and not m.offset}
        self._root = Root.of_folder(root or "/")
        self.has_own_root = bool(root)
        """Whether we were told where the files of the core's machine lie."""
        self.files = MappedFiles(self._root, root or "its place", self._first_page)

    @cached_property
    def arch(self) -> Arch:
        """As the core's header says it."""
        return self._core_arch

    @property
    def root(self) -> Root:
        """Where the files of the core's machine lie."""
        return self._root

    def close(self) -> None:
        """Close the core and the files."""
        self.files.close()
        self._root.close()
        self._file.close()

    def fresh(self, address: int, size: int) -> bytes:
        """*size* bytes."""
        if not 0 <= address < _MAX_ADDRESS - MAX_READ or not 0 <= size <= MAX_READ:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        self.spent.fetch(size)
        parts: list[bytes] = []
        end = address + size
        while address < end:
            part = self._part(address, end - address)
            if not part:
                raise MemoryReadError(f"{end - address} bytes at {address:#x}")
            parts.append(part)
            address += len(part)
        return b"".join(parts)

    def _part(self, address: int, size: int) -> bytes:
        """As much as one place has from *address* on; nothing if that is nothing."""
        index = bisect.bisect_right(self._segment_starts, address) - 1
        segment = self._segments[index] if index >= 0 else None
        if segment is not None and address < segment.start + segment.in_file:
            return self._from_core(segment, address - segment.start, size)
        return self._from_file(address, size)

    def _from_core(self, segment: Segment, offset: int, size: int) -> bytes:
        size = min(size, segment.in_file - offset)
        try:
            return os.pread(self._file.fileno(), size, segment.offset + offset)
        except (OSError, OverflowError):
            return b""

    def _from_file(self, address: int, size: int) -> bytes:
        """What was not dumped because it cannot have changed: it was not writable."""
        mapping = self.mapping_at(address)
        if mapping is None or "w" in mapping.permissions or not mapping.path.startswith("/"):
            return b""
        mapped = self.files.get(mapping.path)
        if mapped is None:
            return b""
        size = min(size, mapping.end - address)
        try:
            return mapped.read(mapping.offset + address - mapping.start, size)
        except (OSError, OverflowError):
            return b""

    def _first_page(self, path: str) -> bytes | None:
        first = self._firsts.get(path)
        if first is None:
            return None
        index = bisect.bisect_right(self._segment_starts, first.start) - 1
        if index < 0 or first.start >= self._segments[index].start + self._segments[index].in_file:
            return None
        segment = self._segments[index]
        return self._from_core(segment, first.start - segment.start, PAGE) or None

    def open_mapped(self, first: Mapping) -> BinaryIO:
        """The file, if the one here is the one that was mapped."""
        return self.files.fresh(first.path)

    def open_file(self, path: str) -> BinaryIO:
        """The file at *path* below the root."""
        return self._root.open_file(path)
