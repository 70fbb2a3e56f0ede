"""Symbol tables of ELF files: which function or object an address lies in."""

import bisect
import io
import os
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, Self

from hangtui.backends.elf_file import SHT_SYMTAB, part, sections

SYMBOL_SIZE = 24
"""sizeof(Elf64_Sym)."""
_WANTED = frozenset(info for info in range(256) if info & 15 in (1, 2, 10))
"""Values of ``st_info`` with the types STT_OBJECT, STT_FUNC and STT_GNU_IFUNC."""
_MAX_FILE_SYMBOLS = 64 << 20
"""Bytes of a ``.symtab`` that are read at most."""
_MAX_KEPT, _MAX_KEPT_SYMBOLS = 12, 50_000
"""How many files' tables are kept, and how large they are at most: about 8 MB each."""
_MAX_GAP = 64
"""Symbols that may lie between an address and the one that covers it (aliases, nested ones)."""


@dataclass(frozen=True)
class SymbolTable:
    """Symbols in columns, sorted by address; names are decoded when asked for."""

    starts: tuple[int, ...] = ()
    """As the file has them."""
    sizes: tuple[int, ...] = ()
    name_offsets: tuple[int, ...] = ()
    strings: bytes = b""
    bias: int = 0
    """What the loader added to the addresses of the file."""

    @classmethod
    def parse(cls, raw: bytes, strings: bytes, bias: int) -> Self:
        """The functions and objects among the Elf64_Sym records in *raw*."""
        usable = len(raw) // SYMBOL_SIZE * SYMBOL_SIZE
        rows = sorted(
            (value, size, name)
            for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", raw[:usable])
            if info in _WANTED and section and value
        )
        if not rows:
            return cls()
        starts, sizes, names = zip(*rows, strict=True)
        return cls(starts, sizes, names, strings, bias)

    @classmethod
    def from_file(cls, file: BinaryIO, bias: int) -> Self:
        """``.symtab`` of an ELF file; empty where it has none.

        The tables of a few files are kept: forty processes map the same libpython, and each capture
        would read it forty times.

        Raises:
            OSError, struct.error, IndexError: it cannot be read, or is damaged.
        """
        identity = _identity(file)
        known = _KEPT.get(identity) if identity else None
        if known is None:
            known = cls._read(file)
            if identity is not None and len(known.starts) <= _MAX_KEPT_SYMBOLS:
                while len(_KEPT) >= _MAX_KEPT:
                    del _KEPT[next(iter(_KEPT))]
                _KEPT[identity] = known
        return cls(known.starts, known.sizes, known.name_offsets, known.strings, bias)

    @classmethod
    def _read(cls, file: BinaryIO) -> Self:
        table = sections(file)
        for section in table:
            if section.kind == SHT_SYMTAB and section.size <= _MAX_FILE_SYMBOLS:
                strings = table[section.link]
                return cls.parse(
                    part(file, section.offset, section.size),
                    part(file, strings.offset, min(strings.size, _MAX_FILE_SYMBOLS)),
                    0,
                )
        return cls()

    def _name(self, index: int) -> str:
        begin = self.name_offsets[index]
        end = self.strings.find(b"\0", begin)
        name = self.strings[begin:end].decode("utf-8", "replace")
        return name.partition("@")[0]  # debug files write the symbol's version behind it

    @cached_property
    def addresses(self) -> dict[str, int]:
        """Where each symbol begins."""
        return {self._name(index): start + self.bias for index, start in enumerate(self.starts)}

    def around(self, address: int) -> str | None:
        """The symbol that *address* lies in."""
        address -= self.bias
        index = bisect.bisect_right(self.starts, address) - 1
        lowest = max(-1, index - _MAX_GAP)
        while index > lowest:
            if address < self.starts[index] + max(self.sizes[index], 1):
                return self._name(index)
            index -= 1
        return None

    def starting_at(self, address: int) -> str | None:
        """A symbol that begins exactly at *address*."""
        address -= self.bias
        index = bisect.bisect_left(self.starts, address)
        if index < len(self.starts) and self.starts[index] == address:
            return self._name(index)
        return None


_Identity = tuple[int, int, int, int]
_KEPT: dict[_Identity, SymbolTable] = {}
"""Without a bias, the oldest first."""


def _identity(file: BinaryIO) -> _Identity | None:
    """Device, inode, size and time of the last change; None: it is no file of a file system."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, io.UnsupportedOperation):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
