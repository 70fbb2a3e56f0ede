"""The files that were mapped into a process that is no more, as they are found here.

Who made a core file also wrote which files it says were mapped, and at which addresses it wants
them read. So a file counts only if the core holds its build id, which nobody knows of a file that
he has not read, and of that file only what is loaded from it, without what may be appended to it.
"""

import os
import struct
from collections.abc import Callable, Sequence
from typing import BinaryIO

from hangtui.backends.door import Root
from hangtui.backends.elf.sections import build_id_in, build_id_of, part
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import Notice, Source, clean

_PT_LOAD, _PT_NOTE = 1, 4
_PF_W = 2
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
_MAX_HEADERS = 1024
_LEAST_ID = 16
"""Digits of a build id that nobody guesses."""
_DELETED = " (deleted)"
_NAMED_MISSING = 4


@dataclass(frozen=True, slots=True)
class Missing:
    """A mapped file that is not here."""

    path: str
    build_id: str | None
    """As the core holds it."""
    found: str | None
    """Build id of the file that is at its place; None: there is none."""
    exists: bool


@dataclass(frozen=True, slots=True)
class MappedFile:
    """A file that the core proves to be the one that was mapped."""

    file: BinaryIO
    ranges: Sequence[tuple[int, int]]
    """Where its loaded parts begin and end that cannot be written."""

    def read(self, offset: int, size: int) -> bytes:
        """Up to *size* bytes as they were in memory: of one loaded part, and zeros to its page's
        end; nothing of what was not loaded.
        """
        for start, end in self.ranges:
            page_end = -(-end // PAGE) * PAGE
            if start & -PAGE <= offset < page_end:
                size = min(size, page_end - offset)
                data = os.pread(self.file.fileno(), max(0, min(size, end - offset)), offset)
                return data.ljust(size, b"\0")
        return b""


class MappedFiles:
    """Opens mapped files below a root."""

    def __init__(self, root: Root, place: str, first_page: Callable[[str], bytes | None]) -> None:
        self._root = root
        self._place = place
        """What the root is called where files are missed."""
        self._first_page = first_page
        self._open: dict[str, MappedFile | None] = {}
        self.missing: dict[str, Missing] = {}

    def close(self) -> None:
        """Close all of them."""
        for mapped in self._open.values():
            if mapped is not None:
                mapped.file.close()
        self._open.clear()

    def get(self, path: str) -> MappedFile | None:
        """The mapped file *path*, or None if it is not here."""
        if path not in self._open:
            self._open[path] = self._find(path)
        return self._open[path]

    def fresh(self, path: str) -> BinaryIO:
        """The same as a file object of its own.

        Raises:
            OSError: it is not here.
        """
        mapped = self.get(path)
        if mapped is None:
            raise FileNotFoundError(path)
        return self._root.reopen(mapped.file)

    def _find(self, path: str) -> MappedFile | None:
        wanted = _build_id(self._first_page(path) or b"")
        try:
            file = self._root.open_file(path.removesuffix(_DELETED))
        except OSError:
            self.missing[path] = Missing(path, wanted, None, exists=False)
            return None
        try:
            found = build_id_of(file)
            if wanted is not None and wanted == found:
                return MappedFile(file, _loaded(file))
        except (OSError, DamagedDataError):
            found = None
        file.close()
        self.missing[path] = Missing(path, wanted, found, exists=True)
        return None

    def notices(self) -> list[Notice]:
        """Which files are missed, by build id, and how to get them."""
        result = []
        missing = [one for one in self.missing.values() if not one.path.startswith("/dev/")]
        for one in missing[:_NAMED_MISSING]:
            name = clean(one.path)
            if not one.exists:
                wanted = f"build id {one.build_id}" if one.build_id else "which has no build id"
                place = self._place
                message = f"{name} ({wanted}) is not in {place}: its code and names cannot be read"
            elif one.build_id is None:
                message = f"{name}: the core does not hold its build id: the file here is not read"
            else:
                other = f"has build id {one.found}" if one.found else "is another one"
                message = f"{name}: the core was made with build id {one.build_id}; the file here"
                message += f" {other}"
            fix = "hangtui dump CORE --sysroot DIR   (DIR holds the target's file system)"
            result.append(Notice(Source.CORE, message, fix))
        if len(missing) > _NAMED_MISSING:
            more = len(missing) - _NAMED_MISSING
            result.append(Notice(Source.CORE, f"{more} more mapped files are missing or differ"))
        return result


def _headers(elf: bytes) -> list[tuple[int, ...]]:
    """The program headers at the beginning of a 64-bit ELF file, as far as they are there."""
    if elf[:5] != b"\x7fELF\x02" or len(elf) < 64:
        return []
    (table,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    if size != _PROGRAM_HEADER.size or count > _MAX_HEADERS:
        return []
    raw = elf[table : table + size * count]
    return list(_PROGRAM_HEADER.iter_unpack(raw[: len(raw) // size * size]))


def _build_id(page: bytes) -> str | None:
    """The build id in the first page of an ELF file, where linkers put it."""
    for kind, _, offset, _, _, size, *_ in _headers(page):
        if kind == _PT_NOTE and offset + size <= len(page):
            found = build_id_in(page[offset : offset + size])
            if found and len(found) >= _LEAST_ID:
                return found
    return None


@foreign_data()
def _loaded(file: BinaryIO) -> list[tuple[int, int]]:
    """Where in the file those parts lie that are loaded and not writable."""
    beginning = part(file, 0, 64 + _MAX_HEADERS * _PROGRAM_HEADER.size)
    return [
        (offset, offset + size)
        for kind, flags, offset, _, _, size, *_ in _headers(beginning)
        if kind == _PT_LOAD and not flags & _PF_W
    ]
