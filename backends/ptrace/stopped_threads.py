"""Threads that do not run: those of a core file, and those of a process that is stopped.

Their registers are all known, so that nothing has to be waited for and nothing is lost.
"""

import struct
from collections.abc import Iterable, Mapping

from hangtui.backends.arch import Arch
from hangtui.backends.arch.description import Code
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.dataclass import dataclass

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
    """By their names."""
    arch: Arch
    call: int
    """The number of the system call that it is in; -1: none."""

    @staticmethod
    def of(
        tid: int, words: Iterable[int], arch: Arch, memory: Code | None = None
    ) -> "FrozenThread":
        """From the words of its ``user_regs_struct``.

        *memory*: where its code is, for processors whose registers do not tell whether it is in a
        system call; without it such a thread is in none.
        """
        registers = dict(zip(arch.registers.names, words, strict=True))
        return FrozenThread(tid, registers, arch, _call(registers, arch, memory))

    @property
    def stack_pointer(self) -> int:
        """Where its stack ends."""
        return self.registers[self.arch.registers.stack_pointer]

    @property
    def program_counter(self) -> int:
        """The instruction that is next."""
        return self.registers[self.arch.registers.program_counter]

    @property
    def arguments(self) -> tuple[int, ...]:
        """Of its system call."""
        return tuple(self.registers[name] for name in self.arch.registers.arguments)

    @property
    def for_unwinding(self) -> dict[int, int]:
        """The registers by their DWARF numbers."""
        return {number: self.registers[name] for name, number in self.arch.registers.dwarf.items()}

    @property
    def syscall_line(self) -> str:
        """As ``/proc/PID/task/TID/syscall`` would say it."""
        place = [f"{self.stack_pointer:#x}", f"{self.program_counter:#x}"]
        if self.call < 0:
            return " ".join(["-1", *place])
        arguments = [f"{value:#x}" for value in self.arguments]
        return " ".join([str(self.call), *arguments, *place])

    def blocked(self) -> BlockedThread:
        """Where it stands."""
        arguments = self.arguments if self.call >= 0 else ()
        return BlockedThread(
            self.arch.call_name(self.call),
            arguments,
            self.stack_pointer,
            self.program_counter,
            self.for_unwinding,
        )


def _call(registers: Mapping[str, int], arch: Arch, memory: Code | None) -> int:
    """The number of the call that these registers are of; -1: none."""
    number = registers[arch.registers.call]
    if not arch.registers.keeps_call:
        # A stop, and what the kernel does before it writes a core, set it back onto the call.
        try:
            at = registers[arch.registers.program_counter]
            code = memory.read(at, len(arch.makes_call)) if memory else b""
        except DamagedDataError:
            return -1
        if code != arch.makes_call:
            return -1
    return number if number < _LAST_CALL else -1


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
