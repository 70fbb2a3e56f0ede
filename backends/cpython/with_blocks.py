"""The ``with`` blocks that a frame is inside of.

Entering a ``with`` leaves the bound ``__exit__`` at a place on the value stack that the bytecode
fixes: up to 3.10 the frame's block stack tells it, from 3.11 on the exception table. A block is
found only after ``__enter__`` has returned, so it proves that the context manager is entered.
"""

import struct
from dataclasses import dataclass

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory import MemoryReadError

_MAX_BLOCKS = 20
"""CO_MAXBLOCKS, Include/cpython/code.h (3.8-3.12)."""
_NULL = 1
"""PyStackRef_NULL, Include/internal/pycore_stackref.h (3.14)."""
_BLOCK = struct.Struct("<3i")
"""PyTryBlock: b_type, b_handler, b_level."""


@dataclass(frozen=True, slots=True)
class WithBlock:
    """A ``with`` whose body is running."""

    manager: int
    """Address of the context manager."""
    line: int | None
    """Line of the ``with`` statement's item."""


class WithBlocks:
    """Finds the ``with`` blocks of frames of one interpreter."""

    def __init__(self, objects: Objects, codes: CodeReader) -> None:
        self._objects = objects
        self._codes = codes
        self._layout = objects.layout

    def of(self, frame: Frame) -> tuple[WithBlock, ...]:
        """The blocks that *frame* is inside of, outermost first. Never raises."""
        try:
            if self._layout.since(3, 11):
                return self._by_exception_table(frame)
            return self._by_block_stack(frame)
        except (MemoryReadError, struct.error):
            return ()

    def _block(self, slot: int, frame: Frame, offset: int | None) -> WithBlock | None:
        """The block whose ``__exit__`` lies in *slot*; from 3.14 on its self may lie above it."""
        memory = self._objects.memory
        exit_method = self._untagged(memory.u64(slot))
        above = memory.u64(slot + 8) if self._layout.since(3, 14) else _NULL
        manager = self._objects.bound_to(exit_method) if above == _NULL else self._untagged(above)
        if not manager:
            return None
        line = self._codes.line(frame.code, offset) if offset is not None else None
        return WithBlock(manager, line)

    def _untagged(self, reference: int) -> int:
        return reference & ~3 if self._layout.since(3, 13) else reference

    def _by_block_stack(self, frame: Frame) -> tuple[WithBlock, ...]:
        """3.8 to 3.10: a try block whose handler begins with the cleanup of a ``with``."""
        memory, layout, opcodes = self._objects.memory, self._layout, self._layout.opcodes
        cleanup = opcodes.get("WITH_EXCEPT_START", opcodes.get("WITH_CLEANUP_START"))
        code = frame.code.instructions
        unit = 2 if layout.since(3, 10) else 1
        count = memory.i32(frame.address + layout["frameobj.f_iblock"])
        raw = memory.read(
            frame.address + layout["frameobj.f_blockstack"],
            _BLOCK.size * max(0, min(count, _MAX_BLOCKS)),
        )
        setups = self._setups(code, unit)
        blocks = []
        for kind, handler, level in _BLOCK.iter_unpack(raw):
            at = handler * unit
            if kind != opcodes["SETUP_FINALLY"] or level < 1 or not 0 <= at < len(code):
                continue
            if code[at] == cleanup:
                block = self._block(frame.stack + 8 * (level - 1), frame, setups.get(at))
                blocks.append(block)
        return tuple(block for block in blocks if block)

    def _setups(self, code: bytes, unit: int) -> dict[int, int]:
        """Offset of each ``with`` statement's set-up by the offset of its handler."""
        opcodes = self._layout.opcodes
        wanted = (opcodes["SETUP_WITH"], opcodes["SETUP_ASYNC_WITH"])
        result, extended = {}, 0
        for at in range(0, len(code) - 1, 2):
            argument = code[at + 1] | extended
            if code[at] == opcodes["EXTENDED_ARG"]:
                extended = argument << 8
                continue
            extended = 0
            if code[at] in wanted:
                result[at + 2 + argument * unit] = at
        return result

    def _by_exception_table(self, frame: Frame) -> tuple[WithBlock, ...]:
        """3.11 on: the handler that covers an instruction, then the one that covers the handler."""
        blocks: list[WithBlock] = []
        seen: set[int] = set()
        at = frame.instruction
        while True:
            handler = next((h for h in frame.code.handlers if h.start <= at < h.end), None)
            if handler is None or handler.target in seen:
                return tuple(reversed(blocks))
            at = handler.target
            seen.add(at)
            if handler.depth < 1:
                continue
            slot = frame.stack + 8 * (handler.depth - (2 if self._layout.since(3, 14) else 1))
            if self._leaves_with(frame.code.instructions, at, slot):
                block = self._block(slot, frame, at)
                if block:
                    blocks.append(block)

    def _leaves_with(self, code: bytes, handler: int, slot: int) -> bool:
        """Whether a handler is that of a ``with``: PUSH_EXC_INFO, WITH_EXCEPT_START.

        Tracing of single opcodes (3.12 on) overwrites the instruction; then the callable in the
        slot tells.
        """
        opcodes = self._layout.opcodes
        if handler + 3 >= len(code):
            return False
        opcode = code[handler + 2]
        if opcode == opcodes["WITH_EXCEPT_START"]:
            return True
        traced = (opcodes.get("INSTRUMENTED_INSTRUCTION"), opcodes.get("INSTRUMENTED_LINE"))
        if opcode not in traced:
            return False
        exit_method = self._untagged(self._objects.memory.u64(slot))
        return self._objects.function_name(exit_method) in ("__exit__", "__aexit__")
