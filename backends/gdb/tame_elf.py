"""Copies an ELF file without what would lead a debugger to other files.

gdb follows by itself what a file says of others: where its debug information was split to, which
interpreter it has, what to read of just-in-time compilers. Whoever made the file may name pipes,
devices and files of other people there. The copy gets a section table of our own making: the same
sections at the same numbers, but for those that name files.
"""

import mmap
import os
import struct
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from hangtui.backends.arch import KNOWN, of_kernel

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
"""Elf64_Ehdr, elf.h."""
_ROW = struct.Struct("<IIQQQQIIQQ")
"""Elf64_Shdr."""
_MAGIC = b"\x7fELF\x02\x01"
_MACHINES = frozenset(one.machine for one in KNOWN)
_PROGBITS, _STRTAB = 1, 3
_MAX_ROWS = 4096
_MAX_NAMES = 1 << 20
_MAX_NAME = 100
_MAX_BUILD_ID = 64
_LEFT_OUT = frozenset(
    b".gnu_debuglink .debug_gdb_scripts .zdebug_gdb_scripts .debug_sup .zdebug_sup".split()
)
"""``.debug_sup`` names a file as ``.gnu_debugaltlink`` does (DWARF 5, section 7.3.6); with a z they
are compressed, and debuggers take them for the same."""
_PACKED = b".gnu_debugdata"
"""A whole ELF file in a section, which may name others again."""
_ALTERNATIVE, _INTERPRETER = b".gnu_debugaltlink", b".interp"
_NOWHERE = b"none\0"
_COMPILER_HOOKS = (b"__jit_debug_descriptor", b"__jit_debug_register_code")
"""By these names gdb finds further ELF files in a process's memory
(gdb manual, "JIT Compilation Interface")."""
_SKELETON, _MAX_UNITS = 4, 10_000
"""DW_UT_skeleton."""
_CHUNK = 1 << 20
EMPTY = _HEADER.pack(_MAGIC + b"\x01", 3, of_kernel().machine, 1, 0, 0, 0, 0, 64, 56, 0, 64, 0, 0)
"""A file in which there is nothing. Named ``FILE.dwp`` beside FILE it keeps gdb from opening what
FILE names as the places of its debug information ("Debug Fission"): all that would be in it."""


class WildError(Exception):
    """There is no telling what a debugger would make of a file."""


def tame(source: BinaryIO, sink: BinaryIO, limit: int, *, packed: bool) -> int:
    """Write the copy of *source*, a 64-bit ELF file, to *sink*; how many bytes were copied.

    Args:
        source: only read by its descriptor, from its beginning.
        sink: new and empty, open for reading and writing.
        limit: bytes that may be copied.
        packed: whether to keep a packed file in it, which may lead to others.

    Raises:
        WildError: it is larger, or no such file.
        OSError: it cannot be copied.
    """
    size = _copy(source.fileno(), sink.fileno(), limit)
    if size < _HEADER.size:
        raise WildError("it is no ELF file")
    with mmap.mmap(sink.fileno(), size) as content:
        header = list(_HEADER.unpack_from(content, 0))
        if header[0][:6] != _MAGIC or header[2] not in _MACHINES:
            raise WildError("it is no ELF file for this processor")
        for name in _COMPILER_HOOKS:
            _blot_out(content, name)
        rows = _rows(content, header[6], header[12])
        names = _names(content, rows, header[13])
        if _is_split(content, dict(zip(names, rows, strict=True))):
            names = [b"" if name.startswith(b".debug_") else name for name in names]
        added = _Added(size)
        kept = [
            _row(content, row, name, added, packed=packed)
            for row, name in zip(rows, names, strict=True)
        ]
        kept, header[13] = _with_names(kept, names, added) if kept else ([], 0)
        header[6], header[11], header[12] = added.place() if kept else 0, _ROW.size, len(kept)
        _HEADER.pack_into(content, 0, *header)
    os.pwrite(sink.fileno(), added.data + b"".join(_ROW.pack(*row) for row in kept), size)
    return size


def _copy(source: int, sink: int, limit: int) -> int:
    done = 0
    while done <= limit:
        data = os.pread(source, _CHUNK, done)
        if not data:
            return done
        os.write(sink, data)
        done += len(data)
    raise WildError(f"it is larger than {limit >> 20} MiB")


def _blot_out(content: mmap.mmap, name: bytes) -> None:
    at = content.find(name)
    while at >= 0:
        content[at : at + 2] = b"XX"
        at = content.find(name, at)


Row = tuple[int, ...]


def _rows(content: mmap.mmap, table: int, count: int) -> list[Row]:
    """The sections; none of a file whose table is not where it should be."""
    if not 0 < count <= _MAX_ROWS or table + count * _ROW.size > len(content):
        return []
    return [_ROW.unpack_from(content, table + index * _ROW.size) for index in range(count)]


def _names(content: mmap.mmap, rows: Sequence[Row], number: int) -> list[bytes]:
    if number >= len(rows):
        return [b""] * len(rows)
    start, size = rows[number][4], min(rows[number][5], _MAX_NAMES)
    strings = content[start : start + size] if start < len(content) else b""
    return [strings[row[0] : row[0] + _MAX_NAME].split(b"\0", 1)[0] for row in rows]


def _is_split(content: mmap.mmap, table: Mapping[bytes, Row]) -> bool:
    """Whether the debug information is but a skeleton whose rest lies in other files.

    Without those gdb makes nothing of it, nor of what it knows otherwise. Compilers that split it
    always make a table of addresses, and mark units from DWARF 5 on (section 7.5.1.2).
    """
    info = table.get(b".debug_info")
    if info is None or b".debug_addr" not in table:
        return False
    at, end = info[4], min(info[4] + info[5], len(content) - 12)
    for _ in range(_MAX_UNITS):
        if at >= end:
            break
        length, version, kind = struct.unpack_from("<IHB", content, at)
        if version < 5 or kind == _SKELETON:
            return True
        at += 4 + length
    return False


class _Added:
    """What comes behind the copy."""

    def __init__(self, start: int) -> None:
        self._start = start
        self.data = bytes(-start % 8)

    def place(self) -> int:
        """Where the next bytes will be."""
        return self._start + len(self.data)

    def add(self, data: bytes) -> int:
        """Where the bytes are."""
        at = self.place()
        self.data += data + bytes(-len(data) % 8)
        return at


def _row(content: mmap.mmap, row: Row, name: bytes, added: _Added, *, packed: bool) -> Row:
    if name in _LEFT_OUT or (name == _PACKED and not packed):
        return (0,) * len(row)
    if name not in (_ALTERNATIVE, _INTERPRETER):
        return row
    end = b""
    if name == _ALTERNATIVE:
        raw = content[row[4] : row[4] + min(row[5], _MAX_NAMES)] if row[4] < len(content) else b""
        end = raw.partition(b"\0")[2][:_MAX_BUILD_ID]
    data = _NOWHERE + end
    return (row[0], _PROGBITS, 0, row[3], added.add(data), len(data), 0, 0, 1, 0)


def _with_names(
    rows: Sequence[Row], names: Sequence[bytes], added: _Added
) -> tuple[list[Row], int]:
    """*rows* with names in a table of our own, which is the last section; and its number."""
    table, result = b"\0", []
    for row, name in zip((*rows, None), (*names, b".shstrtab"), strict=True):
        place = len(table) if name else 0
        table += name + b"\0" if name else b""
        if row is not None:
            result.append((place, *row[1:]))
    at = added.add(table)
    result.append((place, _STRTAB, 0, 0, at, len(table), 0, 0, 1, 0))
    return result, len(result) - 1
