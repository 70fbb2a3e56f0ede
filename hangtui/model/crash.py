"""What is known of the fault or the signal that ended a process."""

from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Source
from hangtui.model.pid import Pid

NULL_PAGES = 1 << 16
"""Addresses below are NULL, with the offset of a member: Linux lets nobody map anything there
(vm.mmap_min_addr, 64 KiB where nobody changed it)."""


class Access(StrEnum):
    """What an instruction does with the memory that its operand names."""

    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"


class PointerKind(StrEnum):
    """Where a value would point to, were it an address."""

    NULL = "NULL"
    """Below the lowest address that can be mapped (`NULL_PAGES`)."""
    STACK = "stack"
    """A thread's stack."""
    HEAP = "heap"
    """Writable memory without a file."""
    CODE = "code"
    DATA = "data"
    """A file's mapped data."""
    UNMAPPED = "unmapped"
    """A possible address at which nothing is mapped."""
    NO_ADDRESS = "no address"
    """No address at all: the upper 17 bits are not equal (x86-64)."""


class MessageKind(StrEnum):
    """Who left a message."""

    C_LIBRARY = "C library"
    """glibc's own words before it aborts."""
    PYTHON = "Python"
    """``Fatal Python error``."""
    CXX_EXCEPTION = "C++ exception"
    """Its type, and its text if it has one."""
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Register:
    """A register at the fault."""

    name: str
    value: int
    kind: PointerKind | None = None
    """None: nothing is known of the memory."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """A line of the disassembly."""

    address: int
    text: str
    """In Intel's syntax."""
    current: bool = False
    """It is the one that faulted."""


@dataclass(frozen=True, slots=True)
class Operand:
    """The memory operand of the faulting instruction."""

    text: str
    """``[rdi+0x18]``."""
    register: str | None = None
    """Its base register, if it has one."""
    value: int | None = None
    """What was in that register."""
    address: int | None = None
    """The address that it names."""
    access: Access | None = None
    size: int | None = None
    """Bytes."""
    object: str | None = None
    """What lies there, in words, if that is known."""


@dataclass(frozen=True, slots=True)
class Region:
    """The mapping that an address hits, or the one that is nearest to it."""

    hit: bool
    start: int
    end: int
    permissions: str
    """``rw-p``."""
    name: str
    """Path of the file, ``[stack]``, or empty for anonymous memory."""
    distance: int = 0
    """Bytes between the address and the nearest mapping; 0 if it is hit."""


@dataclass(frozen=True, slots=True)
class Crash:
    """What ended a process, or was about to when it was captured."""

    pid: Pid
    source: Source
    """``core``, ``faulthandler``, ``gdb``; ``procfs`` for a process that was caught alive."""
    tid: Pid | None = None
    """The thread that it came to. None: not recorded."""
    signal: int | None = None
    signal_name: str | None = None
    """``SIGSEGV``."""
    code: str | None = None
    """Why the kernel or a process sent it: ``SEGV_MAPERR``, ``SI_USER``."""
    address: int | None = None
    """The address of the access that failed; None where the signal has none."""
    sender_pid: Pid | None = None
    """Which process sent it, if one did."""
    pc: int | None = None
    """Where the program counter was."""
    stack: int | None = None
    """Where the stack pointer was."""
    instruction: str | None = None
    """The faulting instruction in Intel's syntax."""
    operand: Operand | None = None
    region: Region | None = None
    """What ``address`` hits or misses."""
    guard_distance: int | None = None
    """Bytes from the stack pointer up to the lower end of the thread's stack; negative below it.
    None: the stack is not known."""
    registers: tuple[Register, ...] = ()
    parameters: tuple[str, ...] = ()
    """The registers in which a function is given its first arguments, in order."""
    disassembly: tuple[Instruction, ...] = ()
    mappings: tuple[Region, ...] = ()
    """The mappings around the fault, by address."""
    bytes_at: int | None = None
    """Where ``data`` begins."""
    data: str = ""
    """Memory around the fault in hexadecimal, two digits per byte."""
    message: str | None = None
    """The last words: glibc's, Python's, or those of a C++ exception."""
    message_kind: MessageKind | None = None
    exception_type: str | None = None
    """The type of an uncaught C++ exception."""
    faulthandler: bool | None = None
    """Whether Python's faulthandler was on. None: not known."""
    memory_limit_hit: str | None = None
    """What says that memory ran out, in words."""
    file: str | None = None
    """The core file or log that it was read from."""
    core: str | None = None
    """The core file that was written for it."""
    text: str | None = None
    """The line of a log that says it."""
    extensions: tuple[str, ...] = ()
    """Extension modules that were loaded, without those of the standard library, if a log says."""

    @property
    def title(self) -> str:
        """``SIGSEGV (SEGV_MAPERR)``, or the message where no signal is known."""
        if self.signal_name is None:
            return self.message or "crash"
        return f"{self.signal_name} ({self.code})" if self.code else self.signal_name
