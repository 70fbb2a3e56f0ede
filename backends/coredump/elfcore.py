"""The structure of an ELF core file: segments, threads, signal, mapped files.

Layouts are the kernel's (linux/elfcore.h, linux/elf.h), which gdb's ``gcore`` writes as
well. Only headers and notes are read here; the memory stays in the file.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import field
from typing import BinaryIO

from hangtui.backends import arch
from hangtui.backends.arch import Arch
from hangtui.backends.coredump.elf_format import (
    ET_CORE,
    NT_AUXV,
    NT_FILE,
    NT_PRPSINFO,
    NT_PRSTATUS,
    NT_SIGINFO,
    PN_XNUM,
    PT_LOAD,
    PT_NOTE,
)
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.ptrace.stopped_threads import SIGNAL_INFO_SIZE, SignalInfo
from hangtui.dataclass import dataclass
from hangtui.model import InputError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
_MAX_SEGMENTS = 1 << 18
"""vm.max_map_count is 65,530 by default."""
_MAX_NOTES = 128 << 20
"""Bytes of all notes together: 10,000 threads with AVX-512 registers need 40 MB."""
_MAX_NOTE_COUNT = 500_000
_MAX_THREADS = 1 << 15
"""kernel.pid_max is that by default."""
_MAX_AUXILIARY = 4096
"""Bytes; the kernel writes some 400."""
_AT_ENTRY, _AT_SYSINFO_EHDR = 9, 33


@dataclass(frozen=True, slots=True)
class Segment:
    """One PT_LOAD."""

    start: int
    end: int
    flags: int
    offset: int
    in_file: int
    """Bytes of it that the core file has; the rest was not written."""


@dataclass(frozen=True, slots=True)
class CoreThread:
    """One NT_PRSTATUS."""

    tid: int
    registers: tuple[int, ...]
    """``user_regs_struct``."""
    signal: int
    """That it was about to get; 0: none."""
    info: SignalInfo | None = None


@dataclass(slots=True)
class CoreNotes:
    """What the notes say."""

    arch: Arch
    """By which they are laid out."""
    threads: list[CoreThread] = field(default_factory=list)
    pid: int = 0
    ppid: int = 0
    name: str = ""
    arguments: str = ""
    """The beginning of the command line."""
    auxiliary: dict[int, int] = field(default_factory=dict)
    files: list[tuple[int, int, int, str]] = field(default_factory=list)
    """Start, end, offset in the file, path."""


@dataclass(frozen=True, slots=True)
class Core:
    """A core file's structure."""

    segments: tuple[Segment, ...]
    notes: CoreNotes
    truncated: bool
    """The file ends before what its headers announce."""

    @property
    def arch(self) -> Arch:
        """The processor that the process ran on."""
        return self.notes.arch

    @property
    def entry(self) -> int:
        """Where the program began; it tells which of the mapped files is the program."""
        return self.notes.auxiliary.get(_AT_ENTRY, 0)

    def mappings(self) -> tuple[Mapping, ...]:
        """All mappings by address, with the files they show."""
        files = {start: (offset, path) for start, _, offset, path in self.notes.files}
        vdso = self.notes.auxiliary.get(_AT_SYSINFO_EHDR)
        found = {}
        for segment in self.segments:
            offset, path = files.get(segment.start, (0, "[vdso]" if segment.start == vdso else ""))
            found[segment.start] = Mapping(
                segment.start, segment.end, _permissions(segment.flags), offset, 1, path
            )
        for start, end, offset, path in self.notes.files:
            if start not in found and start < end:
                # Not dumped at all, as gdb does with what cannot be written.
                found[start] = Mapping(start, end, "r-xp", offset, 1, path)
        return tuple(found[start] for start in sorted(found))


def parse(file: BinaryIO, size: int) -> Core:
    """Read the headers and notes of a core file of *size* bytes.

    Raises:
        InputError: it is damaged, cut off too early, or of another machine.
    """
    try:
        with foreign_data():
            return _parse(file, size)
    except (OSError, DamagedDataError) as error:
        raise InputError("a damaged core file: its headers cannot be read") from error


