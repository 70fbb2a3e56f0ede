"""Where the fault really was: behind the handlers of signals that ran before the process ended.

A handler such as faulthandler's prints its lines and raises the signal again, so that what ended
the process is only the second one. The kernel left the first one on the stack, with all registers.
"""

import signal

from hangtui.backends.crash.signals import FATAL, FAULTS
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.ptrace.stopped_threads import SIGNAL_INFO_SIZE, FrozenThread, SignalInfo
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.backends.unwind.unwinder import RawStack
from hangtui.dataclass import dataclass

_PRESENT, _WROTE = 1, 2
"""X86_PF_PROT, X86_PF_WRITE, asm/trap_pf.h."""
_GENERAL_PROTECTION, _PAGE_FAULT = 13, 14
_TRAPS = {
    signal.SIGSEGV: {_GENERAL_PROTECTION, _PAGE_FAULT},
    signal.SIGBUS: {_PAGE_FAULT, 12, 17, 18},
    signal.SIGFPE: {0, 16, 19},
    signal.SIGILL: {6},
}
"""Which exceptions of the processor (asm/trapnr.h) a signal comes from."""
_BUS_ADRERR, _ILL_ILLOPN, _FPE_INTDIV, _SI_KERNEL = 2, 2, 1, 128


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
    stack = native.raw(thread.blocked())
    for index in range(2, len(stack.frames)):
        if not stack.frames[index].interrupted:
            continue
        context = stack.frames[index - 2].cfa
        earlier = _saved(memory, context, info.number) if context else None
        if earlier is None:
            continue
        first, registers, wrote = earlier
        rest = RawStack(stack.frames[index:], stack.complete, stack.reason)
        registers = {**thread.registers, **registers}
        return Fault(thread.tid, first, registers, rest, handled=True, wrote=wrote)
    return Fault(thread.tid, info, dict(thread.registers), stack)


def _saved(
    memory: Memory, context: int, number: int
) -> tuple[SignalInfo, dict[str, int], bool | None] | None:
    """What the kernel left there of a signal; *number*: the one that ended the process."""
    try:
        frame = memory.arch.signal_frame
        words = memory.words(context + frame.registers_at, len(frame.registers))
        error, trap, _, address = 0, None, 0, 0
        if frame.trap_at is not None:
            error, trap, _, address = memory.words(context + frame.trap_at, 4)
        info = SignalInfo.parse(memory.read(context + frame.info_at, SIGNAL_INFO_SIZE))
    except DamagedDataError:
        return None
    if info.number not in FATAL or not -10 < info.code <= _SI_KERNEL:
        # A handler that did not ask for it (SA_SIGINFO) got none.
        told = None if trap is None else _by_trap(number, trap, error, address)
        if told is None:
            return None
        info = told
    wrote = bool(error & _WROTE) if trap == _PAGE_FAULT and info.code > 0 else None
    return info, dict(zip(frame.registers, words, strict=True)), wrote


def _by_trap(number: int, trap: int, error: int, address: int) -> SignalInfo | None:
    """The signal by the processor's exception; None: they do not belong together."""
    if number not in FAULTS or trap not in _TRAPS[signal.Signals(number)]:
        return None
    if trap == _GENERAL_PROTECTION:
        return SignalInfo(number, _SI_KERNEL, 0, None)
    if number == signal.SIGSEGV:
        return SignalInfo(number, 2 if error & _PRESENT else 1, address, None)
    codes = {signal.SIGBUS: _BUS_ADRERR, signal.SIGFPE: _FPE_INTDIV, signal.SIGILL: _ILL_ILLOPN}
    place = address if trap == _PAGE_FAULT else None
    return SignalInfo(number, codes[signal.Signals(number)], place, None)
