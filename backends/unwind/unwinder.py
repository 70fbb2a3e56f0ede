"""Native call stacks from memory: the target is not stopped.

``/proc/PID/task/TID/syscall`` gives the stack pointer and the program counter of a blocked
thread. From there the call frame information of each image (``.eh_frame``) leads to the callers;
callee-saved registers come back as inner frames' rules restore them. x86-64 only.
"""

import bisect
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hangtui.backends.elf.cfi import (
    POINTER_SIZES,
    RSP,
    Cie,
    Fde,
    How,
    Row,
    UnwindError,
    pointer_encoding,
    run,
    sleb,
    uleb,
)
from hangtui.backends.elf.image import Images
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.reader import Memory, MemoryReadError
from hangtui.backends.unwind.call_target import call_target

RETURN_ADDRESS = 16
_CALLEE_SAVED = (3, 6, 12, 13, 14, 15)
"""rbx, rbp, r12-r15 in DWARF's numbering."""
MAX_FRAMES = 4000
_NONE: Mapping[int, int] = MappingProxyType({})
_FRAME_SEARCHED = 16 << 10
"""Bytes of the stack that are searched for a function's return address."""
_DAMAGED = (UnwindError, MemoryReadError, struct.error, IndexError)
"""What tables and stacks raise that are not what they should be."""


@dataclass(frozen=True, slots=True)
class RawFrame:
    """One frame: where it is, and the stack pointer before its call."""

    address: int
    cfa: int | None
    """Canonical frame address; None for the last frame of a stack that breaks off."""
    interrupted: bool
    """The frame was interrupted (it is innermost, or a signal came), not left by a call."""

    @property
    def lookup_address(self) -> int:
        """An address inside the call instruction, where the frame's symbol is looked up."""
        return self.address if self.interrupted else self.address - 1


@dataclass(frozen=True, slots=True)
class RawStack:
    """The frames of a thread, innermost first."""

    frames: tuple[RawFrame, ...]
    complete: bool
    """Whether the last frame is the thread's outermost one."""
    reason: str | None = None
    """Why it breaks off."""


