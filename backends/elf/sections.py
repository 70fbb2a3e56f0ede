"""ELF files on disk: their sections and build ids."""

import struct
from typing import BinaryIO

from hangtui.backends.memory.damage import foreign_data
from hangtui.dataclass import dataclass

SHT_SYMTAB = 2
_PT_NOTE = 4
_BUILD_ID_NOTE = b"\x03\0\0\0GNU\0"
"""Type NT_GNU_BUILD_ID and name; the size of the description stands before."""
_MAX_NOTES = 1 << 16
_MAX_NAMES, _MAX_NAME = 1 << 20, 256
"""Bytes of all names of sections, and of one."""
_MAX_SECTIONS = 10_000
"""Linked files have some fifty. Those with more than 65,279, which only relocatable files have,
write 0 as their number, and so have none here."""
_SECTION_SIZE = 64
"""sizeof(Elf64_Shdr)."""
_MAX_OFFSET = 1 << 62


@dataclass(frozen=True, slots=True)
class Section:
    """One section; numbers as in Elf64_Shdr."""

    name: str
    kind: int
    address: int
    offset: int
    size: int
    link: int
    """Number of the section that belongs to it, as strings to symbols."""


@foreign_data()
def sections(file: BinaryIO) -> list[Section]:
    """The sections of a 64-bit ELF file; none if it is no such file.

    Raises:
        OSError: it cannot be read.
        DamagedDataError: it is damaged.
    """
    header = part(file, 0, 64)
    if header[:5] != b"\x7fELF\x02" or len(header) < 64:
        return []
    (offset,) = struct.unpack_from("<Q", header, 40)
    size, count, names = struct.unpack_from("<HHH", header, 58)
    if size != _SECTION_SIZE or count > _MAX_SECTIONS:
        return []
    rows = list(struct.iter_unpack("<IIQQQQIIQQ", part(file, offset, size * count)))
    if not rows:
        return []
    strings = part(file, rows[names][4], min(rows[names][5], _MAX_NAMES))
    return [Section(_name(strings, row[0]), row[1], row[3], row[4], row[5], row[6]) for row in rows]


def _name(strings: bytes, at: int) -> str:
    return strings[at : at + _MAX_NAME].partition(b"\0")[0].decode("latin-1")


def part(file: BinaryIO, offset: int, size: int) -> bytes:
    """Bytes of a file.

    Raises:
        OSError: they cannot be read, or lie where no file has any.
    """
    if offset >= _MAX_OFFSET:
        raise OSError(f"nothing lies at {offset:#x} in a file")
    file.seek(offset)
    return file.read(size)


@foreign_data()
def build_id_in(notes: bytes) -> str | None:
    """The linker's fingerprint among the notes of an ELF file, in hexadecimal.

    Raises:
        DamagedDataError: it is cut off.
    """
    at = notes.find(_BUILD_ID_NOTE)
    if at < 4:
        return None
    size = struct.unpack_from("<I", notes, at - 4)[0]
    start = at + len(_BUILD_ID_NOTE)
    return notes[start : start + min(size, 64)].hex()


@foreign_data()
def build_id_of(file: BinaryIO) -> str | None:
    """The build id of a 64-bit ELF file; None: it has none, or is no such file.

    Raises:
        OSError: it cannot be read.
        DamagedDataError: it is damaged.
    """
    header = part(file, 0, 64)
    if header[:5] != b"\x7fELF\x02" or len(header) < 64:
        return None
    (table,) = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    if size != 56 or count > 1024:
        return None
    raw = part(file, table, size * count)
    for entry in struct.iter_unpack("<IIQQQQQQ", raw[: len(raw) // 56 * 56]):
        if entry[0] == _PT_NOTE:
            found = build_id_in(part(file, entry[2], min(entry[5], _MAX_NOTES)))
            if found:
                return found
    return None
