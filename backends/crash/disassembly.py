"""The instructions around a fault, by gdb, which sees nothing but a copy of their bytes."""

import re
import struct

from hangtui.backends import scratch
from hangtui.backends.crash import batch
from hangtui.backends.memory import Memory, MemoryReadError
from hangtui.model import Instruction, TargetError, clean

_LIMIT_S = 30
_FUNCTION_LIMIT = 16 << 10
"""Bytes before the fault that are disassembled at most to come upon it in step."""
_BEHIND = 48
_SHOWN_BEFORE, _SHOWN_BEHIND = 6, 5
_LINE = re.compile(r"^\s*(0x[0-9a-f]+)[^:]*:\s+(.+?)\s*$", re.MULTILINE)


def disassemble(memory: Memory, pc: int, function: int | None) -> tuple[Instruction, ...]:
    """The instructions around *pc*; empty without gdb, or where nothing can be read there.

    *function*: where the function begins that *pc* lies in.
    """
    start = function if function is not None and 0 <= pc - function < _FUNCTION_LIMIT else pc
    code = _readable(memory, start, pc - start + _BEHIND)
    if code is None or not batch.available():
        return ()
    try:
        lines = _run(code, start)
    except TargetError:  # there is nowhere to write to
        return ()
    at = next((index for index, (address, _) in enumerate(lines) if address == pc), None)
    if at is None and start != pc:
        return disassemble(memory, pc, None)
    if at is None:
        return ()
    shown = lines[max(0, at - _SHOWN_BEFORE) : at + 1 + _SHOWN_BEHIND]
    return tuple(Instruction(address, text, address == pc) for address, text in shown)


def _readable(memory: Memory, start: int, size: int) -> bytes | None:
    for length in (size, size - _BEHIND + 15, size - _BEHIND + 1):
        try:
            return memory.fresh(start, length)
        except MemoryReadError:
            continue
    return None


def _run(code: bytes, start: int) -> list[tuple[int, str]]:
    end = start + len(code)
    with scratch.folder() as folder:
        path = folder / "code"
        path.write_bytes(_elf(code, start))
        commands = ("set disassembly-flavor intel", f"disassemble {start:#x},{end:#x}")
        printed = batch.ask(str(path), commands, _LIMIT_S)
    return [
        (int(address, 16), clean(re.sub(r"\s+", " ", text), 120))
        for address, text in _LINE.findall(printed)
        if not text.startswith("Cannot access")
    ]


def _elf(code: bytes, start: int) -> bytes:
    """The smallest ELF file that has *code* at *start*: a header, ``.text``, and its names."""
    names = b"\0.text\0.shstrtab\0"
    code_at, names_at = 64, 64 + len(code)
    sections_at = names_at + len(names)
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, start, 0, sections_at, 0, 64, 0, 0, 64, 3, 2
    )
    text = struct.pack("<IIQQQQIIQQ", 1, 1, 6, start, code_at, len(code), 0, 0, 1, 0)
    strings = struct.pack("<IIQQQQIIQQ", 7, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)
    return header + code + names + bytes(64) + text + strings