class Unwinder:
    """Walks stacks of one process."""

    def __init__(self, memory: Memory, images: Images) -> None:
        self._memory = memory
        self._spent = memory.spent
        self._images = images
        self._rows: dict[int, tuple[Row, bool]] = {}
        self._fdes: dict[int, Fde] = {}
        self._cies: dict[int, Cie] = {}
        self.found: dict[int, int] = {}
        """Registers, by DWARF number, that were not known of the stack unwound last, but must have
        had these values in its innermost frame, since no inner function saved them."""

    def unwind(
        self, stack_pointer: int, address: int, known: Mapping[int, int] = _NONE
    ) -> RawStack:
        """The stack of a thread that stands at *address* with *stack_pointer*.

        *known*: its other registers, by DWARF number, as far as they are known.
        """
        registers: dict[int, int] = {**known, RSP: stack_pointer}
        self.found = {}
        frames: list[RawFrame] = []
        interrupted = True
        while len(frames) < MAX_FRAMES:
            frame = RawFrame(address, None, interrupted)
            if not self._spent.native_frame(len(frames)):
                return RawStack(tuple(frames), False, "too many frames in all threads")
            try:
                row, signal = self._row(frame.lookup_address)
                cfa = self._cfa(row, registers) or self._found_cfa(frame, row, registers)
                callers = self._callers(row, cfa, registers)
            except (*_DAMAGED, BudgetSpentError) as error:
                return RawStack((*frames, frame), False, str(error))
            frames.append(RawFrame(address, cfa, interrupted))
            caller = callers.pop(RETURN_ADDRESS, 0)
            if not caller:
                return RawStack(tuple(frames), True)
            if cfa <= registers[RSP] and not signal:
                return RawStack(tuple(frames), False, "the stack does not grow")
            callers.setdefault(RSP, cfa)
            registers, address, interrupted = callers, caller, signal
        return RawStack(tuple(frames), False, f"more than {MAX_FRAMES} frames")

    def function_start(self, address: int) -> int | None:
        """Where the function around *address* begins, by its unwind entry."""
        try:
            return self._fde(address).start
        except (*_DAMAGED, BudgetSpentError):
            return None

    def _row(self, address: int) -> tuple[Row, bool]:
        known = self._rows.get(address)
        if known is None:
            fde = self._fde(address)
            self._spent.steps(len(fde.cie.instructions) + len(fde.instructions))
            known = self._rows[address] = (run(fde, address), fde.cie.signal)
        return known

    def _cfa(self, row: Row, registers: dict[int, int]) -> int:
        """The frame address; 0: the register that it is counted from is not known."""
        if row.cfa is None:
            raise UnwindError("no rule for the frame address")
        if row.cfa.code:
            return self._evaluate(row.cfa.code, registers, None)
        if row.cfa.register not in registers:
            return 0
        return registers[row.cfa.register] + row.cfa.offset

    def _found_cfa(self, frame: RawFrame, row: Row, registers: dict[int, int]) -> int:
        """The frame address where its register is lost, by the place of the return address.

        A function that keeps a frame pointer says nothing of it to those that it calls. But the
        word above that is the return address of a call to this very function cannot be mistaken.
        """
        rule = row.registers.get(RETURN_ADDRESS)
        if rule is None or rule.how is not How.SAVED or row.cfa is None or row.cfa.code:
            raise UnwindError("the frame pointer is not known here")
        function = self._fde(frame.lookup_address).start
        self._spent.steps(_FRAME_SEARCHED // 8)
        base = registers[RSP]
        for index, word in enumerate(self._memory.words_upward(base, _FRAME_SEARCHED)):
            if self._is_code(word) and call_target(self._memory, word) == function:
                cfa = base + 8 * index - rule.value
                registers[row.cfa.register] = cfa - row.cfa.offset
                self.found.setdefault(row.cfa.register, cfa - row.cfa.offset)
                return cfa
        raise UnwindError("the frame pointer is not known here")

    def _is_code(self, address: int) -> bool:
        mapping = self._memory.mapping_at(address)
        return mapping is not None and "x" in mapping.permissions

    def _callers(self, row: Row, cfa: int, registers: dict[int, int]) -> dict[int, int]:
        """The caller's registers as far as they are known; no return address in the outermost."""
        result = {
            number: registers[number]
            for number in _CALLEE_SAVED
            if number in registers and number not in row.registers
        }
        for number, rule in row.registers.items():
            if rule.how is How.SAVED:
                result[number] = self._memory.u64(cfa + rule.value)
            elif rule.how is How.IS_OFFSET:
                result[number] = cfa + rule.value
            elif rule.how is How.REGISTER and rule.value in registers:
                result[number] = registers[rule.value]
            elif rule.how in (How.SAVED_AT, How.IS_EXPRESSION):
                value = self._evaluate(rule.code, registers, cfa)
                saved = rule.how is How.SAVED_AT
                result[number] = self._memory.u64(value) if saved else value
        return result

    def _evaluate(self, code: bytes, registers: dict[int, int], cfa: int | None) -> int:
        """The DWARF expressions that compilers and glibc write into unwind tables."""
        self._spent.steps(len(code))
        stack: list[int] = [] if cfa is None else [cfa]
        at = 0
        while at < len(code):
            op = code[at]
            at += 1
            if 0x30 <= op <= 0x4F:  # DW_OP_lit0..31
                stack.append(op - 0x30)
            elif 0x70 <= op <= 0x8F:  # DW_OP_breg0..31
                offset, at = sleb(code, at)
                if op - 0x70 not in registers:
                    raise UnwindError(f"register {op - 0x70} is not known here")
                stack.append(registers[op - 0x70] + offset)
            elif op in (0x08, 0x09):  # DW_OP_const1u, const1s
                stack.append(int.from_bytes(code[at : at + 1], "little", signed=op == 0x09))
                at += 1
            elif op == 0x23:  # DW_OP_plus_uconst
                value, at = uleb(code, at)
                stack.append(stack.pop() + value)
            elif op == 0x06:  # DW_OP_deref
                stack.append(self._memory.u64(stack.pop()))
            elif op in _BINARY:
                right, left = stack.pop(), stack.pop()
                stack.append(_BINARY[op](left, right))
            else:
                raise UnwindError(f"DWARF operation {op:#x} in an unwind table")
        return stack.pop() & (1 << 64) - 1

    def _fde(self, address: int) -> Fde:
        image = self._images.at(address)
        if image is None:
            raise UnwindError(f"{address:#x} lies in no module")
        index = image.unwind_index
        if index is None:
            raise UnwindError("a module without unwind tables")
        base, starts, entries = index
        nearest = bisect.bisect_right(starts, address - base) - 1
        if nearest < 0:
            raise UnwindError("code without unwind information")
        at = base + entries[nearest]
        fde = self._fdes.get(at)
        if fde is None:
            fde = self._fdes[at] = self._read_fde(at)
        if not fde.start <= address < fde.end:
            raise UnwindError("code without unwind information")
        return fde

    def _read_fde(self, at: int) -> Fde:
        length, cie_offset = struct.unpack("<II", self._memory.read(at, 8))
        if not 4 < length < 1 << 20:
            raise UnwindError("a damaged unwind table")
        self._spent.keep(length)
        body = self._memory.read(at + 8, length - 4)
        cie = self._cie(at + 4 - cie_offset)
        size = POINTER_SIZES.get(cie.pointer_encoding & 15)
        if size is None or cie.pointer_encoding & 0x60:
            raise UnwindError("an unwind table with an unusual encoding")
        signed = cie.pointer_encoding & 8 != 0
        start = int.from_bytes(body[:size], "little", signed=signed)
        if cie.pointer_encoding & 0x70 == 0x10:  # DW_EH_PE_pcrel
            start += at + 8
        count = int.from_bytes(body[size : 2 * size], "little")
        offset = 2 * size
        if cie.augmented:
            skip, offset = uleb(body, offset)
            offset += skip
        return Fde(start, start + count, cie, body[offset:])

    def _cie(self, at: int) -> Cie:
        if at not in self._cies:
            self._cies[at] = self._read_cie(at)
        return self._cies[at]

    def _read_cie(self, at: int) -> Cie:
        length = self._memory.u32(at)
        if not 8 < length < 1 << 16:
            raise UnwindError("a damaged unwind table")
        body = self._memory.read(at + 8, length - 4)
        end = body.find(b"\0", 1)
        if end < 0:
            raise UnwindError("a damaged unwind table")
        augmentation = body[1:end].decode("latin-1")
        code_alignment, offset = uleb(body, end + 1)
        data_alignment, offset = sleb(body, offset)
        offset = offset + 1 if body[0] == 1 else uleb(body, offset)[1]
        encoding = 0
        augmented = augmentation.startswith("z")
        if augmented:
            size, offset = uleb(body, offset)
            encoding = pointer_encoding(augmentation, body[offset : offset + size])
            offset += size
        return Cie(
            code_alignment,
            data_alignment,
            encoding,
            augmented,
            "S" in augmentation,
            body[offset:],
        )


_BINARY: dict[int, Callable[[int, int], int]] = {
    0x1A: lambda a, b: a & b,
    0x1C: lambda a, b: a - b,
    0x22: lambda a, b: a + b,
    0x24: lambda a, b: a << (b & 63) & (1 << 64) - 1,
    0x2A: lambda a, b: int(a >= b),
    0x2D: lambda a, b: int(a < b),
}
"""DW_OP_and, minus, plus, shl, ge, lt: what the lazy-binding stubs' rules use."""
