"""Follows a process and its children, lets every signal pass at once, and calls out at fatal ones.

One thread does all of it: the kernel takes requests only from the thread that seized.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from hangtui.backends.arch import of_kernel
from hangtui.backends.crash.signals import FATAL
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.monitor import requests
from hangtui.backends.process import processes
from hangtui.backends.procfs.files import numbers, status_of
from hangtui.backends.ptrace.requests import EVENT_STOP, WALL
from hangtui.backends.ptrace.stopped_threads import FrozenThread, SignalInfo
from hangtui.dataclass import dataclass
from hangtui.model import TargetError

_JOB_CONTROL = frozenset({signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU})
_FREEZE_LIMIT_S = 2.0
_FREEZE_STEP_S = 0.001
_DRAIN_LIMIT_S = 0.2
"""For what happens without a pause: then whoever else waits for us has a turn."""


@dataclass(frozen=True, slots=True)
class Fatal:
    """A process that a signal is about to end; all of its threads stand still meanwhile."""

    pid: int
    tid: int
    info: SignalInfo
    threads: tuple[FrozenThread, ...]


OnFatal = Callable[[Fatal], None]
OnSignal = Callable[[signal.struct_siginfo], None]


class Tracer:
    """Traces processes until they end.

    SIGCHLD and the signals that are *heard* must be blocked in the calling thread: they are waited
    for.
    """

    def __init__(self, on_fatal: OnFatal, heard: Mapping[int, OnSignal] | None = None) -> None:
        self._on_fatal = on_fatal
        self._heard = heard or {}
        self._held: dict[int, int] = {}
        """Threads that stand still for a capture: the signals they were about to get, by TID."""
        self.ended: dict[int, int] = {}
        """Wait statuses of followed processes that have ended, by PID."""
        self.followed: set[int] = set()
        """PIDs of the traced processes that have not ended."""

    def seize(self, pid: int) -> None:
        """Follow all threads of a running process, without stopping it.

        Raises:
            TargetError: it is gone, traced already, or may not be traced.
        """
        seized: set[int] = set()
        try:
            while new := set(numbers(Path(f"/proc/{pid}/task"))) - seized:
                for tid in new:
                    seized.add(tid)
                    _seize_one(tid, leader=tid == pid)
        except FileNotFoundError as error:
            raise processes.missing(pid) from error
        except PermissionError as error:
            raise TargetError(f"process {pid} may not be traced: {_why(pid)}") from error
        self.followed.add(pid)

    def seize_children(self, pid: int) -> None:
        """Follow all processes that a followed one has started before, as far as it is allowed.

        Those that it starts from now on are followed by themselves.
        """
        seized: set[int] = set()
        with contextlib.suppress(TargetError):  # it has ended meanwhile
            while new := set(processes.children(pid)) - seized:
                for child in new:
                    seized.add(child)
                    with contextlib.suppress(TargetError):
                        self.seize(child)

    def run_once(self, timeout_s: float) -> None:
        """Wait until something happens, at most *timeout_s* seconds, and deal with it."""
        # Who keeps us busy must not keep us from what we are told.
        timeout_s = 0.0 if self._drain() else timeout_s
        heard = signal.sigtimedwait({signal.SIGCHLD, *self._heard}, timeout_s)
        if heard is not None and heard.si_signo in self._heard:
            self._heard[heard.si_signo](heard)
        self._drain()

    def _drain(self) -> bool:
        """Deal with what has happened, for a while at most; whether there was anything."""
        happened, deadline = False, time.monotonic() + _DRAIN_LIMIT_S
        while time.monotonic() < deadline:
            try:
                tid, status = os.waitpid(-1, os.WNOHANG | WALL)
            except ChildProcessError:
                return happened
            if not tid:
                return happened
            happened = True
            self._deal_with(tid, status)
        return happened

    def _deal_with(self, tid: int, status: int) -> None:
        if not os.WIFSTOPPED(status):
            self._end(tid, status)
            return
        number, event = os.WSTOPSIG(status), status >> 16
        with contextlib.suppress(ProcessLookupError):
            if event == EVENT_STOP and number in _JOB_CONTROL:
                requests.listen(tid)
            elif event:
                self._note(tid)
                requests.go_on(tid)
            else:
                self._signal(tid, number)

    def _end(self, tid: int, status: int) -> None:
        """Take note of the end of a process; threads, and strangers that a container's first
        process is given, end in silence."""
        if tid in self.followed:
            self.followed.discard(tid)
            self.ended[tid] = status

    def _note(self, tid: int) -> None:
        """Remember a process that a followed one has started."""
        if tid not in self.followed and _leader(tid) == tid:
            self.followed.add(tid)

    def _signal(self, tid: int, number: int) -> None:
        """Pass a signal on; one that is about to end the process is called out before."""
        if number in FATAL:
            pid = _leader(tid)
            if pid is not None and _would_end(tid, number):
                self._call_out(pid, tid)
        requests.go_on(tid, number)

    def _call_out(self, pid: int, tid: int) -> None:
        self._held = {}
        try:
            self._freeze(pid, tid)
            with ProcessMemory(pid) as memory:
                threads = list(self._frozen(tid, memory))
            self._on_fatal(Fatal(pid, tid, requests.signal_info(tid), tuple(threads)))
        finally:
            for other, pending in self._held.items():
                with contextlib.suppress(ProcessLookupError):
                    requests.go_on(other, pending)
            self._held = {}

    def _frozen(self, crashed: int, memory: ProcessMemory) -> Iterator[FrozenThread]:
        arch = of_kernel()
        yield FrozenThread.of(crashed, requests.registers(crashed), arch, memory)
        for other in self._held:
            with contextlib.suppress(ProcessLookupError):
                yield FrozenThread.of(other, requests.registers(other), arch, memory)

    def _freeze(self, pid: int, crashed: int) -> None:
        """Stop the other threads of a process, and those that they start meanwhile."""
        deadline = time.monotonic() + _FREEZE_LIMIT_S
        asked = {crashed}
        while time.monotonic() < deadline:
            new = set(numbers(Path(f"/proc/{pid}/task"))) - asked
            if not new:
                return
            for tid in new:
                asked.add(tid)
                with contextlib.suppress(ProcessLookupError):
                    requests.interrupt(tid)
            self._await(new, deadline)

    def _await(self, tids: set[int], deadline: float) -> None:
        waiting = set(tids)
        while waiting and time.monotonic() < deadline:
            for tid in list(waiting):
                try:
                    stopped, status = os.waitpid(tid, os.WNOHANG | WALL)
                except ChildProcessError:
                    waiting.discard(tid)
                    continue
                if stopped:
                    waiting.discard(tid)
                    self._hold(tid, status)
            if waiting:
                time.sleep(_FREEZE_STEP_S)

    def _hold(self, tid: int, status: int) -> None:
        if not os.WIFSTOPPED(status):
            self._end(tid, status)
            return
        # A signal of its own that came first is given back afterwards.
        self._held[tid] = 0 if status >> 16 else os.WSTOPSIG(status)


def _seize_one(tid: int, *, leader: bool) -> None:
    try:
        requests.seize(tid)
    except PermissionError:
        # A thread or process that a followed one has just started is ours already.
        if status_of(Path(f"/proc/{tid}")).get("TracerPid") != str(os.getpid()):
            raise
    except ProcessLookupError:
        if leader:
            raise FileNotFoundError(tid) from None


def _leader(tid: int) -> int | None:
    try:
        return int(status_of(Path(f"/proc/{tid}"))["Tgid"])
    except (OSError, KeyError, ValueError):
        return None


def _would_end(tid: int, number: int) -> bool:
    """Whether a signal has neither a handler nor is ignored."""
    try:
        status = status_of(Path(f"/proc/{tid}"))
        handled = int(status["SigCgt"], 16) | int(status["SigIgn"], 16)
    except (OSError, KeyError, ValueError):
        return True
    return not handled >> (number - 1) & 1


def _why(pid: int) -> str:
    try:
        tracer = status_of(Path(f"/proc/{pid}")).get("TracerPid", "0")
    except OSError:
        tracer = "0"
    return f"process {tracer} traces it already" if tracer != "0" else "permission is missing"
