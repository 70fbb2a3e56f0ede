"""The memory of a process: of one that runs, read without stopping it, or of one that was."""

import bisect
import errno
import os
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from hangtui.backends import heartbeat
from hangtui.backends.door import Root, SpentError
from hangtui.backends.limits import ASKED, Limits, Spending
from hangtui.backends.memory.presence import Presence
from hangtui.backends.procfs.life import GoneError
from hangtui.model import Source, TargetError, clean

PAGE = 4096
MAX_READ = 64 << 20
"""Bytes that one read may ask for: sizes found in foreign memory can be garbage."""
_MAX_ADDRESS = 1 << 63


class MemoryReadError(Exception):
    """An address is not mapped, not readable, or not one at all."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """One line of ``/proc/PID/maps``."""

    start: int
    end: int
    permissions: str
    offset: int
    inode: int
    path: str
    """As the target sees it; empty for anonymous memory."""
    device: str = ""
    """``MAJOR:MINOR`` of the file's device."""


class Memory(ABC):
    """Reads page by page and remembers what it read: a thread that stands still does not change
    its memory, so within one capture every page is read once. ``fresh`` reads past that."""

    def __init__(
        self, pid: int, mappings: Sequence[Mapping], spent: Spending | None = None
    ) -> None:
        self.pid = pid
        self.mappings = tuple(mappings)
        self.spent = spent or Spending()
        """What the reading of this target has cost, in all that is read of it."""
        self._starts = [mapping.start for mapping in self.mappings]
        self._pages: dict[int, bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        """*size* bytes, each page as it was when it was first read.

        Raises:
            MemoryReadError: not all of them could be read.
        """
        offset = address & (PAGE - 1)
        if 0 <= address < _MAX_ADDRESS and offset + size <= PAGE and size >= 0:
            return self._page(address >> 12)[offset : offset + size]
        if not 0 <= address < _MAX_ADDRESS - MAX_READ or not 0 <= size <= MAX_READ:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        if size > 16 * PAGE:
            return self.fresh(address, size)
        first, last = address >> 12, (address + size - 1) >> 12
        data = b"".join(self._page(number) for number in range(first, last + 1))
        return data[offset : offset + size]

    def _page(self, number: int) -> bytes:
        page = self._pages.get(number)
        if page is None:
            try:
                page = self.fresh(number << 12, PAGE)
            except MemoryReadError:
                page = b""
            if len(self._pages) >= self.spent.limits.pages:
                self._pages.clear()
            self._pages[number] = page
        if not page:
            raise MemoryReadError(f"page {number << 12:#x}")
        return page

    def forget(self) -> None:
        """Read everything anew from here on."""
        self._pages.clear()

    def u8(self, address: int) -> int:
        """An unsigned byte."""
        return self.read(address, 1)[0]

    def u32(self, address: int) -> int:
        """An unsigned 32-bit word."""
        return int.from_bytes(self.read(address, 4), "little")

    def i32(self, address: int) -> int:
        """A signed 32-bit word."""
        return int.from_bytes(self.read(address, 4), "little", signed=True)

    def u64(self, address: int) -> int:
        """An unsigned 64-bit word, or a pointer."""
        # Most reads are this one: the way through read() takes three times as long.
        page = self._pages.get(address >> 12)
        offset = address & (PAGE - 1)
        if page and offset <= PAGE - 8:
            return int.from_bytes(page[offset : offset + 8], "little")
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
            part = self.read(address, min(limit - len(data), PAGE - (address & (PAGE - 1))))
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
                data += self.read(here, min(end - here, PAGE - (here & (PAGE - 1))))
            except MemoryReadError:
                break
        count = len(data) // 8
        return struct.unpack(f"<{count}Q", data[: 8 * count])


class ProcessMemory(Memory):
    """The memory of a process that runs, from ``/proc/PID/mem``.

    Raises:
        TargetError: the process is gone or its memory may not be read.
    """

    def __init__(self, pid: int, limits: Limits = ASKED) -> None:
        spent = Spending(limits)
        with ExitStack() as opened:
            self._root = Root.of_process(pid)
            opened.callback(self._root.close)
            self._file = _open_memory(pid)
            opened.callback(os.close, self._file)
            self._root.settle()
            super().__init__(pid, _mappings_within(pid, spent), spent)
            self._presence = Presence(pid, self.mappings)
            opened.callback(self._presence.close)
            self._opened = opened.pop_all()

    @property
    def root(self) -> Root:
        """The process's own root."""
        return self._root

    def close(self) -> None:
        """Let go of the process."""
        self._opened.close()

    @property
    def held_back(self) -> bool:
        """Whether something was not read since somebody would have to deliver it first."""
        return self._presence.held_back

    @property
    def is_gone(self) -> bool:
        """Whether the program that was opened is no more: it ended, or became another one."""
        return self._presence.is_gone

    def fresh(self, address: int, size: int) -> bytes:
        """*size* bytes as they are now; none that somebody would have to deliver first."""
        if not 0 <= address < _MAX_ADDRESS - MAX_READ or not 0 <= size <= MAX_READ:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        self.spent.fetch(size)
        heartbeat.reading(self.pid)
        if self._presence.may_wait(address, size):
            raise MemoryReadError(f"{size} bytes at {address:#x}, which are not there")
        try:
            data = os.pread(self._file, size, address)
        except OSError as error:
            raise MemoryReadError(f"{size} bytes at {address:#x}") from error
        if len(data) != size:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        return data

    def open_mapped(self, first: Mapping) -> BinaryIO:
        """The file itself, also when it lies in another mount namespace or was deleted."""
        if self._presence.waits_for_stranger(first):
            raise OSError(errno.EIO, "its file system is a program's, which may not answer")
        try:
            return self._root.open_mapped(self.pid, first.start, first.end)
        except SpentError:
            raise
        except OSError:
            return self.open_file(first.path)

    def open_file(self, path: str) -> BinaryIO:
        """The file at *path* in the process's own root."""
        return self._root.open_file(path)


def _open_memory(pid: int) -> int:
    try:
        return os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, ProcessLookupError) as error:
        raise GoneError(f"process {pid} is gone") from error
    except PermissionError as error:
        raise TargetError(f"the memory of process {pid} may not be read") from error


