"""What a debugger answers about one process, and the interface through which screens ask it.

All text in answers is cleaned where it was read. Addresses are the target's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from hangtui.model import NativeFrame, PythonFrame
from hangtui.powers import Powers

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


class Debugger(Protocol):
    """A sitting with one process or core file.

    Each question raises TargetError with a reason when its answer cannot be had; that costs this
    answer alone. Only one question is worked on at a time; cancelling one interrupts it.
    """

    @property
    def live(self) -> LiveState:
        """Whether the target stands still for us, as last heard."""

    @property
    def about(self) -> str:
        """What the answers come from: a copy, the stopped process, a core file."""

    def watch(self, changed: Callable[[LiveState], None]) -> None:
        """Have *changed* called whenever the target is stopped or let go."""

    async def stack(self, tid: int) -> Stack:
        """The native frames of a thread."""

    async def registers(self, at: FrameRef) -> Registers:
        """The registers of a frame, and what they point to."""

    async def native_variables(self, at: FrameRef) -> Variables:
        """Arguments and locals by debug information."""

    async def python_variables(
        self, tid: int, index: int, frame: PythonFrame, full: bool
    ) -> Variables:
        """Locals of the Python frame *index* (0: innermost), which the screen shows as *frame*."""

    async def disassembly(self, at: FrameRef) -> Disassembly:
        """The instructions around a frame's program counter."""

    async def native_source(self, at: FrameRef) -> SourceText:
        """The source around a frame's line."""

    async def python_source(self, frame: PythonFrame) -> SourceText:
        """The source around a Python frame's line."""

    async def memory(self, at: FrameRef, where: str, size: int = DUMP_SIZE) -> MemoryDump:
        """Memory at *where*: a number, a register as ``$rdi``, or an expression."""

    async def lock(self, at: FrameRef, where: str, kind: LockKind | None) -> LockReading:
        """Memory at *where* read as a lock; without *kind*, as the one that fits.

        Without *where*: what the thread waits for.
        """

    async def evaluate(self, at: FrameRef, expression: str) -> Output:
        """The value of a C expression in a frame."""

    async def console(self, at: FrameRef, command: str) -> Output:
        """What gdb prints for a command."""

    async def complete(self, text: str) -> tuple[str, ...]:
        """How gdb would complete a command."""

    async def stop(self) -> LiveState:
        """Stop the target, until it is let go or its time is up."""

    async def go(self) -> LiveState:
        """Let the target run."""

    async def extend(self, seconds: float) -> LiveState:
        """Let it stand still for longer, counted from now."""

    async def catch(self, signal: str) -> LiveState:
        """Let the target run until it gets *signal*, and stop it there."""

    async def write_core(self, path: str) -> Output:
        """Write a core file of the stopped target."""

    async def close(self) -> None:
        """Let go of the target and end."""


class DebuggerFactory(Protocol):
    """Opens debuggers for the processes of a capture."""

    @property
    def powers(self) -> Powers:
        """What they may do beyond looking."""

    def refusal(self, pid: int) -> str | None:
        """Why there can be no debugger for this process; None: there can."""

    def stop_refusal(self, pid: int) -> str | None:
        """Why the process cannot be stopped; None: it can."""

    async def open(self, pid: int, names: Mapping[int, str]) -> Debugger:
        """Begin a sitting; *names*: of the threads by TID. Nothing is stopped for it.

        Raises:
            TargetError: the process cannot be looked into.
        """
