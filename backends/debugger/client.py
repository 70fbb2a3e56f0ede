"""The screens' end of a sitting: sends questions to the debugger's process, takes its answers."""

import asyncio
import time
from asyncio.subprocess import Process
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from hangtui.backends.debugger.wire import LENGTH, Opening, Question, Reply, pack
from hangtui.backends.tools import workers
from hangtui.debugger import (
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
from hangtui.model import PythonFrame, TargetError

_GRACE_S = 4.0
"""How long the debugger's process may take to let its target go: a moment longer than gdb gets."""
_T = TypeVar("_T")


class RemoteDebugger:
    """See ``Debugger``; made by ``open_debugger``."""

    def __init__(self, worker: Process) -> None:
        assert worker.stdin is not None
        assert worker.stdout is not None
        self._worker = worker
        self._input = worker.stdin
        self._output = worker.stdout
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._live = LiveState()
        self._heard_at = time.monotonic()
        self._about = ""
        self._changed: Callable[[LiveState], None] = lambda _state: None
        self._turn = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, opening: Opening) -> Self:
        """Start the debugger's process.

        Raises:
            TargetError: it cannot look at what it shall look at.
        """
        worker = await workers.start("hangtui.backends.debugger.worker")
        self = cls(worker)
        self._reader = asyncio.create_task(self._read())
        first = self._expect()
        self._input.write(pack(opening))
        try:
            _require(await first)
        except BaseException:
            await self.close()
            raise
        return self

    # -- Debugger ---------------------------------------------------------------------------------

    @property
    def live(self) -> LiveState:
        """As last heard, with the time that has gone by since then."""
        state, gone = self._live, time.monotonic() - self._heard_at
        left = state.resumes_in_s
        return replace(
            state,
            stopped_s=None if state.stopped_s is None else state.stopped_s + gone,
            resumes_in_s=None if left is None else max(left - gone, 0.0),
        )

    @property
    def about(self) -> str:
        """As last heard."""
        return self._about

    def watch(self, changed: Callable[[LiveState], None]) -> None:
        """See ``Debugger.watch``."""
        self._changed = changed

    async def stack(self, tid: int) -> Stack:
        """See ``Debugger.stack``."""
        return await self._ask(Stack, "stack", tid)

    async def registers(self, at: FrameRef) -> Registers:
        """See ``Debugger.registers``."""
        return await self._ask(Registers, "registers", at)

    async def native_variables(self, at: FrameRef) -> Variables:
        """See ``Debugger.native_variables``."""
        return await self._ask(Variables, "native_variables", at)

    async def python_variables(
        self, tid: int, index: int, frame: PythonFrame, full: bool
    ) -> Variables:
        """See ``Debugger.python_variables``."""
        return await self._ask(Variables, "python_variables", tid, index, frame, full)

    async def disassembly(self, at: FrameRef) -> Disassembly:
        """See ``Debugger.disassembly``."""
        return await self._ask(Disassembly, "disassembly", at)

    async def native_source(self, at: FrameRef) -> SourceText:
        """See ``Debugger.native_source``."""
        return await self._ask(SourceText, "native_source", at)

    async def python_source(self, frame: PythonFrame) -> SourceText:
        """See ``Debugger.python_source``."""
        return await self._ask(SourceText, "python_source", frame)

    async def memory(self, at: FrameRef, where: str, size: int = DUMP_SIZE) -> MemoryDump:
        """See ``Debugger.memory``."""
        return await self._ask(MemoryDump, "memory", at, where, size)

    async def lock(self, at: FrameRef, where: str, kind: LockKind | None) -> LockReading:
        """See ``Debugger.lock``."""
        return await self._ask(LockReading, "lock", at, where, kind)

    async def evaluate(self, at: FrameRef, expression: str) -> Output:
        """See ``Debugger.evaluate``."""
        return await self._ask(Output, "evaluate", at, expression)

    async def console(self, at: FrameRef, command: str) -> Output:
        """See ``Debugger.console``."""
        return await self._ask(Output, "console", at, command)

    async def complete(self, text: str) -> tuple[str, ...]:
        """See ``Debugger.complete``."""
        return tuple(await self._ask(list[str], "complete", text))

    async def stop(self) -> LiveState:
        """See ``Debugger.stop``."""
        return await self._ask(LiveState, "stop")

    async def go(self) -> LiveState:
        """See ``Debugger.go``."""
        return await self._ask(LiveState, "go")

    async def extend(self, seconds: float) -> LiveState:
        """See ``Debugger.extend``."""
        self._input.write(pack(Question(0, "extend", [seconds])))
        await self._drain()
        return self._live

    async def catch(self, signal: str) -> LiveState:
        """See ``Debugger.catch``."""
        return await self._ask(LiveState, "catch", signal)

    async def write_core(self, path: str) -> Output:
        """See ``Debugger.write_core``."""
        return await self._ask(Output, "write_core", absolute(path))

    async def close(self) -> None:
        """See ``Debugger.close``: first politely, then by force."""
        self._input.close()
        if self._worker.returncode is None:
            await workers.await_end(self._worker, _GRACE_S)
        if self._reader is not None:
            self._reader.cancel()

    # -- talking ----------------------------------------------------------------------------------

    async def _ask(self, kind: type[_T], method: str, *arguments: object) -> _T:
        async with self._turn:
            future = self._expect()
            number = self._number
            values = [msgspec.to_builtins(argument) for argument in arguments]
            self._input.write(pack(Question(number, method, values)))
            try:
                await self._drain()
                # A question given up is still answered; then the next one has its turn.
                reply = await asyncio.shield(future)
            except asyncio.CancelledError:
                self._input.write(pack(Question(0, "cancel", [number])))
                raise
            finally:
                self._waiting.pop(number, None)
        self._about = reply.about or self._about
        return msgspec.json.decode(_require(reply).value, type=kind)

    def _expect(self) -> "asyncio.Future[Reply]":
        self._number += 1
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = future
        return future

    async def _drain(self) -> None:
        try:
            await self._input.drain()
        except ConnectionError as error:
            raise TargetError("the debugger has ended") from error

    async def _read(self) -> None:
        try:
            while True:
                (length,) = LENGTH.unpack(await self._output.readexactly(LENGTH.size))
                body = await self._output.readexactly(length)
                reply = msgspec.json.decode(body, type=Reply)
                if not reply.number:
                    self._heard(msgspec.json.decode(reply.value, type=LiveState))
                elif (future := self._waiting.get(reply.number)) and not future.done():
                    future.set_result(reply)
        except asyncio.IncompleteReadError:
            pass
        finally:
            self._heard(
                LiveState(None, None, "", "the debugger has ended", self._live.past_ms, ended=True)
            )
            for future in self._waiting.values():
                if not future.done():
                    future.set_result(Reply(0, error="the debugger has ended"))

    def _heard(self, state: LiveState) -> None:
        self._live, self._heard_at = state, time.monotonic()
        self._changed(state)


def absolute(path: str) -> str:
    """The debugger's process has another current folder."""
    return str(Path(path).absolute())


def _require(reply: Reply) -> Reply:
    if reply.error is not None:
        raise TargetError(reply.error, reply.fix)
    return reply
