"""Source lines and inlined functions of a crashed thread's frames, by gdb, from the mapped files.

Only files with debug information are opened, and only those of the innermost frames: gdb takes
seconds for large ones.
"""

import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from hangtui.backends.memory import Memory
from hangtui.model import NativeFrame, clean

_LIMIT_S = 20
_FRAMES, _FILES = 8, 3
_LARGEST = 256 << 20
_FUNCTIONS = """python
b = gdb.block_for_pc({address})
while b is not None and not b.is_global and not b.is_static:
    if b.function is not None: print("NAME " + b.function.name)
    b = b.superblock
"""
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
    result: list[NativeFrame] = []
    opened: dict[str, bool] = {}
    for index, frame in enumerate(frames):
        place = None
        if index < _FRAMES and frame.module and frame.offset is not None and frame.file is None:
            place = _place(memory, frame, opened, exact=frame.address == pc)
        result += _frames(frame, place)
    return tuple(result)


def _frames(frame: NativeFrame, place: _Place | None) -> list[NativeFrame]:
    if place is None:
        return [frame]
    *inlined, _ = place.functions or ("",)
    first = [replace(frame, function=clean(name, 200)) for name in inlined]
    found = [*first, frame]
    if place.file is not None:
        found[0] = replace(found[0], file=clean(place.file), line=place.line)
    return found


def _place(
    memory: Memory, frame: NativeFrame, opened: dict[str, bool], *, exact: bool
) -> _Place | None:
    module = frame.module or ""
    if module not in opened and len(opened) >= _FILES:
        return None
    mapping = memory.mapping_at(frame.address)
    if mapping is None or frame.offset is None or shutil.which("gdb") is None:
        return None
    if not opened.get(module, True):
        return None
    with memory.open_mapped(mapping) as file:
        opened[module] = _has_lines(file)
        if not opened[module]:
            return None
        return _ask(file.name, frame.offset if exact else frame.offset - 1)


def _ask(path: str, address: int) -> _Place | None:
    command = ["gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off"]
    command += ["-iex", "set auto-load off", "-ex", f"info line *{address:#x}"]
    command += ["-ex", _FUNCTIONS.format(address=address).strip(), path]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_LIMIT_S,
        check=False,
        text=True,
        errors="replace",
    )
    line = _LINE.search(done.stdout)
    names = tuple(_NAME.findall(done.stdout))
    if line is None and not names:
        return None
    return _Place(line["file"] if line else None, int(line["line"]) if line else None, names)


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