def read_mappings(pid: int) -> tuple[Mapping, ...]:
    """The mappings of a process, in the order of their addresses.

    Raises:
        TargetError: the process is gone or may not be read.
    """
    return _mappings_within(pid, Spending())


def _mappings_within(pid: int, spent: Spending) -> tuple[Mapping, ...]:
    """As many as the limits allow: each may have a path of 16 KB, which its owner chose."""
    try:
        with Path(f"/proc/{pid}/maps").open("rb") as file:
            raw = file.read(spent.limits.map_bytes)
            if file.read(1):
                bound = spent.limits.map_bytes >> 20
                text = f"its mappings were read up to {bound} MiB of their list"
                spent.reach("mappings", Source.PROCFS, text)
                raw = raw[: raw.rfind(b"\n") + 1]
    except PermissionError as error:
        raise TargetError(f"the mappings of process {pid} may not be read") from error
    except OSError as error:
        raise GoneError(f"process {pid} is gone") from error
    # No other character ends a line: a path may hold any of them.
    return tuple(_parse_mappings(raw.decode(errors="surrogateescape").split("\n")[:-1]))


def _parse_mappings(lines: Iterable[str]) -> Iterable[Mapping]:
    for line in lines:
        fields = line.split(None, 5)
        start, _, end = fields[0].partition("-")
        path = fields[5] if len(fields) > 5 else ""
        yield Mapping(
            int(start, 16),
            int(end, 16),
            fields[1],
            int(fields[2], 16),
            int(fields[4]),
            path,
            fields[3],
        )


def display_path(path: str) -> str:
    """A mapping's path as it may be shown."""
    return clean(path.removesuffix(" (deleted)"))
