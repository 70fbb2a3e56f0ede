"""What a processor's description holds.

No dataclasses: the process that stops threads knows it too, and importing those costs more than the
stop.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol


class Code(Protocol):
    """Memory with machine code in it."""

    def read(self, address: int, size: int, /) -> bytes:
        """Raises an error of foreign data where it cannot be read."""

    def u64(self, address: int, /) -> int:
        """The same."""


class Registers(NamedTuple):
    """The registers as ptrace(2) and core files have them: ``user_regs_struct``."""

    names: tuple[str, ...]
    """In their order, 8 bytes each."""
    dwarf: Mapping[str, int]
    """The numbers that unwind tables use, of those that they use."""
    program_counter: str
    stack_pointer: str
    frame_pointer: str
    call: str
    """Holds a system call's number ..."""
    keeps_call: bool
    """... and that of none for who is in none; else it may hold anything then ..."""
    result: str
    """... what it returns ..."""
    arguments: tuple[str, ...]
    """... and its arguments (syscall(2))."""
    parameters: tuple[str, ...]
    """Hold a function's first two arguments, where those are no floating-point numbers."""
    general: tuple[str, ...]
    """Those that may point to memory, but for the stack and the code."""
    thread_pointer: str | None
    """None: it is no part of these."""
    flags: str
    """By the name that gdb gives it, as all of them."""
    flag_bits: Mapping[int, str]
    """What its bits are called."""
    fixed: Mapping[str, int]
    """What has the same value in every 64-bit thread of user space."""
    lost_in_calls: frozenset[str]
    """A called function need not preserve them, so that nobody can tell what they were."""
    in_crash: tuple[str, ...]
    """Those that a crash shows."""
    shown: tuple[str, ...]
    """Those that say where a program is, in the order in which they are shown."""

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return 8 * len(self.names)

    @property
    def layout(self) -> str:
        """For ``struct``."""
        return f"<{len(self.names)}Q"

    def place(self, name: str) -> int:
        """Where one stands among them."""
        return self.names.index(name)


class Unwinding(NamedTuple):
    """How stacks are walked; registers by their DWARF numbers."""

    stack_pointer: int
    frame_pointer: int
    return_address: int
    """The column of unwind tables, which may be a register."""
    in_register: bool
    """Whether a call leaves its return address in that register: a function that calls no other one
    never saves it."""
    callee_saved: tuple[int, ...]
    """Registers that a function gives back as it got them."""
    address_mask: int
    """What remains of a return address without its signature."""
    red_zone: int
    """Bytes below the stack pointer that are in use."""


class Sampling(NamedTuple):
    """perf_event_open(2)."""

    call: int
    """Its number."""
    registers: int
    """The mask of all in asm/perf_regs.h."""
    dwarf: tuple[int | None, ...]
    """Their DWARF numbers, in that order."""
    program_counter: int
    """Its place among them."""


class CoreFile(NamedTuple):
    """The notes of core files: ``struct elf_prstatus`` and ``elf_prpsinfo``, sys/procfs.h."""

    status_size: int
    registers_at: int
    info_size: int


class SignalFrame(NamedTuple):
    """What the kernel leaves on the stack for a signal's handler (``struct rt_sigframe``): places
    in bytes from the handler's frame address."""

    info_at: int
    """Of ``siginfo_t``."""
    registers_at: int
    registers: tuple[str, ...]
    """In their order."""
    trap_at: int | None
    """Of the processor's error code and exception; None: it records them in another way."""


class Glibc(NamedTuple):
    """How glibc lays out what threads wait for (2.28 to 2.43), in bytes."""

    thread_id: int
    """``struct pthread.tid``."""
    selves: tuple[tuple[int, int], ...]
    """Words of a descriptor that point into it: ``(place, place that it points to)``."""
    alignment: int
    """Of the descriptor."""
    descriptor_size: int
    """Of ``struct pthread``, at least."""
    below_thread_pointer: int
    """How far the descriptor begins below the thread pointer; 0: it begins there."""
    mutex_size: int
    condition_size: int


class Musl(NamedTuple):
    """How musl 1.2 lays out ``struct pthread``, in bytes; its ``self`` comes first."""

    previous: int
    next: int
    thread_id: int
    detach_state: int


class Arch(NamedTuple):
    """One processor under Linux, with 64 bits and little-endian."""

    name: str
    """In words."""
    kernel_name: str
    """As ``uname -m`` says it."""
    machine: int
    """e_machine of ELF files."""
    calls: Mapping[int, str]
    """System calls by number: asm/unistd.h."""
    address_bits: int
    """Of user space."""
    registers: Registers
    unwinding: Unwinding
    sampling: Sampling
    core: CoreFile
    signal_frame: SignalFrame
    glibc: Glibc
    musl: Musl | None
    """None: not measured, so that nothing is claimed by it."""
    makes_call: bytes
    """The instruction that makes a system call. A stop sets the program counter back onto it where
    the call is to be made again."""
    call_target: Callable[[Code, int], int | None]
    """Where the call before a return address goes, through linkage stubs. None: it is no call, or
    one through a register, whose target is not in the code."""
    calls_to: Callable[[bytes, int, int], list[int]]
    """Of some code, the address where it lies, and a function's: where the direct calls of that
    function in it return to. Nothing where calls leave their return address on the stack."""
    jumps: Callable[[bytes, int], list[int]]
    """Of some code and the address where it lies: where direct jumps in it lead, such as those with
    which a function goes over into another one. Not each of them need be one."""
    calls_register: Callable[[Code, int], bool]
    """Whether before a return address stands a call through a register."""

    def call_name(self, number: int) -> str:
        """A system call's name; ``syscall 999`` for one that is not known, nothing for none."""
        if number < 0:
            return ""
        return self.calls.get(number) or f"{_UNNAMED}{number}"

    def call_number(self, name: str) -> int:
        """The number of a call that is named as `call_name` does it; -1: none."""
        if name.startswith(_UNNAMED):
            return int(name.removeprefix(_UNNAMED))
        return next((number for number, known in self.calls.items() if known == name), -1)

    def strip(self, address: int) -> int:
        """A return address without its signature."""
        return address & self.unwinding.address_mask


_UNNAMED = "syscall "
