"""ELF files on disk: their build ids."""

import struct
from pathlib import Path

_PT_NOTE = 4
_BUILD_ID_NOTE = b"\x03\0\0\0GNU\0"
"""Type NT_GNU_BUILD_ID and name; the size of the description stands before."""
_MAX_NOTES = 1 << 16


def build_id_in(notes: bytes) -> str | None:
    """The linker's fingerprint among the notes of an ELF file, in hexadecimal."""
    at = notes.find(_BUILD_ID_NOTE)
    if at < 4:
        return None
    size = struct.unpack_from("<I", notes, at - 4)[0]
    start = at + len(_BUILD_ID_NOTE)
    return notes[start : start + min(size, 64)].hex()


def file_build_id(path: Path) -> str | None:
    """The build id of a 64-bit ELF file; None: it has none, or is no such file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        header = file.read(64)
        if header[:5] != b"\x7fELF\x02" or len(header) < 64:
            return None
        table = struct.unpack_from("<Q", header, 32)[0]
        size, count = struct.unpack_from("<HH", header, 54)
        if size != 56 or count > 1024:
            return None
        file.seek(table)
        raw = file.read(size * count)
        for entry in struct.iter_unpack("<IIQQQQQQ", raw[: len(raw) // 56 * 56]):
            if entry[0] == _PT_NOTE:
                file.seek(entry[2])
                found = build_id_in(file.read(min(entry[5], _MAX_NOTES)))
                if found:
                    return found
    return None
