"""The index of an image's unwind table, read from the table itself where the linker wrote none.

Static programs have ``.eh_frame`` but often no ``.eh_frame_hdr`` (Linux Standard Base 5.0,
"Exception Frames"), whose sorted pairs of function and entry a stack walk looks things up in.
"""

import struct
from array import array
from collections.abc import Sequence

from hangtui.backends.elf.cfi import POINTER_SIZES, UnwindError, pointer_encoding, uleb
from hangtui.backends.memory.reader import Memory

MAX_SIZE = 32 << 20
"""Bytes of a table that are read at most."""
_PC_RELATIVE = 0x10
MAX_ENTRIES = 4 << 20
"""Functions of one image that are believed: libxul has some 400,000."""
_REACH = 1 << 47
"""Bytes from a table to a function: no more addresses are a process's own on x86-64."""
_ENTRIES_AT_ONCE = 10_000
Index = tuple[int, Sequence[int], Sequence[int]]
"""A base address, and relative to it the sorted starts of functions and their entries."""


def index_of(memory: Memory, address: int, size: int) -> Index | None:
    """The index of a table in memory; None where there is none that can be read.

    Raises:
        DamagedDataError, struct.error, IndexError, ValueError: it cannot be read, or is damaged.
    """
    if not 0 < size <= MAX_SIZE:
        return None
    table = memory.read(address, size)
    encodings: dict[int, int] = {}
    found: list[int] = []
    at = 0
    while at + 8 <= size:
        length, back = struct.unpack_from("<II", table, at)
        if not length:
            break
        if back == 0:
            encodings[at] = _encoding(table[at + 8 : at + 4 + length])
        else:
            encoding = encodings.get(at + 4 - back, 0)
            start = _value(table, at + 8, encoding, address)
            if abs(start - address) < _REACH:  # else it is damaged
                found.append(start - address << 32 | at)
            if found and len(found) % _ENTRIES_AT_ONCE == 0:
                memory.spent.steps(_ENTRIES_AT_ONCE)
        at += 4 + length
    memory.spent.keep(16 * len(found))
    # Start and entry in one number: these need less than tuples. A start can be negative.
    found.sort()
    starts = array("q", [one >> 32 for one in found])
    return address, starts, array("q", [one & 0xFFFF_FFFF for one in found])


def _encoding(cie: bytes) -> int:
    """How the entries of a common entry write their functions' addresses."""
    end = cie.index(b"\0", 1)
    letters = cie[1:end].decode("latin-1")
    if not letters.startswith("z"):
        return 0
    _, at = uleb(cie, end + 1)
    _, at = uleb(cie, at)  # the data alignment is signed, but as long
    at = at + 1 if cie[0] == 1 else uleb(cie, at)[1]
    _, at = uleb(cie, at)
    return pointer_encoding(letters, cie[at:])


def _value(table: bytes, at: int, encoding: int, address: int) -> int:
    size = POINTER_SIZES.get(encoding & 15)
    if size is None or encoding & 0x60:
        raise UnwindError("an unwind table with an unusual encoding")
    value = int.from_bytes(table[at : at + size], "little", signed=encoding & 8 != 0)
    return value + address + at if encoding & 0x70 == _PC_RELATIVE else value
