"""Writes an ELF core file with only the memory that is given: gdb 13 and newer open it.

Layouts: elf(5), ``struct elf_prstatus`` and ``elf_prpsinfo`` of sys/procfs.h, and the kernel's
fs/binfmt_elf.c for NT_FILE; all for x86-64.
"""

import bisect
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hangtui.backends.memory import PAGE
from hangtui.backends.memory import Mapping as MemoryMapping

_NT_PRSTATUS, _NT_PRPSINFO, _NT_AUXV, _NT_SIGINFO, _NT_FILE = 1, 3, 6, 0x53494749, 0x46494C45
_PT_LOAD, _PT_NOTE = 1, 4
_ET_CORE, _EM_X86_64 = 4, 62
_PN_XNUM = 0xFFFF
"""More program headers than this are counted in the first section header."""
_NOT_FILES = ("/dev/", "/memfd:", "/SYSV", "/anon_hugepage")

Memory = tuple[int, memoryview]
"""An address and what is there."""


@dataclass(frozen=True, slots=True)
class Content:
    """What goes into the file."""

    pid: int
    comm: bytes
    cmdline: bytes
    registers: Mapping[int, bytes]
    """``user_regs_struct`` by TID."""
    auxv: bytes
    mappings: Sequence[MemoryMapping]
    older: Sequence[Memory]
    """Memory that counts where there is nothing newer."""
    newer: Sequence[Memory]
    apart: int
    """Address of the vDSO: gdb finds it only as a segment of its own."""


def write(path: Path, content: Content) -> int:
    """Write the file, readable by its owner only; its size in bytes."""
    segments = _segments(content)
    notes = _notes(content)
    count = 1 + len(segments)
    extended = count >= _PN_XNUM
    start = 64 + 56 * count + (64 if extended else 0)
    at = (start + len(notes) + PAGE - 1) & -PAGE
    headers = [_program_header(_PT_NOTE, start, 0, len(notes), 4)]
    place = at
    for address, _, size in segments:
        headers.append(_program_header(_PT_LOAD, place, address, size, PAGE))
        place += size
    path.touch(mode=0o600, exist_ok=False)
    with path.open("wb") as file:
        file.write(_elf_header(count, extended) + b"".join(headers))
        if extended:
            file.write(struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, count, 0, 0))
        file.write(notes)
        file.seek(at)
        for _, parts, _ in segments:
            file.writelines(parts)
    return place


def _elf_header(count: int, extended: bool) -> bytes:
    sections = 64 + 56 * count if extended else 0
    return (
        b"\x7fELF\2\1\1"
        + bytes(9)
        + struct.pack(
            "<HHIQQQIHHHHHH",
            *(_ET_CORE, _EM_X86_64, 1, 0, 64, sections, 0, 64, 56),
            *(min(count, _PN_XNUM), 64 if extended else 0, 1 if extended else 0, 0),
        )
    )


def _program_header(kind: int, offset: int, address: int, size: int, alignment: int) -> bytes:
    flags = 6 if kind == _PT_LOAD else 0
    memory = size if kind == _PT_LOAD else 0
    return struct.pack("<IIQQQQQQ", kind, flags, offset, address, 0, size, memory, alignment)


# -- notes ----------------------------------------------------------------------------------------


def _notes(content: Content) -> bytes:
    """The main thread first, then what holds for the process, then the other threads."""
    pid, registers = content.pid, content.registers
    order = sorted(registers, key=lambda tid: (tid != pid, tid))
    threads = [_note(_NT_PRSTATUS, _thread_status(tid, registers[tid])) for tid in order]
    process = [
        _note(_NT_PRPSINFO, _process_info(content)),
        _note(_NT_SIGINFO, bytes(128)),
        _note(_NT_AUXV, content.auxv),
        _note(_NT_FILE, _files(content.mappings)),
    ]
    return b"".join([*threads[:1], *process, *threads[1:]])


def _note(kind: int, content: bytes) -> bytes:
    return (
        struct.pack("<III8s", 5, len(content), kind, b"CORE") + content + bytes(-len(content) % 4)
    )


def _thread_status(tid: int, registers: bytes) -> bytes:
    head = struct.pack("<iiihxxQQiiii", 0, 0, 0, 0, 0, 0, tid, 0, 0, 0)
    return head + bytes(64) + registers + bytes(8)


def _process_info(content: Content) -> bytes:
    return struct.pack(
        "<bcbbxxxxQIIiiii16s80s",
        *(0, b"S", 0, 0, 0, 0, 0, content.pid, 0, 0, 0, content.comm[:15], content.cmdline[:79]),
    )


def _files(mappings: Sequence[MemoryMapping]) -> bytes:
    files = [
        (m, m.path.removesuffix(" (deleted)"))
        for m in mappings
        if m.path.startswith("/") and not m.path.startswith(_NOT_FILES) and m.permissions != "---p"
    ]
    table = b"".join(struct.pack("<QQQ", m.start, m.end, m.offset // PAGE) for m, _ in files)
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for _, path in files)
    return struct.pack("<QQ", len(files), PAGE) + table + names


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
