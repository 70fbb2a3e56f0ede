"""Where the fault really was: behind the handlers of signals that ran before the process ended.

A handler such as faulthandler's prints its lines and raises the signal again, so that what ended
the process is only the second one. The kernel left the first one on the stack, with all registers.
"""

import struct
from dataclasses import dataclass

from hangtui.backends.crash.signals import FATAL
from hangtui.backends.frozen import SIGNAL_INFO_SIZE, FrozenThread, SignalInfo
from hangtui.backends.memory import Memory, MemoryReadError
from hangtui.backends.native import NativeStacks
from hangtui.backends.unwind import RawFrame, RawStack

_SAVED = "r8 r9 r10 r11 r12 r13 r14 r15 rdi rsi rbp rbx rdx rax rcx rsp rip eflags".split()
_SAVED_AT = 40
"""offsetof(ucontext_t, uc_mcontext), sys/ucontext.h, x86-64."""
_ERROR_AT = _SAVED_AT + 8 * 19
"""gregs[REG_ERR]."""
_INFO_AT = 304
"""sizeof(struct ucontext) of the kernel: siginfo_t follows it in ``struct rt_sigframe``."""
_WROTE = 2
"""X86_PF_WRITE, asm/trap_pf.h."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The signal that matters, and the registers when it came."""

    tid: int
    info: SignalInfo
    registers: dict[str, int]
    stack: RawStack
    """From the fault outwards."""
    handled: bool = False
    """A handler ran before the process ended."""
    wrote: bool | None = None
    """Whether a page fault was a write; None: not recorded."""


def find_fault(
    memory: Memory, native: NativeStacks, thread: FrozenThread, info: SignalInfo
) -> Fault:
    """The fault behind what ended *thread* with *info*."""
    stack = unwound(memory, native, thread)
    for index in range(2, len(stack.frames)):
        if not stack.frames[index].interrupted:
            continue
        context = stack.frames[index - 2].cfa
        earlier = _saved(memory, context) if context else None
        if earlier is None or earlier[0].number not in FATAL:
            continue
        first, registers, wrote = earlier
        rest = RawStack(stack.frames[index:], stack.complete, stack.reason)
        registers = {**thread.registers, **registers}
        return Fault(thread.tid, first, registers, rest, handled=True, wrote=wrote)
    return Fault(thread.tid, info, dict(thread.registers), stack)


def _saved(memory: Memory, context: int) -> tuple[SignalInfo, dict[str, int], bool | None] | None:
    try:
        words = memory.words(context + _SAVED_AT, len(_SAVED))
        info = SignalInfo.parse(memory.read(context + _INFO_AT, SIGNAL_INFO_SIZE))
        error = memory.u64(context + _ERROR_AT)
    except (MemoryReadError, struct.error):
        return None
    wrote = bool(error & _WROTE) if info.address is not None and info.code != 128 else None
    return info, dict(zip(_SAVED, words, strict=True)), wrote


def unwound(memory: Memory, native: NativeStacks, thread: FrozenThread) -> RawStack:
    """A thread's stack, also where it jumped to an address that holds no code."""
    where = thread.blocked()
    stack = native.raw(where)
    if len(stack.frames) > 1 or stack.complete:
        return stack
    try:
        caller = memory.u64(where.stack_pointer)
    except MemoryReadError:
        return stack
    mapping = memory.mapping_at(caller)
    if mapping is None or "x" not in mapping.permissions:
        return stack
    # A call leaves the way back on top of the stack; nothing else was done yet.
    above = where.stack_pointer + 8
    rest = native.unwinder.unwind(above, caller - 1, where.registers)
    first = RawFrame(where.address, above, interrupted=True)
    second = RawFrame(caller, rest.frames[0].cfa, interrupted=False)
    return RawStack((first, second, *rest.frames[1:]), rest.complete, rest.reason)
