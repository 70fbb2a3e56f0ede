"""The instructions that tracing and monitoring have overwritten (CPython 3.12 on).

Debuggers, coverage and profilers make the interpreter put INSTRUMENTED_LINE or
INSTRUMENTED_INSTRUCTION in the place of others; what was there is kept beside the code object
(``_PyCoMonitoringData``, Include/cpython/code.h; Python/instrumentation.c).
"""

from hangtui.backends.cpython.layouts import Layout
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory

_LARGEST_ENTRY = 5
"""Opcode, and at most four bytes of a line's difference."""


def original(memory: Memory, layout: Layout, code: int, instructions: bytes) -> bytes:
    """*instructions* of the code object at *code* without what stands in the place of others.

    Never raises; an instruction that cannot be told stays as it is.
    """
    line = layout.opcodes.get("INSTRUMENTED_LINE")
    single = layout.opcodes.get("INSTRUMENTED_INSTRUCTION")
    if line is None or single is None:
        return instructions
    opcodes = instructions[::2]
    if line not in opcodes and single not in opcodes:
        return instructions
    try:
        monitoring = memory.u64(code + layout["code._co_monitoring"])
        lines = _lines(memory, memory.u64(monitoring + layout["monitoring.lines"]), len(opcodes))
        pointer = memory.u64(monitoring + layout["monitoring.per_instruction_opcodes"])
        singles = memory.read(pointer, len(opcodes)) if pointer else b""
    except MemoryReadError:
        return instructions
    restored = bytearray(instructions)
    for index, opcode in enumerate(opcodes):
        below = lines[index] if opcode == line and lines else opcode
        first = singles[index] if below == single and singles else below
        restored[2 * index] = first or opcode
    return bytes(restored)


def _lines(memory: Memory, address: int, count: int) -> bytes:
    """What each INSTRUMENTED_LINE stands for; 0 where there is none.

    Entries are an opcode and a line's difference: of two bytes each, or (3.14 on, and later
    releases of 3.13) of as many as the first byte says. No code begins with one of the instructions
    that such small numbers would mean.
    """
    if not address:
        return b""
    size = memory.u8(address)
    if 1 <= size <= _LARGEST_ENTRY:
        return memory.read(address + 1, size * count)[::size]
    return memory.read(address, 2 * count)[::2]
