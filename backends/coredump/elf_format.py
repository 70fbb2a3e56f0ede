"""The frame of an ELF core file: numbers, headers and notes, for those who write one.

Layouts: elf(5), ``struct elf_prstatus`` and ``elf_prpsinfo`` of sys/procfs.h, and the kernel's
fs/binfmt_elf.c for NT_FILE.
"""

import struct
from collections.abc import Iterable, Sequence

from hangtui.backends.arch import Arch
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.mappings import Mapping
from hangtui.dataclass import dataclass

ET_CORE = 4
PT_LOAD, PT_NOTE = 1, 4
NT_PRSTATUS, NT_PRPSINFO, NT_AUXV, NT_SIGINFO, NT_FILE = 1, 3, 6, 0x53494749, 0x46494C45
PN_XNUM = 0xFFFF
"""More program headers than this are counted in the first section header's sh_info."""
READABLE_AND_WRITABLE = 6
"""PF_R | PF_W."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One PT_LOAD."""

    start: int
    length: int
    """Bytes in memory."""
    in_file: int
    """Bytes of them that are in the file."""
    flags: int = READABLE_AND_WRITABLE


def head(arch: Arch, notes: bytes, segments: Sequence[Segment]) -> bytes:
    """All that comes before the memory, which follows segment by segment."""
    count = 1 + len(segments)
    extended = count >= PN_XNUM
    start = 64 + 56 * count + (64 if extended else 0)
    at = (start + len(notes) + PAGE - 1) & -PAGE
    headers = [struct.pack("<IIQQQQQQ", PT_NOTE, 0, start, 0, 0, len(notes), 0, 4)]
    place = at
    for one in segments:
        sizes = (one.in_file, one.length, PAGE)
        headers.append(
            struct.pack("<IIQQQQQQ", PT_LOAD, one.flags, place, one.start, 0, *sizes),
        )
        place += one.in_file
    if extended:
        headers.append(struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, count, 0, 0))
    return (_elf_header(arch, count, extended) + b"".join(headers) + notes).ljust(at, b"\0")


def _elf_header(arch: Arch, count: int, extended: bool) -> bytes:
    sections = 64 + 56 * count if extended else 0
    return b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH",
        *(ET_CORE, arch.machine, 1, 0, 64, sections, 0, 64, 56),
        *(min(count, PN_XNUM), 64 if extended else 0, 1 if extended else 0, 0),
    )


def note(kind: int, body: bytes) -> bytes:
    """One note of the kernel's."""
    return struct.pack("<III8s", 5, len(body), kind, b"CORE") + body + bytes(-len(body) % 4)


def thread_status(arch: Arch, tid: int, registers: bytes, signal: int = 0, code: int = 0) -> bytes:
    """``struct elf_prstatus``: the signal, the TID and the registers (``user_regs_struct``)."""
    head = struct.pack("<iiihxxQQi", signal, code, 0, signal, 0, 0, tid)
    status = head.ljust(arch.core.registers_at, b"\0") + registers
    return status.ljust(arch.core.status_size, b"\0")


def process_info(pid: int, ppid: int, name: bytes, command_line: bytes) -> bytes:
    """``struct elf_prpsinfo``: the PIDs, the name and the beginning of the command line."""
    return struct.pack(
        "<bcbbxxxxQIIiiii16s80s",
        *(0, b"S", 0, 0, 0, 0, 0, pid, ppid, 0, 0, name[:15], command_line[:79]),
    )


def files(mappings: Iterable[tuple[Mapping, str]]) -> bytes:
    """NT_FILE: where which file is mapped."""
    shown = list(mappings)
    places = b"".join(struct.pack("<QQQ", m.start, m.end, m.offset // PAGE) for m, _ in shown)
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for _, path in shown)
    return struct.pack("<QQ", len(shown), PAGE) + places + names
