"""A sitting with one target: each question is answered by whoever can, gdb or our own readers.

gdb is started when it is first needed, and so is the copy of a live process that it works on.
"""

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from hangtui.backends.debugger import python, sources
from hangtui.backends.debugger.bare import Bare
from hangtui.backends.debugger.copy import Copy, Core
from hangtui.backends.debugger.gate import Gate
from hangtui.backends.debugger.live_process import Held
from hangtui.backends.debugger.lockfinder import LockFinder
from hangtui.backends.debugger.pointers import Pointers
from hangtui.backends.debugger.target import CoreTarget, Target
from hangtui.backends.elf.image import Images
from hangtui.backends.memory.reader import MemoryReadError
from hangtui.backends.ptrace.stopped_threads import ARGUMENT_NAMES
from hangtui.backends.tools import programs
from hangtui.debugger import (
    DUMP_SIZE,
    Disassembly,
    FrameRef,
    LiveState,
    LockKind,
    LockReading,
    MemoryDump,
    Output,
    Register,
    Registers,
    SourceText,
    Stack,
    Variables,
)
from hangtui.model import NativeFrame, PythonFrame, TargetError, clean
from hangtui.powers import USUAL, Powers

_MAX_DUMP = 1 << 16
_UNSURE = "only rip, rsp and the call's arguments are known: a stop would have broken its call"


class Sitting:
    """Answers questions about *target*; *names*: of its threads by TID; *powers*: what it may do.

    Every question raises TargetError with the reason why there is no answer.
    """

    def __init__(
        self,
        target: Target,
        names: Mapping[int, str],
        changed: Callable[[LiveState], None],
        powers: Powers = USUAL,
    ) -> None:
        self._target = target
        self._gate = Gate(powers)
        self._images = Images(target.memory)
        self._names = {**target.thread_names(), **names}
        self._changed = changed
        self._pointers = Pointers(target.memory, self._images, self._names)
        self._still: Copy | Core | None = None
        self._bare: Bare | None = None
        self._held: Held | None = None
        self._past_ms = 0.0

    # -- who answers ------------------------------------------------------------------------------

    def about(self) -> str:
        """What native answers come from."""
        examined = self._held or self._still or self._bare
        return examined.about if examined else ""

    def _gdb(self, tid: int | None = None) -> Copy | Core | Held:
        """The gdb that answers, which knows the libraries on the stack of *tid*."""
        examined: Copy | Core | Held
        if self._held is not None:
            if self._held.state.waiting_for:
                raise TargetError("the process runs until it gets the signal", "R: wait no more")
            examined = self._held
        else:
            if self._still is None or self._still.gdb.ended:
                self._still = self._open()
            examined = self._still
        if tid is not None:
            examined.know(tid)
        return examined

    def _open(self) -> Copy | Core:
        still: Copy | Core
        if isinstance(self._target, CoreTarget):
            still = Core(self._target)
        else:
            self._gate.require_stop(live=True)
            still = Copy(self._target)
            self._past_ms += still.stopped_ms
            self._tell(LiveState())
        self._know_stacks(still)
        return still

    def _tell(self, state: LiveState) -> None:
        self._changed(replace(state, past_ms=self._past_ms))

    def _know_stacks(self, examined: Copy | Core | Held) -> None:
        with contextlib.suppress(TargetError):
            self._pointers.know_stacks(examined.native.stack_pointers())

    def _refresh(self) -> None:
        """Let nothing be remembered of a target that may have gone on."""
        if self._target.is_live:
            self._target.memory.forget()

    # -- questions --------------------------------------------------------------------------------

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
            found, note = self._bare_registers(at)
        else:
            examined = self._gdb(at.tid)
            found, note = examined.native.registers(at)
            if at.tid in examined.unsure:
                known = ("rip", "rsp", *ARGUMENT_NAMES)
                found = tuple(register for register in found if register.name in known)
                note = note or _UNSURE
        pointing = tuple(
            register
            if register.name == "eflags"
            else replace(register, pointee=self._pointers.pointee(register.value))
            for register in found
        )
        return Registers(pointing, note)

    def _bare_registers(self, at: FrameRef) -> tuple[tuple[Register, ...], str]:
        if self._bare is None:
            self._gate.require_stop(live=self._target.is_live)
            self._bare = Bare(self._target)
            self._past_ms += self._bare.stopped_ms
            self._pointers.know_stacks(self._bare.stack_pointers())
            self._tell(LiveState())
        return self._bare.registers(at), _UNSURE if self._bare.is_unsure(at.tid) else ""

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
        for count in (size, min(size, 4096 - address % 4096)):
            with contextlib.suppress(MemoryReadError):
                data = self._target.memory.fresh(address, count)
                note = "" if count == size else "behind it nothing is mapped"
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

    # -- the live process -------------------------------------------------------------------------

    @property
    def live(self) -> LiveState:
        """Whether the process is in our hands."""
        state = self._held.state if self._held else LiveState()
        return replace(state, past_ms=self._past_ms)

    def stop(self) -> LiveState:
        """See ``Debugger.stop``."""
        if not self._target.is_live:
            raise TargetError("there is no process to stop: this is a core file")
        self._gate.require_stop(live=True)
        if self._held is None:
            self._held = Held(self._target, self._tell)
            self._know_stacks(self._held)
        return self.live

    def go(self, note: str = "it runs again") -> LiveState:
        """See ``Debugger.go``."""
        if self._held is not None:
            held, self._held = self._held, None
            self._past_ms += 1000 * (held.state.stopped_s or 0.0)
            held.go(note)
            self._leave_copy()
        return replace(self.live, note=note)

    def extend(self, seconds: float) -> None:
        """See ``Debugger.extend``; may be called from another thread."""
        held = self._held
        if held is not None:
            held.resume_at(time.monotonic() + seconds)

    def catch(self, signal: str) -> LiveState:
        """See ``Debugger.catch``."""
        if self._held is None:
            raise TargetError("the process is not stopped", "stop it first")
        self._past_ms += 1000 * (self._held.state.stopped_s or 0.0)
        self._held.catch(signal)
        return self.live

    def write_core(self, path: str) -> Output:
        """See ``Debugger.write_core``."""
        if self._held is None:
            raise TargetError("the process is not stopped", "stop it first")
        place = self._gate.place(path)
        output = self._held.write_core(place)
        return Output(output.text or f"wrote {clean(str(place))}")

    def tick(self) -> None:
        """To be called every now and then: lets the process go when its time is up."""
        if self._held is None:
            return
        if self._held.overdue:
            self.go("its time was up: it runs again")
            return
        try:
            self._held.listen()
        except TargetError as error:
            self.go(error.message)

    def interrupt(self) -> None:
        """Give up the present question; may be called from another thread."""
        for examined in (self._held, self._still):
            if examined is not None:
                examined.gdb.interrupt()

    def _leave_copy(self) -> None:
        """The copy shows a moment before the process ran on."""
        if self._still is not None:
            self._still.close()
            self._still = None

    def close(self) -> None:
        """Let go of everything."""
        if self._held is not None:
            self._held.close()
        self._leave_copy()
        self._target.close()
