"""The ``with`` blocks that a frame is inside of.

Entering a ``with`` leaves the bound ``__exit__`` at a place on the value stack that the bytecode
fixes. A block is found only after ``__enter__`` has returned, so it proves that the context
manager is entered.
"""

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.try_blocks import TryBlock, blocks_of
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

_NULL = 1
"""PyStackRef_NULL, Include/internal/pycore_stackref.h (3.14)."""


@dataclass(frozen=True, slots=True)
class WithBlock:
    """A ``with`` whose body is running."""

    manager: int
    """Address of the context manager."""
    exit_method: int
    """Address of the callable that leaving it will call."""
    line: int | None
    """Line of the ``with`` statement's item."""


class WithBlocks:
    """Finds the ``with`` blocks of frames of one interpreter."""

    def __init__(self, objects: Objects, codes: CodeReader) -> None:
        self._objects = objects
        self._codes = codes
        self._layout = objects.layout
        self._tried: dict[tuple[int, int], tuple[TryBlock, ...]] = {}
        """Those that may be of a ``with``, from 3.11 on, by code and instruction: at the same one
        stand thousands of tasks."""
        opcodes = self._layout.opcodes
        self._leaving = {
            opcodes[name]
            for name in ("WITH_EXCEPT_START", "INSTRUMENTED_INSTRUCTION", "INSTRUMENTED_LINE")
            if name in opcodes
        }

    def of(self, frame: Frame) -> tuple[WithBlock, ...]:
        """The blocks that *frame* is inside of, outermost first.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        self._objects.memory.spent.objects(1 + (len(frame.code.handlers) >> 6))
        found = []
        for block in reversed(self._try_blocks(frame)):
            try:
                manager = self._manager(frame, block)
            except MemoryReadError:
                continue
            if manager is not None:
                found.append(manager)
        return tuple(found)

    def _try_blocks(self, frame: Frame) -> tuple[TryBlock, ...]:
        if not self._layout.since(3, 11):
            return blocks_of(self._objects, frame)
        key = frame.code.address, frame.instruction
        if key not in self._tried:
            code = frame.code.instructions
            self._tried[key] = tuple(
                block
                for block in blocks_of(self._objects, frame)
                if block.handler + 3 < len(code) and code[block.handler + 2] in self._leaving
            )
        return self._tried[key]

    def _manager(self, frame: Frame, block: TryBlock) -> WithBlock | None:
        """The block if it is that of a ``with``; in 3.14 its self may lie above ``__exit__``."""
        memory = self._objects.memory
        below = 2 if self._layout.since(3, 14) else 1
        if block.depth < below:
            return None
        slot = frame.stack + 8 * (block.depth - below)
        if not self._leaves_with(frame.code.instructions, block.handler, slot):
            return None
        exit_method = self._untagged(memory.u64(slot))
        above = memory.u64(slot + 8) if self._layout.since(3, 14) else _NULL
        manager = self._objects.bound_to(exit_method) if above == _NULL else self._untagged(above)
        if not manager:
            return None
        return WithBlock(manager, exit_method, self._line(frame, block))

    def _untagged(self, reference: int) -> int:
        return reference & ~3 if self._layout.since(3, 13) else reference

    def _line(self, frame: Frame, block: TryBlock) -> int | None:
        """From 3.11 on the handler has the line of the ``with``; before, its set-up has it."""
        if self._layout.since(3, 11):
            return self._codes.line(frame.code, block.handler)
        setup = self._setups(frame.code.instructions).get(block.handler)
        return None if setup is None else self._codes.line(frame.code, setup)

    def _setups(self, code: bytes) -> dict[int, int]:
        """Offset of each ``with`` statement's set-up by the offset of its handler (up to 3.10)."""
        opcodes = self._layout.opcodes
        wanted = (opcodes["SETUP_WITH"], opcodes["SETUP_ASYNC_WITH"])
        unit = 2 if self._layout.since(3, 10) else 1
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

    def _leaves_with(self, code: bytes, handler: int, slot: int) -> bool:
        """Whether a handler is that of a ``with``.

        It begins with WITH_CLEANUP_START (up to 3.8), WITH_EXCEPT_START (3.9, 3.10), or
        PUSH_EXC_INFO and WITH_EXCEPT_START. Tracing of single opcodes (3.12 on) overwrites the
        instruction; then the callable in the slot tells.
        """
        opcodes = self._layout.opcodes
        if not self._layout.since(3, 11):
            start = opcodes.get("WITH_EXCEPT_START", opcodes.get("WITH_CLEANUP_START"))
            return code[handler] == start
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
