"""Registers of threads that were left alone, as far as they are known without stopping them."""

import bisect
import struct
from collections.abc import Mapping, Sequence

from hangtui.backends.arch import Arch
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import NULL_PAGES

_SEARCHED_WORDS = 4096


def registers_of(
    arch: Arch,
    where: BlockedThread,
    found: Mapping[int, int],
    stack: tuple[int, memoryview],
    code: Sequence[range],
) -> bytes:
    """``user_regs_struct`` with what is known, and zeros.

    Args:
        arch: its processor.
        where: its system call, stack pointer and program counter.
        found: what the unwinder found out about its registers, by DWARF number.
        stack: the address from which its stack is known, and its bytes from there up.
        code: executable address ranges, in order.
    """
    known, numbers = arch.registers, {number: name for name, number in arch.registers.dwarf.items()}
    values = dict.fromkeys(known.names, 0) | dict(known.fixed)
    values |= {numbers[number]: value for number, value in found.items() if number in numbers}
    values[known.stack_pointer], values[known.program_counter] = where.stack_pointer, where.address
    values[known.call] = arch.call_number(where.call) & (1 << 64) - 1
    values |= dict(zip(known.arguments, where.arguments, strict=False))
    if not values[known.frame_pointer]:
        values[known.frame_pointer] = _frame_pointer(*stack, where.stack_pointer, code)
    return struct.pack(known.layout, *(values[name] for name in known.names))


def _frame_pointer(base: int, stack: memoryview, start: int, code: Sequence[range]) -> int:
    """The first pair of a saved frame pointer and a return address: code built with frame pointers
    has them, and gdb needs them there. Other code does not look at this register."""
    skip = max(0, (start - base) & ~7)
    words = stack[skip : skip + 8 * _SEARCHED_WORDS]
    values = words[: len(words) & ~7].cast("Q")
    end = base + len(stack)
    starts = [part.start for part in code]
    for index in range(len(values) - 1):
        saved, back, at = values[index], values[index + 1], base + skip + 8 * index
        if back > NULL_PAGES and (saved == 0 or at < saved < end):
            nearest = bisect.bisect_right(starts, back) - 1
            if nearest >= 0 and back in code[nearest]:
                return int(at)
    return 0
