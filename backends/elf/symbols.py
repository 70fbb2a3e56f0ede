"""Symbol tables of ELF files: which function or object an address lies in."""

import bisect
import contextlib
import io
import os
import struct
from array import array
from collections.abc import Iterator
from dataclasses import field
from typing import BinaryIO, Self

from hangtui.backends.elf.sections import SHT_SYMTAB, part, sections
from hangtui.backends.limits import Spending
from hangtui.backends.memory.damage import foreign_data
from hangtui.dataclass import dataclass

SYMBOL_SIZE = 24
"""sizeof(Elf64_Sym)."""
_WANTED = frozenset(info for info in range(256) if info & 15 in (1, 2, 10))
"""Values of ``st_info`` with the types STT_OBJECT, STT_FUNC and STT_GNU_IFUNC."""
_MAX_FILE_SYMBOLS = 64 << 20
"""Bytes of a ``.symtab`` that are read at most."""
_MAX_FILE_NAMES = 256 << 20
"""Bytes of its names, where these stay in the file."""
_MAX_KEPT, _MAX_KEPT_BYTES = 12, 12 << 20
"""How many files' tables are kept, and how large they are at most. That of libtorch_cpu.so has
539,000 symbols in 11 MB, without its names."""
_ROW = 20
"""Bytes of a symbol in a table."""
_MANY_NAMES = 16 << 20
"""Bytes of names that are left in their file: libtorch_cpu.so of torch 2.13 has 76 MB."""
_MAX_GAP = 64
"""Symbols that may lie between an address and the one that covers it (aliases, nested ones)."""
_MAX_NAME = 1 << 14
"""Bytes of a name; those of C++ templates have thousands."""
_MAX_PLACES = 1000
"""Where a name is found in the strings before it is given up: it stands there once or twice."""
_U32, _U64 = (1 << 32) - 1, (1 << 64) - 1


class Names:
    """The names of a large file, which are read one by one.

    Whoever may change the file may change a name, which is a text and no more.
    """

    def __init__(self, descriptor: int, offset: int, size: int) -> None:
        self._descriptor, self._offset, self._size = descriptor, offset, size

    @classmethod
    def of(cls, file: BinaryIO, offset: int, size: int) -> Self | None:
        """None: they are few, or in no file that can be kept open."""
        if size <= _MANY_NAMES:
            return None
        try:
            return cls(os.dup(file.fileno()), offset, min(size, _MAX_FILE_NAMES))
        except (OSError, io.UnsupportedOperation):
            return None

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

    def at(self, begin: int) -> bytes:
        """What stands there, and no less than one name; empty if it cannot be read."""
        count = min(_MAX_NAME, max(0, self._size - begin))
        try:
            return os.pread(self._descriptor, count, self._offset + begin)
        except OSError:
            return b""

    def all(self) -> bytes:
        """All of them; empty if they cannot be read."""
        try:
            return os.pread(self._descriptor, self._size, self._offset)
        except OSError:
            return b""


def _column(code: str = "Q") -> "array[int]":
    return array(code)


@dataclass(frozen=True)
class SymbolTable:
    """Symbols in columns, sorted by address; names are decoded when asked for.

    Twenty bytes a symbol and the names: as tuples of numbers they would have six times as many.
    """

    starts: "array[int]" = field(default_factory=_column)
    """As the file has them."""
    sizes: "array[int]" = field(default_factory=_column)
    name_offsets: "array[int]" = field(default_factory=lambda: _column("I"))
    strings: "bytes | Names" = b""
    bias: int = 0
    """What the loader added to the addresses of the file."""

    @classmethod
    @foreign_data()
    def parse(cls, raw: bytes, strings: "bytes | Names", bias: int) -> Self:
        """The functions and objects among the Elf64_Sym records in *raw*."""
        usable = len(raw) // SYMBOL_SIZE * SYMBOL_SIZE
        # Address, size and name in one number: these are sorted faster, and need less, than tuples.
        rows = sorted(
            [
                value << 96 | size << 32 | name
                for name, info, _, section, value, size in struct.iter_unpack(
                    "<IBBHQQ", raw[:usable]
                )
                if info in _WANTED and section and value
            ]
        )
        if not rows:
            return cls()
        return cls(
            array("Q", [row >> 96 for row in rows]),
            array("Q", [row >> 32 & _U64 for row in rows]),
            array("I", [row & _U32 for row in rows]),
            strings,
            bias,
        )

    @classmethod
    @foreign_data()
    def from_file(cls, file: BinaryIO, bias: int, spent: Spending | None = None) -> Self:
        """``.symtab`` of an ELF file; empty where it has none, or *spent* allows no more.

        The tables of a few files are kept: forty processes map the same libpython, and each capture
        would read it forty times.

        Raises:
            OSError: it cannot be read.
            DamagedDataError: it is damaged.
        """
        identity = _identity(file)
        known = _KEPT.get(identity) if identity else None
        if known is None:
            known = cls._read(file, spent or Spending())
            if known is None:
                return cls()
            if identity is not None and known.size <= _MAX_KEPT_BYTES:
                while len(_KEPT) >= _MAX_KEPT:
                    del _KEPT[next(iter(_KEPT))]
                _KEPT[identity] = known
        return cls(known.starts, known.sizes, known.name_offsets, known.strings, bias)

    @classmethod
    def _read(cls, file: BinaryIO, spent: Spending) -> Self | None:
        """None: it would cost too much."""
        table = sections(file)
        for section in table:
            if section.kind == SHT_SYMTAB and section.size <= _MAX_FILE_SYMBOLS:
                strings = table[section.link]
                apart = Names.of(file, strings.offset, strings.size)
                names = 0 if apart else min(strings.size, _MAX_FILE_SYMBOLS)
                if not spent.symbols(section.size + names):
                    return None
                raw = part(file, section.offset, section.size)
                return cls.parse(raw, apart or part(file, strings.offset, names), 0)
        return cls()

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        names = len(self.strings) if isinstance(self.strings, bytes) else 0
        return _ROW * len(self.starts) + names

    def _name(self, index: int) -> str:
        begin = self.name_offsets[index]
        if isinstance(self.strings, Names):
            raw = self.strings.at(begin).partition(b"\0")[0]
        else:
            end = self.strings.find(b"\0", begin, begin + _MAX_NAME)
            raw = self.strings[begin : end if end >= 0 else begin + _MAX_NAME]
        # Debug files write the symbol's version behind it.
        return raw.decode("utf-8", "replace").partition("@")[0]

    def address_of(self, name: str) -> int | None:
        """Where the symbol of this name begins, the highest of several; None: there is none."""
        places = frozenset(self._places(name.encode()))
        if not places:
            return None
        found = (n for n, offset in enumerate(self.name_offsets) if offset in places)
        last = max(found, default=None)
        return None if last is None else self.starts[last] + self.bias

    def _places(self, name: bytes) -> Iterator[int]:
        """Where the strings have a name, which may be the end of a longer one."""
        strings = self.strings.all() if isinstance(self.strings, Names) else self.strings
        at = -1
        for _ in range(_MAX_PLACES):
            at = strings.find(name, at + 1)
            if at < 0:
                return
            if strings[at + len(name) : at + len(name) + 1] in (b"", b"\0", b"@"):
                yield at

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
