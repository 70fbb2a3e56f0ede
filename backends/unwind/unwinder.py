"""Native call stacks from memory: the target is not stopped.

``/proc/PID/task/TID/syscall`` gives the stack pointer and the program counter of a blocked
thread. From there the call frame information of each image (``.eh_frame``) leads to the callers;
callee-saved registers come back as inner frames' rules restore them.

Where a call leaves its return address in a register, a function that calls no other one has it
nowhere else, and the kernel does not tell that register of a sleeping thread: see `call_sites`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from hangtui.backends.elf.cfi import (
    How,
    Row,
    UnwindError,
)
from hangtui.backends.elf.images import Images
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.unwind.call_sites import CallSites
from hangtui.backends.unwind.expression import evaluate
from hangtui.backends.unwind.tables import UnwindTables
from hangtui.dataclass import dataclass

MAX_FRAMES = 4000
_NONE: Mapping[int, int] = MappingProxyType({})
_FRAME_SEARCHED = 16 << 10
"""Bytes of the stack that are searched for a function's return address."""


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
        self._tables = UnwindTables(memory, images)
        self._sites = CallSites(memory, self._tables)
        self.found: dict[int, int] = {}
        """Registers, by DWARF number, that were not known of the stack unwound last, but must have
        had these values in its innermost frame, since no inner function saved them."""

    def unwind(
        self, stack_pointer: int, address: int, known: Mapping[int, int] = _NONE
    ) -> RawStack:
        """The stack of a thread that stands at *address* with *stack_pointer*.

        *known*: its other registers, by DWARF number, as far as they are known.
        """
        arch = self._memory.arch
        pointer, link = arch.unwinding.stack_pointer, arch.unwinding.return_address
        registers: dict[int, int] = {**known, pointer: stack_pointer}
        self.found = {}
        frames: list[RawFrame] = []
        interrupted = True
        while len(frames) < MAX_FRAMES:
            frame = RawFrame(address, None, interrupted)
            if not self._spent.native_frame(len(frames)):
                return RawStack(tuple(frames), False, "too many frames in all threads")
            try:
                row, signal = self._tables.row(frame.lookup_address)
                cfa = self._cfa(row, registers) or self._found_cfa(frame, row, registers)
                if link not in row.registers and arch.unwinding.in_register:
                    self._find_link(frame, cfa, registers)
                callers = self._callers(row, cfa, registers)
            except (DamagedDataError, BudgetSpentError) as error:
                return RawStack((*frames, frame), False, str(error))
            frames.append(RawFrame(address, cfa, interrupted))
            caller = arch.strip(callers.pop(link, 0))
            if not caller:
                return RawStack(tuple(frames), True)
            if (
                cfa <= registers[pointer]
                and not signal
                and not self._is_leaf(cfa, frame, registers)
            ):
                return RawStack(tuple(frames), False, "the stack does not grow")
            callers.setdefault(pointer, cfa)
            registers, address, interrupted = callers, caller, signal
        return RawStack(tuple(frames), False, f"more than {MAX_FRAMES} frames")

    def _is_leaf(self, cfa: int, frame: RawFrame, registers: Mapping[int, int]) -> bool:
        """Whether an innermost function has no frame, and needs none."""
        how = self._memory.arch.unwinding
        return how.in_register and frame.interrupted and cfa == registers[how.stack_pointer]

    def _find_link(self, frame: RawFrame, cfa: int, registers: dict[int, int]) -> None:
        """Put the return address of an innermost function that has not saved it into *registers*.

        Raises:
            DamagedDataError: it is not known, and cannot be told.
        """
        link = self._memory.arch.unwinding.return_address
        if link in registers:
            return
        if not frame.interrupted:
            raise UnwindError("a function that has not saved where it returns to")
        self._spent.steps(_FRAME_SEARCHED // 8)
        registers[link] = self.found[link] = self._sites.return_address(frame.address, cfa)

    def function_start(self, address: int) -> int | None:
        """Where the function around *address* begins, by its unwind entry."""
        try:
            return self._tables.entry(address).start
        except (DamagedDataError, BudgetSpentError):
            return None

    def _cfa(self, row: Row, registers: dict[int, int]) -> int:
        """The frame address; 0: the register that it is counted from is not known."""
        if row.cfa is None:
            raise UnwindError("no rule for the frame address")
        if row.cfa.code:
            return evaluate(row.cfa.code, self._memory, registers)
        if row.cfa.register not in registers:
            return 0
        return registers[row.cfa.register] + row.cfa.offset

    def _found_cfa(self, frame: RawFrame, row: Row, registers: dict[int, int]) -> int:
        """The frame address where its register is lost, by the place of the return address.

        A function that keeps a frame pointer says nothing of it to those that it calls. But the
        word above that is the return address of a call to this very function, or to one that jumps
        on into it, cannot be mistaken.
        """
        rule = row.registers.get(self._memory.arch.unwinding.return_address)
        if rule is None or rule.how is not How.SAVED or row.cfa is None or row.cfa.code:
            raise UnwindError("the frame pointer is not known here")
        function = self._tables.entry(frame.lookup_address).start
        self._spent.steps(_FRAME_SEARCHED // 8)
        arch = self._memory.arch
        base = registers[arch.unwinding.stack_pointer]
        for index, word in enumerate(self._memory.words_upward(base, _FRAME_SEARCHED)):
            back = arch.strip(word)
            if self._is_code(back) and self._sites.lead_to(back, function):
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
            for number in self._memory.arch.unwinding.callee_saved
            if number in registers and number not in row.registers
        }
        how = self._memory.arch.unwinding
        if how.in_register and how.return_address not in row.registers:
            result[how.return_address] = registers.get(how.return_address, 0)
        for number, rule in row.registers.items():
            if rule.how is How.SAVED:
                result[number] = self._memory.u64(cfa + rule.value)
            elif rule.how is How.IS_OFFSET:
                result[number] = cfa + rule.value
            elif rule.how is How.REGISTER and rule.value in registers:
                result[number] = registers[rule.value]
            elif rule.how in (How.SAVED_AT, How.IS_EXPRESSION):
                value = evaluate(rule.code, self._memory, registers, cfa)
                saved = rule.how is How.SAVED_AT
                result[number] = self._memory.u64(value) if saved else value
        return result
