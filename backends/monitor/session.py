"""Keeps watch beside processes until they end, and hands out what it captures."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from hangtui.backends.capture import subjects
from hangtui.backends.capture.collector import collect
from hangtui.backends.monitor import caught
from hangtui.backends.monitor.corewriter import write_core
from hangtui.backends.monitor.hang_detector import Patience, Stuck
from hangtui.backends.monitor.memory_watch import INTERVAL_S, MemoryWatch
from hangtui.backends.monitor.tracer import Fatal, OnSignal, Tracer
from hangtui.backends.permission import access, credentials
from hangtui.backends.supervision.flat import decode
from hangtui.backends.supervision.supervisor import Reader
from hangtui.dataclass import dataclass
from hangtui.model import Capture, Crash, HangtuiError, Source
from hangtui.provider import CaptureRequest

_JUDGED_AT_ONCE = 4
"""Captures in one look; the next look takes the others. Meanwhile nothing that the processes do is
dealt with."""
_MAX_CRASHES = 10
"""Captured in one session: a pool whose workers crash again and again must not be held up."""


class Occasion(StrEnum):
    """Why something was captured."""

    CRASH = "crash"
    STILL = "no progress"
    """It may hang; whether it does, the findings say."""
    MEMORY = "memory"
    """It comes near its memory limit."""
    KILLED = "killed"
    """The kernel killed it for want of memory."""


@dataclass(frozen=True, slots=True)
class Caught:
    """A capture and its occasion."""

    occasion: Occasion
    pid: int
    capture: Capture
    stuck: Stuck | None = None


Receiver = Callable[[Caught], bool]
"""Takes a capture; whether it found something wrong."""
Trouble = Callable[[str], None]
"""Told what could not be captured."""


class Session:
    """Watches over processes; all methods belong to one thread, with SIGCHLD blocked.

    *heard*: what to do with other signals, which are blocked too.
    """

    def __init__(
        self,
        receive: Receiver,
        trouble: Trouble,
        hang_after_s: float | None = None,
        core: Path | None = None,
        heard: Mapping[int, OnSignal] | None = None,
    ) -> None:
        self._core = core
        self._receive = receive
        self._trouble = trouble
        self._patience = Patience(hang_after_s) if hang_after_s else None
        self._memory = MemoryWatch()
        self._near: dict[int, Capture] = {}
        self._unread: set[int] = set()
        """Of which it was said that they cannot be read."""
        self._crashes = 0
        self._next_memory = self._next_patience = 0.0
        self.tracer = Tracer(self._on_fatal, heard)

    def watch(self, *pids: int) -> dict[int, int]:
        """Watch until all of *pids* have ended; their wait statuses, as far as we got them."""
        interval = min(INTERVAL_S, self._patience.interval_s if self._patience else INTERVAL_S)
        statuses: dict[int, int] = {}
        while self.tracer.followed.intersection(pids):
            self.tracer.run_once(interval)
            self._look()
            statuses |= self._after_ends()
        return {pid: statuses[pid] for pid in pids if pid in statuses}

    def _after_ends(self) -> dict[int, int]:
        """Explain the ends that have come; their wait statuses."""
        ended, self.tracer.ended = self.tracer.ended, {}
        for pid, status in ended.items():
            self._explain_end(pid, status)
            self._memory.forget(pid)
            self._near.pop(pid, None)
            self._unread.discard(pid)
        return ended

    # -- crashes --------------------------------------------------------------------------------

    def _on_fatal(self, fatal: Fatal) -> None:
        self._crashes += 1
        if self._crashes > _MAX_CRASHES:
            return
        try:
            capture = caught.capture(fatal, socket.gethostname())
        except HangtuiError as error:
            self._trouble(f"the crash of process {fatal.pid} was not captured: {error.message}")
            return
        except Exception as error:  # noqa: BLE001  whatever happens, the target must run on
            self._trouble(f"the crash of process {fatal.pid} was not captured: {error!r}")
            return
        self._receive(Caught(Occasion.CRASH, fatal.pid, self._with_core(fatal, capture)))

    def _with_core(self, fatal: Fatal, capture: Capture) -> Capture:
        """Write the core file that is wished for, of the first crash."""
        path, self._core = self._core, None
        if path is None or capture.crash is None:
            return capture
        try:
            write_core(path, fatal)
        except HangtuiError as error:
            self._trouble(f"hangtui: no core file: {error.message}")
            return capture
        return replace(capture, crash=replace(capture.crash, core=str(path.absolute())))

    def _explain_end(self, pid: int, status: int) -> None:
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            return
        reason = self._memory.killed_for_memory(pid)
        if reason is None:
            return
        crash = Crash(
            pid=pid,
            source=Source.PROCFS,
            signal=int(signal.SIGKILL),
            signal_name="SIGKILL",
            memory_limit_hit=reason,
            text=self._memory.growth(pid),
        )
        last = self._near.get(pid)
        if last is not None:
            self._receive(Caught(Occasion.KILLED, pid, replace(last, crash=crash)))
        else:
            self._trouble(f"process {pid} was killed for lack of memory: {reason}")

    # -- what does not go on --------------------------------------------------------------------

    def _look(self) -> None:
        now = time.monotonic()
        if now >= self._next_memory:
            self._next_memory = now + INTERVAL_S
            for pid in self._memory.look(self.tracer.followed):
                self._keep_for_memory(pid)
        if self._patience is not None and now >= self._next_patience:
            self._next_patience = now + self._patience.interval_s
            found = self._patience.look(self.tracer.followed)
            for stuck in sorted(found, key=lambda one: one.for_s, reverse=True)[:_JUDGED_AT_ONCE]:
                self._judge(self._patience, stuck)

    def _keep_for_memory(self, pid: int) -> None:
        capture, _ = self._captured(pid)
        if capture is not None:
            self._near[pid] = capture

    def _judge(self, patience: Patience, stuck: Stuck) -> None:
        capture, why = self._captured(stuck.pid)
        found = capture is not None and self._receive(
            Caught(Occasion.STILL, stuck.pid, capture, stuck)
        )
        if found:
            patience.was_found(stuck.pid)
        else:
            patience.nothing_wrong(stuck.pid)
            if stuck.whole:
                self._say_unread(stuck, capture, why)

    def _say_unread(self, stuck: Stuck, capture: Capture | None, why: str) -> None:
        """Say once of a process that makes no progress if its memory could not be read."""
        process = capture.process(stuck.pid) if capture else None
        if stuck.pid in self._unread or (process and subjects.MEMORY not in process.incomplete):
            return
        self._unread.add(stuck.pid)
        notices = capture.notices if capture else ()
        why = next((one.message for one in notices if one.pid == stuck.pid), why)
        told = f"process {stuck.pid}: no progress for {stuck.for_s:.0f} s, and why is not known"
        self._trouble(f"hangtui: {told}: {why}")

    def _captured(self, pid: int) -> tuple[Capture | None, str]:
        """A capture of it, as far as there is one, and why there is no more."""
        last: Capture | None = None
        why = "it cannot be read"
        try:
            for capture in _read(CaptureRequest((pid,), children=True)):
                last = capture
        except HangtuiError as error:
            why = error.message
        if last is None:
            return None, why
        us = os.getpid()
        processes = tuple(caught.without_tracer(process, us) for process in last.processes)
        notices = tuple(n for n in last.notices if n.tracer_pid != us)
        return replace(last, processes=processes, notices=notices), why


def _read(request: CaptureRequest) -> Iterator[Capture]:
    """Captures by a process of its own, which may be held up by what it reads.

    Where Yama lets only parents read a process, ours, nobody but us can do it.
    """
    if access.yama_scope() and not credentials.read("self").may(credentials.SYS_PTRACE):
        yield from collect(request)
        return
    with Reader() as reader:
        yield from map(decode, reader.take(request))


@contextmanager
def waiting_for_children(*others: int) -> Iterator[set[int]]:
    """Block SIGCHLD and *others*, which a `Session` waits for; the mask that was before."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *others})
    try:
        yield before
    finally:
        while others and signal.sigtimedwait(others, 0):  # typed when nobody waited any more
            pass
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
