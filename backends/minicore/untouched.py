"""Registers of threads that were left alone, as far as they are known without stopping them."""

import bisect
import struct
from collections.abc import Mapping, Sequence

from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.ptrace.stopped_threads import ARGUMENT_NAMES, REGISTER_NAMES
from hangtui.model import NULL_PAGES

_FIXED = {"cs": 0x33, "ss": 0x2B, "eflags": 0x246}
"""What they are in every 64-bit thread of user space."""
RBP = 6
"""In DWARF's numbering (System V ABI, AMD64 supplement, figure 3.36)."""
_SEARCHED_WORDS = 4096


def registers_of(
    where: BlockedThread,
    found: Mapping[int, int],
    stack: memoryview,
    base: int,
    code: Sequence[range],
) -> bytes:
    """``user_regs_struct`` with what is known, and zeros.

    Args:
        where: its system call, stack pointer and program counter.
        found: what the unwinder found out about its registers, by DWARF number.
        stack: its stack from *base* up.
        base: address of the first byte of *stack*.
        code: executable address ranges, in order.
    """
    values = dict.fromkeys(REGISTER_NAMES, 0) | _FIXED
    values["rsp"], values["rip"] = where.stack_pointer, where.address
    values["orig_rax"] = where.number & (1 << 64) - 1
    values |= dict(zip(ARGUMENT_NAMES, where.arguments, strict=False))
    values["rbp"] = found.get(RBP) or _frame_pointer(stack, base, where.stack_pointer, code)
    return struct.pack("<27Q", *(values[name] for name in REGISTER_NAMES))


def _frame_pointer(stack: memoryview, base: int, start: int, code: Sequence[range]) -> int:
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
