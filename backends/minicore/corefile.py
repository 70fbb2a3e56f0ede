"""Writes an ELF core file with only the memory that is given: gdb 13 and newer open it."""

import bisect
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO

from hangtui.backends.arch import Arch
from hangtui.backends.coredump import elf_format
from hangtui.backends.memory.mappings import Mapping as MemoryMapping
from hangtui.dataclass import dataclass

Memory = tuple[int, memoryview]
"""An address and what is there."""


@dataclass(frozen=True, slots=True)
class Content:
    """What goes into the file."""

    arch: Arch
    pid: int
    registers: Mapping[int, bytes]
    """``user_regs_struct`` by TID."""
    auxv: bytes
    files: Sequence[tuple[MemoryMapping, str]]
    """What is mapped, by the names that a debugger is to open."""
    older: Sequence[Memory]
    """Memory that counts where there is nothing newer."""
    newer: Sequence[Memory]
    apart: int
    """Address of the vDSO: gdb finds it only as a segment of its own."""


def write(file: BinaryIO, content: Content) -> int:
    """Write it into an empty file; its size in bytes."""
    segments = _segments(content)
    plan = [elf_format.Segment(address, size, size) for address, _, size in segments]
    head = elf_format.head(content.arch, _notes(content), plan)
    file.write(head)
    for _, parts, _ in segments:
        file.writelines(parts)
    file.flush()
    return len(head) + sum(one.in_file for one in plan)


# -- notes ----------------------------------------------------------------------------------------


def _notes(content: Content) -> bytes:
    """The main thread first, then what holds for the process, then the other threads."""
    pid, registers = content.pid, content.registers
    order = sorted(registers, key=lambda tid: (tid != pid, tid))
    threads = [
        elf_format.note(
            elf_format.NT_PRSTATUS, elf_format.thread_status(content.arch, tid, registers[tid])
        )
        for tid in order
    ]
    information = elf_format.process_info(pid, 0, b"process", b"process")
    process = [
        elf_format.note(elf_format.NT_PRPSINFO, information),
        elf_format.note(elf_format.NT_SIGINFO, bytes(128)),
        elf_format.note(elf_format.NT_AUXV, content.auxv),
        elf_format.note(elf_format.NT_FILE, elf_format.files(content.files)),
    ]
    return b"".join([*threads[:1], *process, *threads[1:]])


# -- memory ---------------------------------------------------------------------------------------

_Segment = tuple[int, list[memoryview], int]


def _segments(content: Content) -> list[_Segment]:
    """Runs of memory in order, nothing twice; ``(address, parts, size)``."""
    newer = list(_without_overlaps(content.newer))
    every = sorted([*newer, *_uncovered(content.older, newer)], key=lambda piece: piece[0])
    result: list[_Segment] = []
    for address, data in _without_overlaps(every):
        last = result[-1] if result else None
        joins = last is not None and address == last[0] + last[2]
        if last is None or not joins or content.apart in (address, last[0]):
            result.append((address, [data], len(data)))
        else:
            result[-1] = (last[0], [*last[1], data], last[2] + len(data))
    return result


def _without_overlaps(pieces: Iterable[Memory]) -> Iterable[Memory]:
    end = 0
    for address, data in sorted(pieces, key=lambda piece: piece[0]):
        skip = max(0, end - address)
        if skip < len(data):
            yield address + skip, data[skip:]
            end = address + len(data)


def _uncovered(pieces: Iterable[Memory], cover: Sequence[Memory]) -> Iterable[Memory]:
    """The parts of *pieces* that *cover* (in order, without overlaps) leaves open."""
    starts = [address for address, _ in cover]
    for address, data in pieces:
        at, end = address, address + len(data)
        index = max(0, bisect.bisect_right(starts, at) - 1)
        while at < end:
            begin, stop = end, end
            if index < len(cover):
                begin, stop = cover[index][0], cover[index][0] + len(cover[index][1])
            if begin > at:
                until = min(begin, end)
                yield at, data[at - address : until - address]
            at = max(at, stop)
            index += 1
