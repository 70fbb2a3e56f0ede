"""One ELF image in a process: its symbols and unwind tables, read from the process's own memory.

Memory serves deleted files, containers and stripped programs alike; only ``.symtab`` is not
mapped and comes from the file. Written out here, because general ELF libraries take seconds for
the tables of one interpreter, and a capture has milliseconds.
"""

import contextlib
import struct
from array import array
from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO

from hangtui.backends.elf.debug_files import SeparateSymbols
from hangtui.backends.elf.eh_frame import MAX_ENTRIES, Index, index_of
from hangtui.backends.elf.sections import build_id_in, sections
from hangtui.backends.elf.symbols import SYMBOL_SIZE, SymbolTable
from hangtui.backends.linux import PATH_MAX
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.memory.mappings import Mapping, display_path
from hangtui.backends.memory.reader import MAX_READ, Memory
from hangtui.dataclass import dataclass

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP, _PT_NOTE, _PT_GNU_EH_FRAME = 1, 2, 3, 4, 0x6474E550
_DT_STRTAB, _DT_SYMTAB, _DT_STRSZ, _DT_DEBUG, _DT_GNU_HASH = 5, 6, 10, 21, 0x6FFFFEF5
_MAX_CHAIN = 1 << 16
"""Symbols in one bucket of a hash table; linkers make as many buckets as there are symbols."""


@dataclass(frozen=True, slots=True)
class _Segment:
    kind: int
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int


