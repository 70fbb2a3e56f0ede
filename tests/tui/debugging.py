"""A debugger that answers from literals, and remembers what it was asked."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from hangtui.debugger import (
    DUMP_SIZE,
    STOP_S,
    Disassembly,
    Field,
    FrameRef,
    Instruction,
    LiveState,
    LockKind,
    LockReading,
    MemoryDump,
    Output,
    Pointee,
    Region,
    Register,
    Registers,
    SourceText,
    Stack,
    Variable,
    Variables,
)
from hangtui.model import NativeFrame, PythonFrame, TargetError
from hangtui.powers import USUAL, Powers
from tests.tui import samples

RDI = 0x7F1C33AC
LOCK = 0x7F1C33A0


class FakeDebugger:
    """Answers at once, unless *slow* is set: then when that event is."""

    def __init__(self, failure: TargetError | None = None, text: str = "") -> None:
        self.failure = failure
        self.text = text
        self.asked: list[tuple[object, ...]] = []
        self.closed = False
        self.cancelled = 0
        self.slow: asyncio.Event | None = None
        self.about = "copy of 12:04:51, stopped 1.4 ms for it"
        self._state = LiveState()
        self._changed: Callable[[LiveState], None] = lambda _state: None

    @property
    def live(self) -> LiveState:
        return self._state

    def watch(self, changed: Callable[[LiveState], None]) -> None:
        self._changed = changed

    def become(self, state: LiveState) -> LiveState:
        self._state = state
        self._changed(state)
        return state

    async def _question(self, *question: object) -> None:
        self.asked.append(question)
        if self.slow is not None:
            try:
                await self.slow.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        if self.failure is not None:
            raise self.failure

    async def stack(self, tid: int) -> Stack:
        await self._question("stack", tid)
        return Stack((NativeFrame("spin", "/srv/app/spin.so", 0x1000, "/srv/spin.c", 7),))

    async def registers(self, at: FrameRef) -> Registers:
        await self._question("registers", at)
        return Registers(
            (
                Register(
                    "rip", 0x7F1200001000, Pointee(Region.CODE, f"futex + 70  libc{self.text}")
                ),
                Register("rsp", 0x7F3300001000, Pointee(Region.STACK, "worker-a 41880", 41880)),
                Register("rdi", RDI, Pointee(Region.MAPPED, "anonymous rw-p"), inner=True),
                Register("eflags", 0x246, text="PF ZF IF"),
            ),
            program_counter="rip",
            parameter="rdi",
        )

    async def native_variables(self, at: FrameRef) -> Variables:
        await self._question("native_variables", at)
        return Variables(
            f"arguments and locals of #{at.number}",
            (Variable("futex_word", "int *", f"0x7f1c33ac{self.text}", argument=True),),
        )

    async def python_variables(
        self, tid: int, index: int, frame: PythonFrame, full: bool
    ) -> Variables:
        await self._question("python_variables", tid, index, frame.function, full)
        return Variables(
            f"Python locals of {frame.function}",
            (
                Variable("self", "Cache", "at 0x7f1c33f0", address=0x7F1C33F0),
                Variable(".db_lock", "_thread.lock", "locked", depth=1, address=LOCK),
                Variable(f"name{self.text}", "str", f"'{'long ' * (9 if full else 1)}{self.text}'"),
            ),
        )

    async def disassembly(self, at: FrameRef) -> Disassembly:
        await self._question("disassembly", at)
        return Disassembly(
            tuple(
                Instruction(0x1000 + i, f"nop{self.text}", f"futex + {i}", current=i == 30)
                for i in range(60)
            )
        )

    async def native_source(self, at: FrameRef) -> SourceText:
        await self._question("native_source", at)
        lines = tuple(f"c line {number}{self.text}" for number in range(1, 41))
        return SourceText("/srv/futex.c", 1, lines, 22)

    async def python_source(self, frame: PythonFrame) -> SourceText:
        await self._question("python_source", frame.function)
        lines = tuple(f"line {number}{self.text}" for number in range(60, 121))
        return SourceText(frame.filename, 60, lines, frame.line, "the file is NEWER")

    async def memory(self, at: FrameRef, where: str, size: int = DUMP_SIZE) -> MemoryDump:
        await self._question("memory", where, size, at.tid)
        return MemoryDump(LOCK, bytes(range(48)), Pointee(Region.HEAP, self.text))

    async def lock(self, at: FrameRef, where: str, kind: LockKind | None) -> LockReading:
        await self._question("lock", at.tid, where, kind)
        return LockReading(
            kind or LockKind.RWLOCK,
            LOCK,
            f"db_lock{self.text}",
            f"held to write by worker-a (TID 41880){self.text}",
            (Field("__cur_writer", 24, "41880", f"worker-a{self.text}"),),
            owner=41880,
            owner_name="worker-a",
            note="thread 41873 sleeps on its word",
        )

    async def evaluate(self, at: FrameRef, expression: str) -> Output:
        await self._question("evaluate", at.tid, expression)
        return Output("1")

    async def console(self, at: FrameRef, command: str) -> Output:
        await self._question("console", at.tid, command)
        return Output(f"answer to {command}{self.text}\nsecond line")

    async def complete(self, text: str) -> tuple[str, ...]:
        await self._question("complete", text)
        return tuple(match for match in ("info threads", "info thrush") if match.startswith(text))

    async def stop(self) -> LiveState:
        await self._question("stop")
        return self.become(LiveState(0.0, STOP_S))

    async def go(self) -> LiveState:
        await self._question("go")
        return self.become(LiveState(note="it runs again", past_ms=4000.0))

    async def extend(self, seconds: float) -> LiveState:
        await self._question("extend", seconds)
        return self.become(replace(self._state, resumes_in_s=seconds))

    async def catch(self, signal: str) -> LiveState:
        await self._question("catch", signal)
        return self.become(LiveState(waiting_for=signal))

    async def write_core(self, path: str) -> Output:
        await self._question("write_core", path)
        return Output("Saved corefile")

    async def close(self) -> None:
        self.closed = True
        self._changed(LiveState(note="the debugger has ended", ended=True))


class FakeDebuggers:
    """Opens *debugger* for every process."""

    def __init__(
        self, debugger: FakeDebugger, *, live: bool = True, powers: Powers = USUAL
    ) -> None:
        self.powers = powers
        self.debugger = debugger
        self.opened: list[tuple[int, Mapping[int, str]]] = []
        self._live = live

    def refusal(self, pid: int) -> str | None:
        return None if pid == samples.PID else "no such process here"

    def stop_refusal(self, pid: int) -> str | None:  # noqa: ARG002
        return None if self._live else "There is no process to stop."

    async def open(self, pid: int, names: Mapping[int, str]) -> FakeDebugger:
        self.opened.append((pid, names))
        return self.debugger
