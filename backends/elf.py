"""ELF images of a process: symbols and unwind tables, read from its own memory.

Memory serves deleted files, containers and stripped programs alike; only ``.symtab`` is not
mapped and comes from the file. Written out here, because general ELF libraries take seconds for
the tables of one interpreter, and a capture has milliseconds.
"""

import bisect
import os
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.memory import Mapping, MemoryReadError, ProcessMemory, display_path

_PT_LOAD, _PT_DYNAMIC, _PT_GNU_EH_FRAME = 1, 2, 0x6474E550
_DT_STRTAB, _DT_SYMTAB, _DT_STRSZ, _DT_GNU_HASH = 5, 6, 10, 0x6FFFFEF5
_SHT_SYMTAB = 2
_STT_OBJECT, _STT_FUNC, _STT_GNU_IFUNC = 1, 2, 10
_SYMBOL_SIZE = 24
_MAX_FILE_SYMBOLS = 64 << 20
"""Bytes of a ``.symtab`` that are read at most."""


@dataclass(frozen=True, slots=True)
class _Segment:
    kind: int
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int


@dataclass(frozen=True, slots=True)
class _Symbols:
    """A symbol table in columns, sorted by address; names are decoded when asked for."""

    starts: tuple[int, ...]
    sizes: tuple[int, ...]
    name_offsets: tuple[int, ...]
    strings: bytes

    def name(self, index: int) -> str:
        """The name of the symbol at *index*."""
        begin = self.name_offsets[index]
        end = self.strings.find(b"\0", begin)
        return self.strings[begin:end].decode("utf-8", "replace")


_EMPTY = _Symbols((), (), (), b"")