class Image:
    """One ELF file in the memory of a process.

    Raises:
        DamagedDataError: what is mapped there is not a 64-bit ELF image.
    """

    @foreign_data()
    def __init__(self, memory: Memory, first: Mapping) -> None:
        self._memory = memory
        self._first = first
        self.path = display_path(first.path)
        header = memory.read(first.start, 64)
        if header[:5] != b"\x7fELF\x02":
            raise DamagedDataError("not a 64-bit ELF image")
        table, entry_size, count = (
            struct.unpack_from("<Q", header, 32)[0],
            *struct.unpack_from("<HH", header, 54),
        )
        if entry_size != 56 or not 0 < count < 1024:
            raise DamagedDataError("damaged ELF header")
        raw = memory.read(first.start + table, entry_size * count)
        self.segments = [
            _Segment(kind, flags, offset, address, file_size, memory_size)
            for kind, flags, offset, address, _, file_size, memory_size, _ in struct.iter_unpack(
                "<IIQQQQQQ", raw
            )
        ]
        loads = [segment for segment in self.segments if segment.kind == _PT_LOAD]
        if not loads:
            raise DamagedDataError("an ELF image without a loaded segment")
        # Whole pages are mapped, whatever their size is: what is at an offset of the file is as far
        # from the image's beginning in memory as the first segment says.
        self.bias = first.start - first.offset + loads[0].offset - loads[0].address
        self.start = first.start
        self.end = self.bias + max(s.address + s.memory_size for s in loads)

    def read_only_segments(self) -> list[tuple[int, int]]:
        """``(address, size)`` of the loaded segments that are not writable."""
        return [
            (self.bias + s.address, s.file_size)
            for s in self.segments
            if s.kind == _PT_LOAD and not s.flags & 2
        ]

    @property
    def mapped_path(self) -> str:
        """The path that it was mapped from, as the target sees it, not made fit to be shown."""
        return self._first.path.removesuffix(" (deleted)")

    @property
    def dynamic_section(self) -> tuple[int, int] | None:
        """Address and size of the dynamic section; None in a static program."""
        for segment in self.segments:
            if segment.kind == _PT_DYNAMIC:
                return self.bias + segment.address, segment.memory_size
        return None

    @property
    def linker_debug(self) -> int:
        """Of a program: the address of the dynamic linker's ``struct r_debug``; 0: none."""
        return self._dynamic.get(_DT_DEBUG, 0)

    def interpreter(self) -> Iterator[str]:
        """What a program says that it is to be loaded by.

        Raises:
            MemoryReadError: it cannot be read.
        """
        for segment in self.segments:
            if segment.kind == _PT_INTERP:
                yield self._memory.c_string(self.bias + segment.address, PATH_MAX)

    @cached_property
    @foreign_data()
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

    @foreign_data()
    def _dynamic_symbol_count(self, symbols: int, strings: int) -> int:
        if _DT_GNU_HASH not in self._dynamic:
            return max(0, strings - symbols) // SYMBOL_SIZE
        table = self._relocated(self._dynamic[_DT_GNU_HASH])
        buckets, first, bloom, _ = struct.unpack("<4I", self._memory.read(table, 16))
        at = table + 16 + 8 * bloom
        last = max(memoryview(self._memory.read(at, 4 * buckets)).cast("I"), default=0)
        if last < first:
            return int(first)
        chain = at + 4 * buckets
        begun = last
        while not self._memory.u32(chain + 4 * (last - first)) & 1:
            last += 1
            if last > begun + _MAX_CHAIN:
                raise DamagedDataError("a symbol table without an end")
        return int(last) + 1

    @cached_property
    def _exported(self) -> SymbolTable:
        try:
            dynamic = self._dynamic
            if not {_DT_SYMTAB, _DT_STRTAB, _DT_STRSZ} <= dynamic.keys():
                return SymbolTable()
            symbols = self._relocated(dynamic[_DT_SYMTAB])
            strings = self._relocated(dynamic[_DT_STRTAB])
            size = SYMBOL_SIZE * self._dynamic_symbol_count(symbols, strings)
            names = dynamic[_DT_STRSZ]
            if max(size, names) > MAX_READ or not self._memory.spent.symbols(size + names):
                return SymbolTable()
            raw = self._memory.read(symbols, size)
            return SymbolTable.parse(raw, self._memory.read(strings, names), self.bias)
        except DamagedDataError:
            return SymbolTable()

    @cached_property
    def build_id(self) -> str | None:
        """The linker's fingerprint of the file, in hexadecimal; None: it has none to be read."""
        for segment in self.segments:
            if segment.kind == _PT_NOTE:
                try:
                    raw = self._memory.read(self.bias + segment.address, segment.file_size)
                    found = build_id_in(raw)
                except DamagedDataError:
                    continue
                if found:
                    return found
        return None

    @cached_property
    def _from_file(self) -> SymbolTable:
        """``.symtab`` of the mapped file, or of what was split from it."""
        try:
            return self.separate.find()
        except DamagedDataError:
            return SymbolTable()

    @cached_property
    def separate(self) -> SeparateSymbols:
        """Where the symbols come from that are not in memory."""
        return SeparateSymbols(self._memory, self._first, self.build_id, self.bias)

    def _open(self) -> BinaryIO:
        return self._memory.open_mapped(self._first)

    def exported(self, name: str) -> int | None:
        """The address of an exported symbol."""
        return self._exported.address_of(name)

    def address_of(self, name: str) -> int | None:
        """The address of a symbol, exported or not; None also where the file was stripped."""
        exported = self.exported(name)
        return self._from_file.address_of(name) if exported is None else exported

    def exported_at(self, address: int) -> str | None:
        """The exported function or object that *address* lies in."""
        return self._exported.around(address)

    def exported_starting_at(self, address: int) -> str | None:
        """The exported symbol that begins exactly at *address*."""
        return self._exported.starting_at(address)

    def symbol_at(self, address: int) -> str | None:
        """The function or object around *address*, from ``.symtab`` where the file has one."""
        return self._from_file.around(address) or self._exported.around(address)

    @cached_property
    @foreign_data()
    def unwind_index(self) -> Index | None:
        """``.eh_frame_hdr``: its address, and relative to it the sorted function starts and FDEs.

        Made from ``.eh_frame`` where there is no binary search table of the usual encoding
        (DW_EH_PE_datarel | sdata4, the only one that GNU ld and lld write); None without either.
        """
        for segment in self.segments:
            if segment.kind == _PT_GNU_EH_FRAME:
                at = self.bias + segment.address
                header = self._memory.read(at, 4)
                if header[0] != 1 or header[2] != 3 or header[3] != 0x3B:
                    break
                pointer_size = 4 if header[1] & 15 in (0x3, 0xB) else 8
                count = self._memory.u32(at + 4 + pointer_size)
                if count > MAX_ENTRIES:
                    raise DamagedDataError("a damaged unwind table")
                self._memory.spent.keep(8 * count)
                values = array("i", self._memory.read(at + 8 + pointer_size, 8 * count))
                return at, values[0::2], values[1::2]
        return self._index_from_table()

    def _index_from_table(self) -> Index | None:
        with contextlib.suppress(OSError, DamagedDataError), foreign_data():
            with self._open() as file:
                section = next((s for s in sections(file) if s.name == ".eh_frame"), None)
            if section is not None:
                return index_of(self._memory, self.bias + section.address, section.size)
        return None
