"""Whether threads stood still while they were read.

Memory that is read without a stop is exact for threads that did not run meanwhile, and only for
those. A waiter of the GIL wakes every 5 ms to ask for it; it is judged by the GIL and its holder.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from hangtui.backends.process.processes import ThreadCounter, counters
from hangtui.backends.procfs import thread_syscall
from hangtui.backends.procfs.files import PROC
from hangtui.backends.procfs.schedule import Schedule
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.procfs.transfers import transfers_of
from hangtui.dataclass import dataclass
from hangtui.model import Transfers

STEP_S = 0.025
"""How long to sleep between two looks while watching on, in seconds."""
_ASLEEP = "SDI"
"""The kernel's letters for sleep: interruptible, not interruptible, idle."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What a thread has used of processors. Facts that could not be read are None."""

    cpu_ns: int | None = None
    """Time since it was started, in nanoseconds."""
    runs: int | None = None
    """How often it was given one since it was started."""
    busy: float | None = None
    """The share of one processor while it was watched: 1.0 is all of it."""
    runnable: float | None = None
    """The share of that time in which it ran or was ready to: more than *busy* where there are more
    such threads than processors."""


class ThreadWatch(Protocol):
    """What is known of the rest and the places of a process's threads."""

    @property
    def lasted_ms(self) -> float | None:
        """How long they were watched; None: they cannot move."""

    def asleep(self) -> dict[int, BlockedThread]:
        """The threads that slept at first, and where."""

    def asleep_at_last(self) -> dict[int, BlockedThread]:
        """The threads that slept at last, and where."""

    def catch_asleep(self, tids: Iterable[int]) -> dict[int, BlockedThread]:
        """Where threads sleep that are awake for a moment every few milliseconds."""

    def go_on(self, milliseconds: float, tids: Iterable[int]) -> None:
        """Plan to watch on until this much time has passed since the start, or one of *tids* has
        run."""

    def finish(self) -> None:
        """Take the last reading."""

    def still(self, tid: int) -> bool:
        """Whether a thread never ran from the first reading to the last."""


class Watch:
    """Watches the threads of one process from its creation to ``finish``."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._started = time.monotonic()
        self._first: Mapping[int, ThreadCounter] = counters(pid)
        self._last: Mapping[int, ThreadCounter] = {}
        self._transfers = {tid: self._transfers_of(tid) for tid in self.running()}
        """Of those that used a processor at first."""
        self.lasted_ms = 0.0
        self._plans: list[tuple[float, tuple[int, ...]]] = []
        """Until when it is to be watched on for which threads."""

    def asleep(self) -> dict[int, BlockedThread]:
        """The threads that slept in the kernel at first, and where."""
        return _blocked(self._first)

    def asleep_at_last(self) -> dict[int, BlockedThread]:
        """The threads that slept in the kernel at last, and where."""
        return _blocked(self._last)

    def catch_asleep(self, tids: Iterable[int], attempts: int = 6) -> dict[int, BlockedThread]:
        """Where threads sleep that are awake for a moment every few milliseconds."""
        wanted, found = set(tids), dict[int, BlockedThread]()
        for attempt in range(attempts):
            if wanted <= found.keys():
                break
            if attempt:
                time.sleep(0.001)
            found |= _blocked(counters(self._pid, wanted - found.keys()))
        return found

    def go_on(self, milliseconds: float, tids: Iterable[int]) -> None:
        """Plan to watch on until this much time has passed since the start, or one of *tids* has
        run."""
        self._plans.append((self._started + milliseconds / 1000, tuple(tids)))

    @property
    def left_s(self) -> float:
        """How long it is planned to watch on."""
        return max((until for until, _ in self._plans), default=0.0) - time.monotonic()

    def look(self) -> None:
        """Drop the plans whose time has passed, and those one of whose threads has run."""
        now = time.monotonic()
        open_plans = [plan for plan in self._plans if plan[0] > now]
        tids = {tid for _, some in open_plans for tid in some}
        seen = counters(self._pid, tids) if tids else {}
        moved = {tid for tid in tids if not unmoved(self._first.get(tid), seen.get(tid))}
        self._plans = [plan for plan in open_plans if moved.isdisjoint(plan[1])]

    def finish(self) -> None:
        """Take the last reading."""
        self._last = counters(self._pid)
        self.lasted_ms = (time.monotonic() - self._started) * 1000

    def still(self, tid: int) -> bool:
        """Whether a thread slept from the first reading to the last without ever running."""
        return unmoved(self._first.get(tid), self._last.get(tid))

    @property
    def counted(self) -> Collection[ThreadCounter]:
        """What the kernel told of the threads at first."""
        return self._first.values()

    @property
    def steady(self) -> bool:
        """Whether there were the same threads at last as at first."""
        return self._first.keys() == self._last.keys()

    def running(self) -> list[int]:
        """The threads that used a processor, or were about to, at first."""
        return [tid for tid, reading in self._first.items() if reading.state == "R"]

    def transfers(self, tid: int) -> tuple[Transfers | None, Transfers | None]:
        """What a thread has read and written by now, and what of that since the watch began; None:
        that is not known."""
        first, last = self._transfers.get(tid), self._transfers_of(tid)
        return last, last.since(first) if first is not None and last is not None else None

    def _transfers_of(self, tid: int) -> Transfers | None:
        return transfers_of(PROC / str(self._pid) / "task" / str(tid))

    def uninterruptible(self) -> set[int]:
        """The threads that waited for a device or a file system, or the like, at first."""
        return {tid for tid, reading in self._first.items() if reading.state == "D"}

    def effort(self, tid: int) -> Effort:
        """What a thread has used of processors."""
        if (at_last := self._last.get(tid)) is None:
            return Effort()
        at_first, last = self._first.get(tid), at_last.schedule
        first = at_first.schedule if at_first else Schedule()
        if None in (first.cpu_ns, last.cpu_ns, first.queued_ns, last.queued_ns):
            return Effort(last.cpu_ns, last.runs)
        used_ns = (last.cpu_ns or 0) - (first.cpu_ns or 0)
        queued_ns = (last.queued_ns or 0) - (first.queued_ns or 0)
        # Time in the queue is counted when it ends: who got no processor was in it throughout.
        if at_first and at_first.state == at_last.state == "R" and used_ns == queued_ns == 0:
            return Effort(last.cpu_ns, last.runs, 0.0, 1.0)
        watched_ns = 1e6 * max(self.lasted_ms, 1.0)
        busy, runnable = used_ns / watched_ns, (used_ns + queued_ns) / watched_ns
        return Effort(last.cpu_ns, last.runs, min(1.0, busy), min(1.0, runnable))


def _blocked(readings: Mapping[int, ThreadCounter]) -> dict[int, BlockedThread]:
    parsed = {tid: thread_syscall.parse(reading.syscall) for tid, reading in readings.items()}
    return {tid: where for tid, where in parsed.items() if where is not None}


def unmoved(first: ThreadCounter | None, last: ThreadCounter | None) -> bool:
    """A counter of runs that cannot be read proves nothing.

    Nor does the rest of a thread that is stopped or traced (T, t): what the kernel then shows as
    its system call may have returned already.
    """
    if first is None or last is None or first.schedule.runs is None:
        return False
    return first.state in _ASLEEP and first == last
