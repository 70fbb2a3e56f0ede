"""The tables of code objects that lead from an instruction to its source line."""

from functools import lru_cache

from hangtui.backends.memory.damage import foreign_data

_MAX_SHIFT = 60
"""Bits of a number in a table: more would only take time."""


@lru_cache(8192)
@foreign_data()
def line_of(minor: int, table: bytes, first_line: int, offset: int) -> int | None:
    """The source line of the instruction at byte *offset*, by the table of CPython 3.*minor*: 8, 10
    or 11 for what is written as in these; None where it has none.

    Raises:
        DamagedDataError: the table is none.
    """
    reader = {8: line_before_3_10, 10: line_in_3_10, 11: line_since_3_11}[minor]
    return reader(table, first_line, offset)


def line_before_3_10(table: bytes, line: int, offset: int) -> int | None:
    """co_lnotab: pairs of (bytecode delta, signed line delta); Objects/lnotab_notes.txt, 3.8."""
    here = 0
    for delta, step in zip(table[::2], table[1::2], strict=False):
        here += delta
        if here > offset:
            break
        line += step - 256 if step >= 128 else step
    return line


def line_in_3_10(table: bytes, line: int, offset: int) -> int | None:
    """co_linetable of 3.10: (range length, signed line delta), -128: no line (PEP 626)."""
    start = 0
    for length, raw in zip(table[::2], table[1::2], strict=False):
        step = raw - 256 if raw >= 128 else raw
        if step != -128:
            line += step
        if start <= offset < start + length:
            return None if step == -128 else line
        start += length
    return None


def line_since_3_11(table: bytes, line: int, offset: int) -> int | None:
    """co_linetable since 3.11: location entries (Objects/locations.md)."""
    at = start = 0
    while at < len(table):
        kind, length = table[at] >> 3 & 15, 2 * ((table[at] & 7) + 1)
        at += 1
        here: int | None
        if kind == 15:  # no location
            here = None
        elif kind >= 13:  # 13: line delta only, 14: with end line and columns
            delta, at = _signed_varint(table, at)
            line += delta
            for _ in range(3 if kind == 14 else 0):
                _, at = _varint(table, at)
            here = line
        elif kind >= 10:  # line delta 0, 1 or 2, and two bytes of columns
            line += kind - 10
            at += 2
            here = line
        else:  # the same line, and one byte of columns
            at += 1
            here = line
        if start <= offset < start + length:
            return here
        start += length
    return None


def _varint(table: bytes, at: int) -> tuple[int, int]:
    """Six bits a byte, lowest first, bit 6 says that more follow."""
    byte, at, shift = table[at], at + 1, 6
    value = byte & 63
    while byte & 64:
        byte, at = table[at], at + 1
        value |= (byte & 63) << shift
        shift += 6
        if shift > _MAX_SHIFT:
            raise IndexError("a damaged table of lines")
    return value, at


def _signed_varint(table: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(table, at)
    return (-(value >> 1) if value & 1 else value >> 1), at
