"""Which pages of a process that runs can be read without waiting for somebody's answer.

To read a page that is not there makes the kernel fetch it. Where a userfaultfd or a FUSE file
system is to deliver it, that waits for a program, for ever if need be. The page tables tell which
pages are there, and looking at them fetches nothing.
"""

import bisect
import contextlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from hangtui.backends.linux import PAGE
from hangtui.backends.memory.mounts import Mounts, Source

_PAGE_SHIFT = PAGE.bit_length() - 1
_THERE = 62
"""Bits 62 and 63 of an entry of /proc/PID/pagemap: the page is swapped, or present
(Documentation/admin-guide/mm/pagemap.rst)."""
_PIECE = 1 << 16
_HEAD = re.compile(rb"^([0-9a-f]+)-[0-9a-f]+ ", re.MULTILINE)
_FLAGS = re.compile(rb"^VmFlags:(.*)$", re.MULTILINE)
_TRAPS = frozenset({b"um", b"uw", b"ui"})
"""VmFlags of a mapping whose faults go to a userfaultfd: missing pages, write protection, minor
faults (Documentation/filesystems/proc.rst)."""


class Mapped(Protocol):
    """What must be known of a mapping."""

    @property
    def start(self) -> int:
        """Its first address."""

    @property
    def end(self) -> int:
        """The address behind it."""

    @property
    def inode(self) -> int:
        """0: no file."""

    @property
    def device(self) -> str:
        """Of the file."""


class Presence:
    """Looks before every read; a page may vanish in between, so a watch over us is needed too."""

    def __init__(self, pid: int, mappings: Sequence[Mapped]) -> None:
        self._pid = pid
        self._mappings = mappings
        self._starts = [mapping.start for mapping in mappings]
        self._mounts: Mounts | None = None
        self._trapped: set[int] | None = None
        self._vanished: set[int] = set()
        """Where mappings began that are no more: a thread's stack, say, that has ended since."""
        self.held_back = False
        """Whether something is known that somebody would have to deliver first."""
        self._table = -1
        with contextlib.suppress(OSError):  # gVisor, or a kernel without it
            self._table = os.open(f"/proc/{pid}/pagemap", os.O_RDONLY | os.O_CLOEXEC)

    def close(self) -> None:
        """Let go of the process."""
        if self._table >= 0:
            os.close(self._table)
            self._table = -1

    def may_wait(self, address: int, size: int) -> bool:
        """Whether reading *size* bytes at *address* could wait for a program's answer."""
        if self._table < 0 or size <= 0:
            return False
        first, last = address >> _PAGE_SHIFT, (address + size - 1) >> _PAGE_SHIFT
        count = last - first + 1
        try:
            raw = os.pread(self._table, 8 * count, 8 * first)
        except OSError:
            return True  # beyond what a process can have
        if count == 1:
            if len(raw) == 8 and raw[7] >> (_THERE - 56):
                return False
            return self._waits(first << _PAGE_SHIFT)
        entries = memoryview(raw[: len(raw) & ~7]).cast("Q")
        absent = [number for number, entry in enumerate(entries, first) if not entry >> _THERE]
        return any(self._waits(number << _PAGE_SHIFT) for number in absent)

    @property
    def is_gone(self) -> bool:
        """Whether the memory is no more: the process ended, or runs another program now."""
        if self._table < 0 or not self._starts:
            return False
        try:
            return not os.pread(self._table, 8, self._starts[0] >> _PAGE_SHIFT << 3)
        except OSError:
            return True

    def waits_for_stranger(self, mapping: Mapped) -> bool:
        """Whether the file behind a mapping is served by a program that may not answer."""
        return bool(mapping.inode) and self._source(mapping) is Source.STRANGER

    def _waits(self, page: int) -> bool:
        """Whether a page that is not there is fetched from somebody."""
        index = bisect.bisect_right(self._starts, page) - 1
        if index < 0 or page >= self._mappings[index].end:
            return True  # nothing, or mapped since then by whomever and whatever for
        mapping = self._mappings[index]
        source = self._source(mapping) if mapping.inode else Source.MEMORY
        waits = source is Source.STRANGER or (
            source is Source.MEMORY and mapping.start in self._traps()
        )
        self.held_back |= waits
        return waits or mapping.start in self._vanished

    def _source(self, mapping: Mapped) -> Source:
        self._mounts = self._mounts or Mounts(self._pid)
        return self._mounts.source(mapping.device)

    def _traps(self) -> set[int]:
        """Where the mappings begin whose faults go to a userfaultfd.

        Those of which that is not known are not read either, but nobody holds them back.
        """
        if self._trapped is None:
            lines = b""
            with contextlib.suppress(OSError):  # it ended
                lines = _smaps(self._pid)
            self._trapped = set(trapped(lines))
            self._vanished = set(self._starts) - set(_begins(lines))
        return self._trapped


def _smaps(pid: int) -> bytes:
    """Read piece by piece, as the kernel looks at each page and may take seconds for it: in between
    whoever has set a limit to our time is heard.

    Raises:
        OSError: it cannot be read.
    """
    parts = []
    with Path(f"/proc/{pid}/smaps").open("rb", buffering=0) as file:
        while part := file.read(_PIECE):
            parts.append(part)
    return b"".join(parts)


def _begins(smaps: bytes) -> list[int]:
    return [int(start, 16) for start in _HEAD.findall(smaps)]


def trapped(smaps: bytes) -> list[int]:
    """Where those mappings begin, by the text of ``/proc/PID/smaps``, that userfaultfd serves."""
    flags = [_TRAPS & set(words.split()) for words in _FLAGS.findall(smaps)]
    return [start for start, traps in zip(_begins(smaps), flags, strict=False) if traps]
