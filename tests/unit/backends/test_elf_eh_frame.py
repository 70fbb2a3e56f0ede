"""Unwind tables that are damaged."""

import struct

from hangtui.backends.elf.eh_frame import index_of
from tests.unit.backends.fakes import LiteralMemory

_AT = 0x7F0000001000


def _table(*starts: int) -> bytes:
    """A common entry whose pointers are absolute, and an entry for each function."""
    # Version, augmentation "zR", alignments 1 and -8, register 16, one byte more: the encoding.
    body = b"\x01zR\0\x01\x78\x10\x01\x00" + bytes(3)
    data = struct.pack("<II", 4 + len(body), 0) + body
    for start in starts:
        data += struct.pack("<IIQQ", 20, len(data) + 4, start, 16)
    return data + bytes(4)


def test_an_entry_beyond_all_addresses_is_left_out() -> None:
    table = _table(_AT + 0x100, 2**64 - 1, _AT + 0x200)
    index = index_of(LiteralMemory((_AT, table)), _AT, len(table))
    assert index is not None
    assert list(index[1]) == [0x100, 0x200]
