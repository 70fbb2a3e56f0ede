"""The ``try`` and ``with`` blocks that a frame is inside of, as the bytecode sees them."""

import struct

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

_MAX_BLOCKS = 20
"""CO_MAXBLOCKS, Include/cpython/code.h (3.6-3.12)."""
_MAX_NESTED = 100
"""Blocks within each other that are believed where a table tells: the compiler allows 20, each of
which may have a handler within its own."""
_BLOCK = struct.Struct("<3i")
"""PyTryBlock: b_type, b_handler, b_level."""


@dataclass(frozen=True, slots=True)
class TryBlock:
    """A block whose handler would run if an exception came now."""

    handler: int
    """Byte offset of the handler."""
    depth: int
    """Values on the stack when the handler is entered."""


def blocks_of(objects: Objects, frame: Frame) -> tuple[TryBlock, ...]:
    """The blocks that *frame* is inside of, innermost first. Never raises.

    Up to 3.10 the frame has a stack of them, from 3.11 on the exception table tells.
    """
    if objects.layout.since(3, 11):
        return _by_exception_table(frame)
    try:
        return _by_block_stack(objects, frame)
    except MemoryReadError:
        return ()


def _by_block_stack(objects: Objects, frame: Frame) -> tuple[TryBlock, ...]:
    memory, layout = objects.memory, objects.layout
    unit = 2 if layout.since(3, 10) else 1
    count = memory.i32(frame.address + layout["frameobj.f_iblock"])
    raw = memory.read(
        frame.address + layout["frameobj.f_blockstack"],
        _BLOCK.size * max(0, min(count, _MAX_BLOCKS)),
    )
    blocks = [
        TryBlock(handler * unit, level)
        for kind, handler, level in _BLOCK.iter_unpack(raw)
        if kind == layout.opcodes["SETUP_FINALLY"]
        and level >= 0
        and 0 <= handler * unit < len(frame.code.instructions)
    ]
    return tuple(reversed(blocks))


def _by_exception_table(frame: Frame) -> tuple[TryBlock, ...]:
    """The handler that covers the instruction, then the one that covers that handler, ..."""
    blocks: list[TryBlock] = []
    seen: set[int] = set()
    at = frame.instruction
    while len(blocks) < _MAX_NESTED:
        handler = next((h for h in frame.code.handlers if h.start <= at < h.end), None)
        if handler is None or handler.target in seen:
            break
        at = handler.target
        seen.add(at)
        blocks.append(TryBlock(at, handler.depth))
    return tuple(blocks)
