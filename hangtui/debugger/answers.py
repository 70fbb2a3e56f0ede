"""What a debugger answers about one process.

All text in answers is cleaned where it was read. Addresses are the target's.
"""

from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model import NativeFrame

STOP_S = 30.0
"""How long a stopped target stands still before it is let go by itself, in seconds."""
DUMP_SIZE = 256
"""Bytes of memory that are shown at a time."""


@dataclass(frozen=True, slots=True)
class FrameRef:
    """One native frame of one thread."""

    tid: int
    number: int = 0
    """0 for the innermost."""
    address: int | None = None
    """Its program counter on the screen, to notice that the thread has moved since."""


class Region(StrEnum):
    """What kind of memory an address lies in."""

    NULL = "NULL"
    CODE = "code"
    DATA = "data"
    STACK = "stack"
    HEAP = "heap"
    OBJECT = "object"
    """A Python object begins there."""
    MAPPED = "mapped"
    """Other memory of the process."""


@dataclass(frozen=True, slots=True)
class Pointee:
    """What a number points to, if it is taken for an address."""

    region: Region
    text: str
    """``libc.so.6 __futex_abstimed_wait + 70``, ``stack of launcher``, ``dict``."""
    tid: int | None = None
    """The thread whose stack it is."""


@dataclass(frozen=True, slots=True)
class Register:
    """A register as one frame had it."""

    name: str
    value: int
    pointee: Pointee | None = None
    text: str = ""
    """The value in words, where it has any: the flags that are set."""
    inner: bool = False
    """Not saved by the frames that were called: the value is the innermost frame's."""


@dataclass(frozen=True, slots=True)
class Registers:
    """The registers of a frame."""

    registers: tuple[Register, ...]
    note: str = ""
    program_counter: str = ""
    """Which of them has the address of the next instruction."""
    parameter: str = ""
    """Which of them is given a function's first argument."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An argument or a local variable."""

    name: str
    type: str
    value: str
    argument: bool = False
    depth: int = 0
    """1 for an attribute or item of the variable above."""
    address: int | None = None
    """Where its value lies, if that is an object of its own."""


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of a frame."""

    title: str
    variables: tuple[Variable, ...]
    note: str = ""
    """What is missing, or how far the values can be trusted."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One machine instruction."""

    address: int
    text: str
    place: str
    """``copy_memory + 70``."""
    current: bool = False


@dataclass(frozen=True, slots=True)
class Disassembly:
    """The instructions around a frame's program counter."""

    instructions: tuple[Instruction, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """Lines of a source file."""

    path: str
    first: int
    """The number of the first of *lines*, 1-based."""
    lines: tuple[str, ...]
    current: int | None = None
    note: str = ""
    """Why it may not be what runs: changed since the process started, or not found."""


@dataclass(frozen=True, slots=True)
class MemoryDump:
    """Bytes at an address."""

    address: int
    data: bytes
    pointee: Pointee | None = None
    note: str = ""


class LockKind(StrEnum):
    """The locks of the C library whose memory can be read as fields."""

    MUTEX = "mutex"
    RWLOCK = "rwlock"
    CONDITION = "condition"
    SEMAPHORE = "semaphore"
    BARRIER = "barrier"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a structure."""

    name: str
    offset: int
    value: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class LockReading:
    """Memory read as a lock."""

    kind: LockKind
    address: int
    name: str
    """``context_lock in libfakedriver.so``; empty: no symbol."""
    sentence: str
    """What its state means."""
    fields: tuple[Field, ...]
    owner: int | None = None
    """The TID that it records as its owner, as the capturing host numbers threads."""
    owner_name: str = ""
    plausible: bool = True
    """False: the fields contradict one another, so that it is no such lock."""
    note: str = ""
    """How its address was found."""


@dataclass(frozen=True, slots=True)
class Output:
    """What gdb printed."""

    text: str
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Stack:
    """A thread's native stack as gdb unwinds it."""

    frames: tuple[NativeFrame, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class LiveState:
    """Whether the target is in our hands."""

    stopped_s: float | None = None
    """For how long it has stood still; None: it runs."""
    resumes_in_s: float | None = None
    """When it is let go by itself; None: it runs, or a signal is waited for."""
    waiting_for: str = ""
    """The signal that is waited for, while the target runs."""
    note: str = ""
    """What happened last."""
    past_ms: float = 0.0
    """For how long it stood still before, for copies too, in milliseconds."""
    ended: bool = False
    """The debugger itself has gone."""
