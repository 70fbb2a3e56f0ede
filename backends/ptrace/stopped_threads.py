"""Threads that do not run: those of a core file, and those of a process that is stopped.

Their registers are all known, so that nothing has to be waited for and nothing is lost.
"""

import struct
from collections.abc import Iterable, Mapping

from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.dataclass import dataclass

REGISTER_NAMES = (
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
    "fs_base gs_base ds es fs gs"
).split()
"""``user_regs_struct``, sys/user.h, x86-64."""
_DWARF = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
"""The unwinder's numbering (System V ABI, AMD64 supplement, figure 3.36)."""
ARGUMENT_NAMES = "rdi rsi rdx r10 r8 r9".split()
"""Registers with the arguments of a system call, in their order (syscall(2), x86-64)."""
_LAST_CALL = 1 << 10
"""System calls have smaller numbers."""
SIGNAL_INFO_SIZE = 128
"""sizeof(siginfo_t)."""
_HAS_ADDRESS = {4, 5, 7, 8, 11}
"""SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: ``si_addr``, if the kernel sent them."""


@dataclass(frozen=True, slots=True)
class SignalInfo:
    """A ``siginfo_t``, as far as a crash needs it."""

    number: int
    code: int
    address: int | None
    sender: int | None
    """PID of the process that sent it."""

    @staticmethod
    def parse(raw: bytes) -> "SignalInfo":
        """What the kernel's ``siginfo_t`` says (at least 32 bytes of it)."""
        number, _, code = struct.unpack_from("<iii", raw)
        (address,) = struct.unpack_from("<Q", raw, 16)
        (sender,) = struct.unpack_from("<i", raw, 16)
        sent = code <= 0  # SI_USER, SI_TKILL, SI_QUEUE
        faulted = number in _HAS_ADDRESS and code > 0
        return SignalInfo(number, code, address if faulted else None, sender if sent else None)


@dataclass(frozen=True, slots=True)
class FrozenThread:
    """One thread that does not run."""

    tid: int
    registers: Mapping[str, int]
    """By the names in `REGISTER_NAMES`."""

    @staticmethod
    def of(tid: int, words: Iterable[int]) -> "FrozenThread":
        """From the words of its ``user_regs_struct``."""
        return FrozenThread(tid, dict(zip(REGISTER_NAMES, words, strict=True)))

    @property
    def call(self) -> int:
        """The number of the system call that it is in; -1: none."""
        number = self.registers["orig_rax"]
        return number if number < _LAST_CALL else -1

    @property
    def for_unwinding(self) -> dict[int, int]:
        """The registers by their DWARF numbers."""
        return {number: self.registers[name] for number, name in enumerate(_DWARF)}

    @property
    def syscall_line(self) -> str:
        """As ``/proc/PID/task/TID/syscall`` would say it."""
        registers = self.registers
        place = [f"{registers['rsp']:#x}", f"{registers['rip']:#x}"]
        if self.call < 0:
            return " ".join(["-1", *place])
        arguments = [f"{registers[name]:#x}" for name in ARGUMENT_NAMES]
        return " ".join([str(self.call), *arguments, *place])

    def blocked(self) -> BlockedThread:
        """Where it stands."""
        registers = self.registers
        arguments = tuple(registers[name] for name in ARGUMENT_NAMES) if self.call >= 0 else ()
        return BlockedThread(
            self.call, arguments, registers["rsp"], registers["rip"], self.for_unwinding
        )


class FrozenWatch:
    """The watch over threads that cannot move: all are still, for as long as one likes."""

    lasted_ms = None

    def __init__(self, threads: Iterable[FrozenThread]) -> None:
        self._blocked = {thread.tid: thread.blocked() for thread in threads}

    def asleep(self) -> dict[int, BlockedThread]:
        """All threads, and where they stand."""
        return dict(self._blocked)

    def asleep_at_last(self) -> dict[int, BlockedThread]:
        """The same."""
        return dict(self._blocked)

    def catch_asleep(self, _tids: Iterable[int]) -> dict[int, BlockedThread]:
        """None that was missed at first."""
        return {}

    def go_on(self, _milliseconds: float, _tids: Iterable[int]) -> None:
        """Nothing moves."""

    def finish(self) -> None:
        """Nothing moves."""

    def still(self, tid: int) -> bool:
        """Whether it is one of the threads."""
        return tid in self._blocked
