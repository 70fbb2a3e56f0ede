"""Where a process's stacks lie: what to copy for a stack pointer."""

import bisect
from collections.abc import Iterable
from typing import NamedTuple

from hangtui.backends.arch import of_kernel
from hangtui.backends.linux import PAGE
from hangtui.backends.ptrace.freezer.kernel import Range

_GLIBC = of_kernel().glibc
_THREAD_BYTES = _GLIBC.descriptor_size
"""Bytes of a thread's descriptor; libthread_db reads all of it."""
_FOREIGN_STACK = 256 << 10
"""Bytes copied of a stack that is not a thread's own (coroutines, sigaltstack)."""
_RED_ZONE = of_kernel().unwinding.red_zone


class StackPointer(NamedTuple):
    tid: int
    address: int
    thread_pointer: int
    """0: not known."""


class _Mapping(NamedTuple):
    start: int
    end: int
    writable: bool
    is_main_stack: bool


class Mappings:
    """The mappings of a process, as far as stacks need them.

    Raises:
        OSError: the process is gone, or may not be read.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._fresh = False
        self._load()

    def _load(self) -> None:
        with open(f"/proc/{self._pid}/maps", "rb") as file:  # noqa: PTH123  pathlib costs 10 ms
            lines = file.read().split(b"\n")  # names may hold all else that breaks lines
        self._all = [_parse(line) for line in lines if line]
        self._starts = [mapping.start for mapping in self._all]

    def _at(self, address: int) -> _Mapping | None:
        index = bisect.bisect_right(self._starts, address) - 1
        if index >= 0 and address < self._all[index].end:
            return self._all[index]
        return None

    def _stack_at(self, address: int) -> _Mapping | None:
        found = self._at(address)
        if (found is None or not found.writable) and not self._fresh:
            self._fresh = True  # it was mapped since then; looked up anew only once
            self._load()
            found = self._at(address)
        return found

    def stacks(self, pointers: Iterable[StackPointer], limit: int) -> list[Range]:
        """Page ranges with the stacks from their pointers up, and the thread control blocks."""
        ranges: list[Range] = []
        for pointer in pointers:
            mapping = self._stack_at(pointer.address)
            if mapping is not None:
                ranges += self._of_thread(pointer, mapping, limit)
        return ranges

    def _of_thread(self, pointer: StackPointer, mapping: _Mapping, limit: int) -> Iterable[Range]:
        thread = pointer.thread_pointer and pointer.thread_pointer - _GLIBC.below_thread_pointer
        own = mapping.is_main_stack or not thread or mapping.start <= thread < mapping.end
        first = max(mapping.start, pointer.address - _RED_ZONE)
        size = limit if own else min(limit, _FOREIGN_STACK)
        yield _pages(first, min(mapping.end, pointer.address + size))
        if not thread:
            return
        yield _pages(thread, thread + _THREAD_BYTES)
        home = self._at(thread)
        if not own and home is not None:  # how the thread came there is on its own stack's top
            top = min(home.end, thread + _THREAD_BYTES)
            yield _pages(max(home.start, top - _FOREIGN_STACK), top)

    def pages(self, addresses: Iterable[int], limit: int) -> list[Range]:
        """The writable pages that hold *addresses*, and the next ones where they lie at the end."""
        found: set[int] = set()
        for address in addresses:
            if len(found) >= limit:
                break
            mapping = self._at(address)
            if mapping is not None and mapping.writable:
                found.add(address // PAGE)
                if address % PAGE > PAGE - 128 and address + PAGE < mapping.end:
                    found.add(address // PAGE + 1)
        return [(page * PAGE, PAGE) for page in sorted(found)[:limit]]


def _parse(line: bytes) -> _Mapping:
    fields = line.split(None, 5)
    start, _, end = fields[0].partition(b"-")
    name = fields[5] if len(fields) > 5 else b""
    return _Mapping(int(start, 16), int(end, 16), fields[1][1:2] == b"w", name == b"[stack]")


def _pages(first: int, end: int) -> Range:
    start = first & -PAGE
    return start, ((end + PAGE - 1) & -PAGE) - start


def merged(ranges: Iterable[Range]) -> list[Range]:
    """The same memory in order, nothing of it twice."""
    result: list[Range] = []
    for address, size in sorted(ranges):
        if result and address <= sum(result[-1]):
            begin, length = result[-1]
            result[-1] = begin, max(length, address + size - begin)
        elif size:
            result.append((address, size))
    return result
