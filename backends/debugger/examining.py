"""Who answers questions about a target: gdb on a copy of it, on the stopped process or on a core
file, or our own reader of registers where there is no gdb.

gdb is started when it is first needed, and so is the copy of a live process that it works on.
"""

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from hangtui.backends.debugger.bare import Bare
from hangtui.backends.debugger.copy import Copy, Core
from hangtui.backends.debugger.gate import Gate
from hangtui.backends.debugger.live_process import Held
from hangtui.backends.debugger.pointers import Pointers
from hangtui.backends.debugger.target import CoreTarget, Target
from hangtui.backends.elf.images import Images
from hangtui.debugger import LiveState, Output
from hangtui.model import TargetError, clean
from hangtui.powers import USUAL, Powers


class Examining:
    """Has *target* examined; *names*: of its threads by TID; *powers*: what it may do."""

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

    def _without_gdb(self) -> Bare:
        """What stands in for gdb where there is none: registers alone."""
        if self._bare is None:
            self._gate.require_stop(live=self._target.is_live)
            self._bare = Bare(self._target)
            self._past_ms += self._bare.stopped_ms
            self._pointers.know_stacks(self._bare.stack_pointers())
            self._tell(LiveState())
        return self._bare

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
