"""A thread asleep in the kernel, from its ``/proc/PID/task/TID/syscall``."""

from collections.abc import Mapping
from dataclasses import field

from hangtui.backends import arch
from hangtui.backends.arch import Arch
from hangtui.backends.procfs.futex_syscall import FutexCall
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BlockedThread:
    """Where a thread sleeps."""

    call: str
    """The system call; empty in a page fault or the like."""
    arguments: tuple[int, ...]
    stack_pointer: int
    address: int
    registers: Mapping[int, int] = field(default_factory=dict)
    """By DWARF number, as far as more of them are known than the stack pointer."""

    @property
    def futex(self) -> FutexCall | None:
        """The futex call, if it is one."""
        if self.call != "futex":
            return None
        address, operation, value, timeout = self.arguments[:4]
        return FutexCall(address, operation, value & 0xFFFFFFFF, timeout)


def parse(text: str | None, processor: Arch | None = None) -> BlockedThread | None:
    """``NR A0 ... A5 SP PC``, or ``-1 SP PC``; None for a running or unreadable thread.

    *processor*: by whose table calls are numbered; None: this machine's.
    """
    words = (text or "").split()
    try:
        if len(words) == 3:
            return BlockedThread("", (), int(words[1], 16), int(words[2], 16))
        if len(words) == 9:
            *arguments, stack_pointer, address = (int(word, 16) for word in words[1:])
            call = (processor or arch.of_kernel()).call_name(int(words[0]))
            return BlockedThread(call, tuple(arguments), stack_pointer, address)
    except ValueError:
        pass
    return None