class Image:
    """One ELF file in the memory of a process.

    Raises:
        MemoryReadError: what is mapped there is not a 64-bit ELF image.
    """

    def __init__(self, memory: ProcessMemory, first: Mapping) -> None:
        self._memory = memory
        self._first = first
        self.path = display_path(first.path)
        header = memory.read(first.start, 64)
        if header[:5] != b"\x7fELF\x02":
            raise MemoryReadError("not a 64-bit ELF image")
        table, entry_size, count = (
            struct.unpack_from("<Q", header, 32)[0],
            *struct.unpack_from("<HH", header, 54),
        )
        if entry_size != 56 or not 0 < count < 1024:
            raise MemoryReadError("damaged ELF header")
        raw = memory.read(first.start + table, entry_size * count)
        self.segments = [
            _Segment(kind, flags, offset, address, file_size, memory_size)
            for kind, flags, offset, address, _, file_size, memory_size, _ in struct.iter_unpack(
                "<IIQQQQQQ", raw
            )
        ]
        loads = [segment for segment in self.segments if segment.kind == _PT_LOAD]
        if not loads:
            raise MemoryReadError("an ELF image without a loaded segment")
        self.bias = first.start - (loads[0].address & ~0xFFF)
        self.start = first.start
        self.end = self.bias + max(s.address + s.memory_size for s in loads)

    def read_only_segments(self) -> list[tuple[int, int]]:
        """``(address, size)`` of the loaded segments that are not writable."""
        return [
            (self.bias + s.address, s.file_size)
            for s in self.segments
            if s.kind == _PT_LOAD and not s.flags & 2
        ]

    @cached_property
    def _dynamic(self) -> dict[int, int]:
        result: dict[int, int] = {}
        for segment in self.segments:
            if segment.kind == _PT_DYNAMIC:
                raw = self._memory.read(self.bias + segment.address, segment.file_size & ~15)
                for tag, value in struct.iter_unpack("<QQ", raw):
                    if tag == 0:
                        break
                    result.setdefault(tag, value)
        return result

    def _relocated(self, value: int) -> int:
        """ld.so adds the load bias to pointers in the dynamic section, not in every image."""
        return value if value >= self.bias else value + self.bias

    def _dynamic_symbol_count(self, symbols: int, strings: int) -> int:
        if _DT_GNU_HASH not in self._dynamic:
            return max(0, strings - symbols) // _SYMBOL_SIZE
        table = self._relocated(self._dynamic[_DT_GNU_HASH])
        buckets, first, bloom, _ = struct.unpack("<4I", self._memory.read(table, 16))
        at = table + 16 + 8 * bloom
        last = max(struct.unpack(f"<{buckets}I", self._memory.read(at, 4 * buckets)), default=0)
        if last < first:
            return int(first)
        chain = at + 4 * buckets
        while not self._memory.u32(chain + 4 * (last - first)) & 1:
            last += 1
        return int(last) + 1

    @cached_property
    def _exported(self) -> _Symbols:
        dynamic = self._dynamic
        if not {_DT_SYMTAB, _DT_STRTAB, _DT_STRSZ} <= dynamic.keys():
            return _EMPTY
        symbols = self._relocated(dynamic[_DT_SYMTAB])
        strings = self._relocated(dynamic[_DT_STRTAB])
        try:
            count = self._dynamic_symbol_count(symbols, strings)
            return self._parse(
                self._memory.read(symbols, _SYMBOL_SIZE * count),
                self._memory.read(strings, dynamic[_DT_STRSZ]),
            )
        except (MemoryReadError, struct.error):
            return _EMPTY

    @cached_property
    def _from_file(self) -> _Symbols:
        try:
            return self._read_symtab()
        except (OSError, struct.error, ValueError, IndexError):
            return _EMPTY

    def _read_symtab(self) -> _Symbols:
        with open_mapped(self._memory.pid, self._first) as file:
            header = os.pread(file.fileno(), 64, 0)
            offset = struct.unpack_from("<Q", header, 40)[0]
            entry_size, count, _ = struct.unpack_from("<HHH", header, 58)
            table = os.pread(file.fileno(), entry_size * count, offset)
            sections = list(struct.iter_unpack("<IIQQQQIIQQ", table))
            for section in sections:
                if section[1] == _SHT_SYMTAB and section[5] <= _MAX_FILE_SYMBOLS:
                    strings = sections[section[6]]
                    return self._parse(
                        os.pread(file.fileno(), section[5], section[4]),
                        os.pread(file.fileno(), min(strings[5], _MAX_FILE_SYMBOLS), strings[4]),
                    )
        return _EMPTY

    def _parse(self, raw: bytes, strings: bytes) -> _Symbols:
        usable = len(raw) // _SYMBOL_SIZE * _SYMBOL_SIZE
        rows = sorted(
            (value + self.bias, size, name)
            for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", raw[:usable])
            if section and value and info & 15 in (_STT_OBJECT, _STT_FUNC, _STT_GNU_IFUNC)
        )
        if not rows:
            return _EMPTY
        starts, sizes, names = zip(*rows, strict=True)
        return _Symbols(starts, sizes, names, strings)

    @cached_property
    def _addresses(self) -> dict[str, int]:
        table = self._exported
        return {table.name(index): start for index, start in enumerate(table.starts)}

    def exported(self, name: str) -> int | None:
        """The address of an exported symbol."""
        return self._addresses.get(name)

    def exported_at(self, address: int) -> str | None:
        """The exported function or object that *address* lies in."""
        return _lookup(self._exported, address)

    def symbol_at(self, address: int) -> str | None:
        """The function or object around *address*, from ``.symtab`` where the file has one."""
        return _lookup(self._from_file, address) or _lookup(self._exported, address)

    def exported_starting_at(self, address: int) -> str | None:
        """The exported symbol that begins exactly at *address*."""
        table = self._exported
        index = bisect.bisect_left(table.starts, address)
        if index < len(table.starts) and table.starts[index] == address:
            return table.name(index)
        return None

    @cached_property
    def unwind_index(self) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
        """``.eh_frame_hdr``: its address, and relative to it the sorted function starts and FDEs.

        None where the image has no binary search table of the usual encoding (DW_EH_PE_datarel |
        sdata4, the only one that GNU ld and lld write).
        """
        for segment in self.segments:
            if segment.kind == _PT_GNU_EH_FRAME:
                at = self.bias + segment.address
                header = self._memory.read(at, 4)
                if header[0] != 1 or header[2] != 3 or header[3] != 0x3B:
                    return None
                pointer_size = 4 if header[1] & 15 in (0x3, 0xB) else 8
                count = self._memory.u32(at + 4 + pointer_size)
                raw = self._memory.read(at + 8 + pointer_size, 8 * count)
                values = struct.unpack(f"<{2 * count}i", raw)
                return at, values[0::2], values[1::2]
        return None


