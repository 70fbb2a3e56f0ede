"""The interface through which screens ask a debugger."""

from collections.abc import Callable, Mapping
from typing import Protocol

from hangtui.debugger.answers import (
    DUMP_SIZE,
    Disassembly,
    FrameRef,
    LiveState,
    LockKind,
    LockReading,
    MemoryDump,
    Output,
    Registers,
    SourceText,
    Stack,
    Variables,
)
from hangtui.model import PythonFrame
from hangtui.powers import Powers


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
