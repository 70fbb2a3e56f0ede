"""A session with one target: each question is answered by whoever can, gdb or our own readers."""

import contextlib
from dataclasses import replace

from hangtui.backends.debugger import python, sources
from hangtui.backends.debugger.examining import Examining
from hangtui.backends.debugger.lockfinder import LockFinder
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.tools import programs
from hangtui.debugger import (
    DUMP_SIZE,
    Disassembly,
    FrameRef,
    LockKind,
    LockReading,
    MemoryDump,
    Output,
    Registers,
    SourceText,
    Stack,
    Variables,
)
from hangtui.model import NativeFrame, PythonFrame, TargetError

_MAX_DUMP = 1 << 16
_UNSURE = (
    "only program counter, stack pointer and the call's arguments are known: "
    "a stop would have broken its call"
)


class DebugSession(Examining):
    """Answers questions about a target.

    Every question raises TargetError with the reason why there is no answer.
    """

    def stack(self, tid: int) -> Stack:
        """See ``Debugger.stack``."""
        stack = self._gdb(tid).native.stack(tid)
        return replace(stack, frames=tuple(map(self._with_module, stack.frames)))

    def _with_module(self, frame: NativeFrame) -> NativeFrame:
        image = self._images.at(frame.address)
        if image is None:
            return frame
        return replace(frame, module=image.path, offset=frame.address - image.bias)

    def registers(self, at: FrameRef) -> Registers:
        """See ``Debugger.registers``."""
        self._refresh()
        if self._held is None and programs.find("gdb") is None:
            bare = self._without_gdb()
            found, note = bare.registers(at), _UNSURE if bare.is_unsure(at.tid) else ""
        else:
            examined = self._gdb(at.tid)
            found, note = examined.native.registers(at)
            if at.tid in examined.unsure:
                its = self._target.memory.arch.registers
                known = (its.program_counter, its.stack_pointer, *its.arguments)
                found = tuple(register for register in found if register.name in known)
                note = note or _UNSURE
        pointing = tuple(
            register
            if register.name == self._target.memory.arch.registers.flags
            else replace(register, pointee=self._pointers.pointee(register.value))
            for register in found
        )
        names = self._target.memory.arch.registers
        return Registers(pointing, note, names.program_counter, names.parameters[0])

    def native_variables(self, at: FrameRef) -> Variables:
        """See ``Debugger.native_variables``."""
        examined = self._gdb(at.tid)
        found, note = examined.native.variables(at)
        if at.tid in examined.unsure:
            note = note or f"{_UNSURE}; values may be wrong"
        return Variables(f"arguments and locals of #{at.number}", found, note)

    def python_variables(self, tid: int, index: int, frame: PythonFrame, full: bool) -> Variables:
        """See ``Debugger.python_variables``."""
        self._refresh()
        return python.variables(
            self._target.memory, self._images, self._target.tids(), tid, (index, frame), full=full
        )

    def disassembly(self, at: FrameRef) -> Disassembly:
        """See ``Debugger.disassembly``."""
        return self._gdb(at.tid).native.disassembly(at)

    def native_source(self, at: FrameRef) -> SourceText:
        """See ``Debugger.native_source``."""
        native = self._gdb(at.tid).native
        frame = native.source_place(at)
        assert frame.file is not None
        assert frame.line is not None
        return self._source(frame.file, frame.line)

    def python_source(self, frame: PythonFrame) -> SourceText:
        """See ``Debugger.python_source``."""
        return self._source(frame.filename, frame.line or 1)

    def _source(self, path: str, line: int) -> SourceText:
        live = self._target.is_live
        started = sources.started_at(self._target.pid) if live else None
        return sources.read(self._target.sources, path, line, started)

    def memory(self, at: FrameRef, where: str, size: int = DUMP_SIZE) -> MemoryDump:
        """See ``Debugger.memory``."""
        self._refresh()
        address = self._address(at, where)
        if not 0 < size <= _MAX_DUMP:
            raise TargetError(f"{size} bytes are not shown at once")
        pointee = self._pointers.pointee(address)
        for count in (size, min(size, PAGE - address % PAGE)):
            with contextlib.suppress(MemoryReadError):
                data = self._target.memory.fresh(address, count)
                note = "" if count == size else "nothing is mapped beyond it"
                return MemoryDump(address, data, pointee, note)
        raise TargetError(f"no memory can be read at {address:#x}")

    def lock(self, at: FrameRef, where: str, kind: LockKind | None) -> LockReading:
        """See ``Debugger.lock``."""
        self._refresh()
        finder = LockFinder(self._target, self._images, self._pointers, self._names)
        if not where:
            return finder.awaited(at.tid)
        return finder.at(at.tid, self._address(at, where), kind)

    def _address(self, at: FrameRef, where: str) -> int:
        try:
            return int(where.strip(), 0)
        except ValueError:
            return self._gdb(at.tid).native.number(at, self._gate.expression(where))

    def evaluate(self, at: FrameRef, expression: str) -> Output:
        """See ``Debugger.evaluate``."""
        return self._gdb(at.tid).native.evaluate(at, self._gate.expression(expression))

    def console(self, at: FrameRef, command: str) -> Output:
        """See ``Debugger.console``."""
        try:
            line = self._gate.line(command, live=self._held is not None)
        except TargetError as refused:
            return Output(refused.message, ok=False)
        examined = self._gdb(at.tid)
        examined.know_all()
        return examined.native.console(at, line)

    def complete(self, text: str) -> tuple[str, ...]:
        """See ``Debugger.complete``."""
        return self._gate.completions(text, self._complete)

    def _complete(self, text: str) -> tuple[str, ...]:
        return self._gdb().native.complete(text)
