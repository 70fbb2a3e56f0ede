"""The symbols that a mapped file itself exports to nobody: its own, and those split from it.

Looked for as gdb does ("Debugging Information in Separate Files"): in the file, in the compressed
table that some distributions leave in it, by build id, and by the name that the file gives.
A separate file counts only if it belongs to the mapped one.
"""

import io
import posixpath
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from hangtui.backends.door import Root
from hangtui.backends.elf.sections import Section, build_id_of, part, sections
from hangtui.backends.elf.symbols import SymbolTable
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import Memory

_MAX_UNPACKED, _MAX_UNPACKING = 32 << 20, 80 << 20
"""Bytes of a compressed table (Fedora's have a few MB), and of what its decompressor may need: that
of ``xz -9`` needs 65 MiB."""
_MAX_CHECKED = 1 << 30
"""Bytes of a separate file whose checksum is computed: a second for each GiB."""
_AT_ONCE = 1 << 20
_DAMAGED = (OSError, DamagedDataError)
_FOLDER = "/usr/lib/debug"


class SeparateSymbols:
    """Finds the symbols of one mapped file."""

    def __init__(self, memory: Memory, first: Mapping, build_id: str | None, bias: int) -> None:
        self._memory = memory
        self._first = first
        self._build_id = build_id
        self._bias = bias
        self.foreign: list[str] = []
        """Paths of separate files that belong to another build."""

    def find(self) -> SymbolTable:
        """The first table that has any symbols."""
        try:
            with foreign_data(), self._memory.open_mapped(self._first) as file:
                symbols = SymbolTable.from_file(file, self._bias, self._memory.spent)
                table = {} if symbols.starts else {s.name: s for s in sections(file)}
                if not symbols.starts and ".gnu_debugdata" in table:
                    symbols = self._unpacked(file, table[".gnu_debugdata"])
                named = _debug_link(file, table.get(".gnu_debuglink"))
        except _DAMAGED:
            symbols, named = SymbolTable(), None
        return symbols if symbols.starts else self._separate(named)

    def _unpacked(self, file: BinaryIO, section: Section) -> SymbolTable:
        """The compressed table; an empty one where it is damaged, or Python was built without what
        reads it."""
        try:
            import lzma
        except ImportError:
            return SymbolTable()
        spent = self._memory.spent
        packed = part(file, section.offset, min(section.size, _MAX_UNPACKED))
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_UNPACKING)
        content = io.BytesIO()
        while not decompressor.eof and content.tell() < _MAX_UNPACKED:
            spent.check()
            try:
                unpacked = decompressor.decompress(packed, _AT_ONCE)
            except lzma.LZMAError:
                return SymbolTable()
            if not unpacked and decompressor.needs_input:
                break
            content.write(unpacked)
            packed = b""
        return SymbolTable.from_file(content, self._bias, spent)

    def _separate(self, named: tuple[str, int] | None) -> SymbolTable:
        for path, root in self._candidates(named):
            try:
                with foreign_data(), root.open_file(path) as file:
                    if not self._belongs(file, named):
                        self.foreign.append(path)
                        continue
                    symbols = SymbolTable.from_file(file, self._bias, self._memory.spent)
            except _DAMAGED:
                continue
            if symbols.starts:
                return symbols
        return SymbolTable()

    def _candidates(self, named: tuple[str, int] | None) -> Iterator[tuple[str, Root]]:
        """Paths in the target's root; in ours only what we put there for this very build."""
        theirs = self._memory.root
        if self._build_id:
            path = f"{_FOLDER}/.build-id/{self._build_id[:2]}/{self._build_id[2:]}.debug"
            yield path, theirs
            with Root.of_folder("/", theirs.budget) as ours:
                yield path, ours
        if named:
            folder = posixpath.dirname(self._first.path)
            yield f"{folder}/{named[0]}", theirs
            yield f"{folder}/.debug/{named[0]}", theirs
            yield f"{_FOLDER}{folder}/{named[0]}", theirs

    def _belongs(self, file: BinaryIO, named: tuple[str, int] | None) -> bool:
        if self._build_id:
            return build_id_of(file) == self._build_id
        return named is not None and self._checksum(file) == named[1]

    def _checksum(self, file: BinaryIO) -> int:
        checksum, at = 0, file.seek(0)
        while at < _MAX_CHECKED and (data := file.read(_AT_ONCE)):
            self._memory.spent.check()
            checksum, at = zlib.crc32(data, checksum), at + len(data)
        return checksum


def _debug_link(file: BinaryIO, section: Section | None) -> tuple[str, int] | None:
    """Name and checksum of the separate file, as the mapped one gives them."""
    if section is None or section.size < 8:
        return None
    raw = part(file, section.offset, min(section.size, 4096))
    name = raw.split(b"\0", 1)[0].decode("utf-8", "replace")
    if not name or "/" in name:
        return None
    return name, struct.unpack_from("<I", raw, len(raw) - 4)[0]
