"""A live process in gdb's hands: stopped, let go, or running until it gets a signal.

However the sitting ends, the process runs on: gdb detaches at the end of its input and on SIGHUP,
if it dies the kernel lets the process go, and a guard of its own sees to both.
"""

import contextlib
import os
import re
import time
import weakref
from collections.abc import Callable
from pathlib import Path

from hangtui import private_file
from hangtui.backends.debugger.copy import Examined
from hangtui.backends.debugger.sysroot import gather
from hangtui.backends.debugger.target import Target
from hangtui.backends.gdb import safety
from hangtui.backends.gdb.commands import GdbCommand, Typed
from hangtui.backends.gdb.commands import console as command
from hangtui.backends.gdb.start import Walls
from hangtui.backends.gdb.watchdog_client import Keeper
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.minicore.sysroot import walls_for
from hangtui.debugger import STOP_S, LiveState, Output
from hangtui.model import TargetError, clean

_RESCUE_S = 0.3
_SIGNAL = re.compile(r"(?:SIG)?[A-Z0-9+]{2,12}")
_STOPPED = re.compile(rb'^\*stopped(?:,reason="(?P<reason>[^"]*)")?')
_NAME = re.compile(rb'signal-name="(?P<name>[^"]*)"')


class Held(Examined):
    """A process under gdb, from ``stop`` to ``go``.

    Raises:
        TargetError: gdb must not or cannot attach to it.
    """

    unsure: frozenset[int] = frozenset()

    def __init__(self, target: Target, changed: Callable[[LiveState], None]) -> None:
        super().__init__(target)
        pid = target.pid
        if (refused := safety.refusal(pid)) is not None:
            raise TargetError(refused.message, refused.fix)
        try:
            self._process = os.pidfd_open(pid)
        except ProcessLookupError as error:
            raise TargetError(f"process {pid} is gone") from error
        weakref.finalize(self, os.close, self._process)
        self.about = "the stopped process"
        self._changed = changed
        self._stopped_at: float | None = None
        self._resume_at: float | None = None
        self._waiting = ""
        self._note = ""
        walls = Walls.NONE if walls_for(pid) is Walls.NONE else Walls.DEVICES
        self._start(
            lambda: gather(target.memory, walls, attaches=True),
            (GdbCommand("set auto-solib-add off"), GdbCommand("set mi-async on")),
        )
        self._keeper: Keeper | None = None
        try:
            self._keeper = self._watched(pid)
            self._attach(pid)
        except BaseException:
            self.close()
            raise

    def _watched(self, pid: int) -> Keeper:
        try:
            return Keeper(self.gdb.pid, pid)
        except OSError as error:
            raise TargetError(f"the guard of gdb does not start: {error}") from error

    def _dismiss(self) -> None:
        if self._keeper is not None:
            self._keeper.dismiss()
            self._keeper = None

    def _attach(self, pid: int) -> None:
        # SIGINT is not among "all"; gdb would keep it to itself.
        self._open(
            command("handle all nostop noprint pass"), command("handle SIGINT nostop noprint pass")
        )
        # Whoever has this PID by now is not to be stopped; nor, a moment later, to be looked at.
        self._require_the_same()
        self._stop_clock_begins()
        self.gdb.ask(GdbCommand("-target-attach", pid))
        self._require_the_same()
        self.tell()

    def _require_the_same(self) -> None:
        memory = self._target.memory
        if isinstance(memory, ProcessMemory) and memory.is_gone:
            raise TargetError(f"process {self._target.pid} ended, or became another program")

    def _stop_clock_begins(self) -> None:
        now = time.monotonic()
        self._stopped_at, self._waiting = now, ""
        self.resume_at(now + STOP_S)

    @property
    def state(self) -> LiveState:
        """Whether it stands still, and for how long yet."""
        now = time.monotonic()
        return LiveState(
            None if self._stopped_at is None else now - self._stopped_at,
            None if self._resume_at is None else max(self._resume_at - now, 0.0),
            self._waiting,
            self._note,
        )

    @property
    def overdue(self) -> bool:
        """Whether its time is up."""
        return self._resume_at is not None and time.monotonic() >= self._resume_at

    def resume_at(self, moment: float) -> None:
        """Let it go at *moment* of the monotonic clock; may be called from another thread."""
        if self._stopped_at is not None:
            self._resume_at = moment
            self.gdb.give_up_at(moment)
            self.tell()

    def tell(self, note: str | None = None) -> None:
        """Tell whoever watches."""
        if note is not None:
            self._note = note
        self._changed(self.state)

    def catch(self, signal: str) -> None:
        """Let it run until it gets *signal*.

        Raises:
            TargetError: there is no such signal, or it does not run on.
        """
        name = signal.strip().upper()
        if not _SIGNAL.fullmatch(name):
            raise TargetError(f"{clean(signal, 40)} is not a signal", "for example SIGUSR1")
        name = name if name.startswith("SIG") else f"SIG{name}"
        self.gdb.console("catch signal", Typed(name))
        self.native.forget()
        self.gdb.changes.clear()
        self._stopped_at = self._resume_at = None
        self._waiting = name
        self.gdb.give_up_at(None)
        self.gdb.ask(GdbCommand("-exec-continue"))
        self.tell("")

    def listen(self) -> None:
        """Notice that the signal has come, or that the process has ended."""
        if not self._waiting:
            return
        self.gdb.listen()
        for record in self.gdb.changes:
            if (found := _STOPPED.match(record)) is None:
                continue
            if (found["reason"] or b"").startswith(b"exited"):
                self._waiting = ""
                self.tell("the process has ended")
                raise TargetError("the process has ended")
            name = _NAME.search(record)
            came = clean(name["name"].decode()) if name else self._waiting
            self._stop_clock_begins()
            self.tell(f"{came} has come")
        self.gdb.changes.clear()

    def write_core(self, path: Path) -> Output:
        """A core file of the stopped process, readable by its owner only; all of it or nothing.

        Raises:
            TargetError: the file exists, or cannot be written in time.
        """
        try:
            with private_file.writing(path, replace=False) as file:
                # gdb gets a name of our own making, and what it leaves half-written gets none.
                place = f"/proc/{os.getpid()}/fd/{file.fileno()}"
                self.gdb.console("generate-core-file", Typed(place))
        except OSError as error:
            reason = error.strerror or str(error)
            raise TargetError(f"cannot write {clean(str(path))}: {reason}") from error
        return Output("")

    def go(self, note: str) -> None:
        """Let it run."""
        if self._stopped_at is not None and not self.gdb.ended:
            self.gdb.give_up_at(None)
            with contextlib.suppress(TargetError):
                self.gdb.ask(GdbCommand("-target-detach"))
                self._dismiss()
        self.close()
        self.tell(note)

    def close(self) -> None:
        """End gdb, which detaches; see that the process runs."""
        attached = self._stopped_at is not None or bool(self._waiting)
        orderly = not self.gdb.ended
        super().close()
        if attached:
            safety.let_run(self._target.pid, 0 if orderly else _RESCUE_S, self._process)
        self._dismiss()
        self._stopped_at = self._resume_at = None
        self._waiting = ""
