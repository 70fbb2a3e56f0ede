"""Symbol tables of ELF files: which function or object an address lies in."""

import bisect
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, Self

from hangtui.backends.elf_file import SHT_SYMTAB, part, sections

SYMBOL_SIZE = 24
"""sizeof(Elf64_Sym)."""
_STT_OBJECT, _STT_FUNC, _STT_GNU_IFUNC = 1, 2, 10
_MAX_FILE_SYMBOLS = 64 << 20
"""Bytes of a ``.symtab`` that are read at most."""
_MAX_GAP = 64
"""Symbols that may lie between an address and the one that covers it (aliases, nested ones)."""


@dataclass(frozen=True)
class SymbolTable:
    """Symbols in columns, sorted by address; names are decoded when asked for."""

    starts: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    name_offsets: tuple[int, ...] = ()
    strings: bytes = b""

    @classmethod
    def parse(cls, raw: bytes, strings: bytes, bias: int) -> Self:
        """The functions and objects among the Elf64_Sym records in *raw*."""
        usable = len(raw) // SYMBOL_SIZE * SYMBOL_SIZE
        rows = sorted(
            (value + bias, size, name)
            for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", raw[:usable])
            if section and value and info & 15 in (_STT_OBJECT, _STT_FUNC, _STT_GNU_IFUNC)
        )
        if not rows:
            return cls()
        starts, sizes, names = zip(*rows, strict=True)
        return cls(starts, sizes, names, strings)

    @classmethod
    def from_file(cls, file: BinaryIO, bias: int) -> Self:
        """``.symtab`` of an ELF file; empty where it has none.

        Raises:
            OSError, struct.error, IndexError: it cannot be read, or is damaged.
        """
        table = sections(file)
        for section in table:
            if section.kind == SHT_SYMTAB and section.size <= _MAX_FILE_SYMBOLS:
                strings = table[section.link]
                return cls.parse(
                    part(file, section.offset, section.size),
                    part(file, strings.offset, min(strings.size, _MAX_FILE_SYMBOLS)),
                    bias,
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
        return {self._name(index): start for index, start in enumerate(self.starts)}

    def around(self, address: int) -> str | None:
        """The symbol that *address* lies in."""
        index = bisect.bisect_right(self.starts, address) - 1
        lowest = max(-1, index - _MAX_GAP)
        while index > lowest:
            if address < self.starts[index] + max(self.sizes[index], 1):
                return self._name(index)
            index -= 1
        return None

    def starting_at(self, address: int) -> str | None:
        """A symbol that begins exactly at *address*."""
        index = bisect.bisect_left(self.starts, address)
        if index < len(self.starts) and self.starts[index] == address:
            return self._name(index)
        return None