_MAX_SYMBOL_GAP = 64
"""Symbols that may lie between an address and the one that covers it (aliases, nested ones)."""


def _lookup(table: _Symbols, address: int) -> str | None:
    index = bisect.bisect_right(table.starts, address) - 1
    lowest = max(-1, index - _MAX_SYMBOL_GAP)
    while index > lowest:
        if address < table.starts[index] + max(table.sizes[index], 1):
            return table.name(index)
        index -= 1
    return None


def open_mapped(pid: int, mapping: Mapping) -> BinaryIO:
    """The file behind a mapping, also when it lies in another mount namespace or was deleted."""
    places = (
        f"/proc/{pid}/map_files/{mapping.start:x}-{mapping.end:x}",
        f"/proc/{pid}/root{mapping.path}",
    )
    for place in places:
        try:
            return Path(place).open("rb")
        except OSError:
            continue
    raise FileNotFoundError(mapping.path)


class Images:
    """All ELF images of a process."""

    def __init__(self, memory: ProcessMemory) -> None:
        self._memory = memory
        self._firsts = [m for m in memory.mappings if m.offset == 0 and _may_be_image(m)]
        self._by_start: dict[int, Image | None] = {}
        self._ranges = _image_ranges(memory.mappings)
        self._starts = [start for start, _, _ in self._ranges]

    def at(self, address: int) -> Image | None:
        """The image that *address* lies in."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index < 0 or address >= self._ranges[index][1]:
            return None
        image = self._load(self._ranges[index][2])
        return image if image is not None and address < image.end else None

    def matching(self, names: tuple[str, ...]) -> list[Image]:
        """The images whose file name begins with one of *names*, and the program itself first."""
        firsts = self._firsts[:1] + [
            m for m in self._firsts[1:] if m.path.rsplit("/", 1)[-1].startswith(names)
        ]
        return [image for first in firsts if (image := self._load(first)) is not None]

    def _load(self, first: Mapping) -> Image | None:
        if first.start not in self._by_start:
            try:
                self._by_start[first.start] = Image(self._memory, first)
            except (MemoryReadError, struct.error):
                self._by_start[first.start] = None
        return self._by_start[first.start]


def _may_be_image(mapping: Mapping) -> bool:
    return mapping.path.startswith("/") or mapping.path == "[vdso]"


def _image_ranges(mappings: tuple[Mapping, ...]) -> list[tuple[int, int, Mapping]]:
    """``(start, end, first mapping)`` per mapped file, its anonymous tail (.bss) included."""
    ranges: list[tuple[int, int, Mapping]] = []
    for mapping in mappings:
        if not ranges or mapping.path != ranges[-1][2].path or mapping.offset == 0:
            if mapping.offset == 0 and _may_be_image(mapping):
                ranges.append((mapping.start, mapping.end, mapping))
            elif mapping.path == "" and ranges and ranges[-1][1] == mapping.start:
                ranges[-1] = (ranges[-1][0], mapping.end, ranges[-1][2])
            continue
        ranges[-1] = (ranges[-1][0], mapping.end, ranges[-1][2])
    return ranges
