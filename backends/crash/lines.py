"""Source lines and inlined functions of a crashed thread's frames, by gdb, from the mapped files.

Only files with debug information are opened, and only those of the innermost frames: gdb takes
seconds for large ones.
"""

import contextlib
import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from hangtui.backends.crash import batch
from hangtui.backends.gdb.commands import Address, GdbCommand, Part
from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass
from hangtui.model import NativeFrame, clean

_LIMIT_S = 20
_FRAMES, _FILES = 8, 3
_LARGEST = 256 << 20
_MARK = "@@@ "
_LINE = re.compile(r'Line (?P<line>\d+) of "(?P<file>[^"]+)"')
_NAME = re.compile(r"^NAME (?P<name>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Place:
    file: str | None
    line: int | None
    functions: tuple[str, ...]
    """The innermost inlined one first, the real one last."""


def with_lines(memory: Memory, frames: Sequence[NativeFrame], pc: int) -> tuple[NativeFrame, ...]:
    """*frames* with lines, and a frame more for each inlined function; *pc*: of the innermost."""
    wanted: dict[str, dict[int, int]] = {}
    for index, frame in enumerate(frames[:_FRAMES]):
        if frame.module and frame.offset is not None and frame.file is None:
            # A return address may belong to the next line already.
            address = frame.offset if frame.address == pc else frame.offset - 1
            wanted.setdefault(frame.module, {})[index] = address
    places: dict[int, _Place] = {}
    if batch.available():
        for indexes in list(wanted.values())[:_FILES]:
            first = frames[next(iter(indexes))]
            found = _places(memory, first, sorted(set(indexes.values())))
            places |= {i: found[address] for i, address in indexes.items() if address in found}
    return tuple(
        shown for index, frame in enumerate(frames) for shown in _frames(frame, places.get(index))
    )


def _frames(frame: NativeFrame, place: _Place | None) -> list[NativeFrame]:
    if place is None:
        return [frame]
    *inlined, _ = place.functions or ("",)
    first = [replace(frame, function=clean(name, 200)) for name in inlined]
    found = [*first, frame]
    if place.file is not None:
        found[0] = replace(found[0], file=clean(place.file), line=place.line)
    return found


def _places(memory: Memory, frame: NativeFrame, addresses: Sequence[int]) -> dict[int, _Place]:
    """By address: what the file of *frame* says of it."""
    mapping = memory.mapping_at(frame.address)
    if mapping is None:
        return {}
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(memory.open_mapped(mapping))
        if _has_lines(file):
            opened.pop_all()
            return _ask(file, addresses)
    return {}


def _ask(file: BinaryIO, addresses: Sequence[int]) -> dict[int, _Place]:
    commands = []
    for address in addresses:
        commands.append(GdbCommand("echo @@@", address, "\\n"))
        commands.append(GdbCommand("info line *", Address(address)))
        commands.append(GdbCommand(*_functions(Address(address))))
    printed = batch.ask(file, commands, _LIMIT_S)
    found = {}
    for part in printed.split(_MARK)[1:]:
        number, _, text = part.partition("\n")
        line, names = _LINE.search(text), tuple(_NAME.findall(text))
        if number.strip().isdecimal() and (line or names):
            place, at = (line["file"], int(line["line"])) if line else (None, None)
            found[int(number)] = _Place(place, at, names)
    return found


def _functions(address: Address) -> tuple[Part, ...]:
    """A script that prints the functions that an address lies in."""
    return (
        "python\nb = gdb.block_for_pc(",
        address,
        ")\nwhile b is not None and not b.is_global and not b.is_static:\n",
        "if b.function is not None: print('NAME ' + b.function.name)\n b = b.superblock",
    )


def _has_lines(file: BinaryIO) -> bool:
    """Whether an ELF file has a section of debug information."""
    header = file.read(64)
    if header[:5] != b"\x7fELF\x02" or file.seek(0, 2) > _LARGEST:
        return False
    (sections,) = struct.unpack_from("<Q", header, 40)
    size, count, names = struct.unpack_from("<HHH", header, 58)
    if size != 64 or names >= count:
        return False
    file.seek(sections + 64 * names)
    _, _, _, _, offset, length = struct.unpack_from("<IIQQQQ", file.read(64))
    file.seek(offset)
    return b".debug_info\0" in file.read(min(length, 1 << 20))