def _parse(file: BinaryIO, size: int) -> Core:
    header = _HEADER.unpack(_at(file, 0, _HEADER.size))
    identity, kind, machine, table, sections, count = (
        *header[:3],
        header[5],
        header[6],
        header[10],
    )
    if identity[:5] != b"\x7fELF\x02" or kind != ET_CORE:
        raise InputError("not a core file of a 64-bit program")
    processor = arch.of_machine(machine)
    if not arch.is_known(processor):
        known = " or ".join(one.name for one in arch.KNOWN)
        raise InputError(f"a core file of another machine ({processor.name}, not {known})")
    if count == PN_XNUM:
        (count,) = struct.unpack("<I", _at(file, sections + 44, 4))
    if not 0 < count <= _MAX_SEGMENTS:
        raise InputError(f"a damaged core file: {count} segments")
    raw = _at(file, table, count * _PROGRAM_HEADER.size)
    segments, notes, last, noted = [], CoreNotes(processor), 0, 0
    for kind, flags, offset, start, _, in_file, length, _ in _PROGRAM_HEADER.iter_unpack(raw):
        last = max(last, offset + in_file)
        if kind == PT_LOAD and length and start + length < 1 << 64:
            segments.append(Segment(start, start + length, flags, offset, min(in_file, length)))
        elif kind == PT_NOTE:
            noted += in_file
            if noted > _MAX_NOTES:
                raise InputError("a damaged core file: its notes are too long")
            _read_notes(_some(file, offset, in_file), notes)
    if not notes.threads:
        raise InputError("a core file without threads: cut off, or not of a process")
    return Core(tuple(sorted(segments, key=lambda one: one.start)), notes, last > size)


def _some(file: BinaryIO, offset: int, size: int) -> bytes:
    return os.pread(file.fileno(), size, offset)


def _at(file: BinaryIO, offset: int, size: int) -> bytes:
    data = _some(file, offset, size)
    if len(data) != size:
        raise InputError("a core file that is cut off within its headers")
    return data


def _notes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    for _ in range(_MAX_NOTE_COUNT):
        if at + 12 > len(data):
            return
        name_size, size, kind = struct.unpack_from("<III", data, at)
        at += 12 + (name_size + 3 & ~3)
        if at + size > len(data):
            return
        yield kind, data[at : at + size]
        at += size + 3 & ~3


def _read_notes(data: bytes, notes: CoreNotes) -> None:
    layout = notes.arch.core
    for kind, body in _notes(data):
        if kind == NT_PRSTATUS and len(body) >= layout.status_size:
            if len(notes.threads) == _MAX_THREADS:
                raise InputError(f"a core file with more than {_MAX_THREADS} threads")
            registers = _registers(notes.arch, body)
            (signal,) = struct.unpack_from("<h", body, 12)
            notes.threads.append(
                CoreThread(struct.unpack_from("<i", body, 32)[0], registers, signal)
            )
        elif kind == NT_SIGINFO and len(body) >= SIGNAL_INFO_SIZE and notes.threads:
            # It stands behind the registers of the thread that it belongs to.
            thread = notes.threads[-1]
            info = SignalInfo.parse(body)
            notes.threads[-1] = CoreThread(thread.tid, thread.registers, thread.signal, info)
        elif kind == NT_PRPSINFO and len(body) >= layout.info_size:
            notes.pid, notes.ppid = struct.unpack_from("<ii", body, 24)
            notes.name = _text(body[40:56])
            notes.arguments = _text(body[56:136])
        elif kind == NT_AUXV:
            body = body[:_MAX_AUXILIARY]  # noqa: PLW2901
            words = struct.unpack(f"<{len(body) // 16 * 2}Q", body[: len(body) // 16 * 16])
            notes.auxiliary = dict(zip(words[::2], words[1::2], strict=True))
        elif kind == NT_FILE:
            notes.files = _files(body)


def _registers(processor: Arch, status: bytes) -> tuple[int, ...]:
    return struct.unpack_from(processor.registers.layout, status, processor.core.registers_at)


def _files(body: bytes) -> list[tuple[int, int, int, str]]:
    if len(body) < 16:
        return []
    count, page = struct.unpack_from("<QQ", body)
    names_at = 16 + 24 * count
    if count > _MAX_SEGMENTS or names_at > len(body):
        return []
    names = body[names_at:].split(b"\0", count)
    places = struct.iter_unpack("<QQQ", body[16:names_at])
    return [
        (start, end, offset * page, name.decode("utf-8", "surrogateescape"))
        for (start, end, offset), name in zip(places, names, strict=False)
    ]


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace").rstrip()


def _permissions(flags: int) -> str:
    return (
        "".join(
            letter if flags & bit else "-" for letter, bit in zip("rwx", (4, 2, 1), strict=True)
        )
        + "p"
    )
