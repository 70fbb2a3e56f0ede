"""Tells when a process may hang, at next to no cost: by its threads' run counters alone.

A thread that waits for the GIL wakes 200 times a second for ever, and a healthy server has threads
that never wake: so this only says when a look is worth its price. Whether it is a hang, the
capture shows.
"""

import time
from dataclasses import field
from pathlib import Path

from hangtui.backends.procfs.files import numbers
from hangtui.backends.procfs.schedule import schedule_of
from hangtui.dataclass import dataclass

_IDLE_SHARE = 0.01
"""Of one core: below it a process as a whole makes no progress."""
_LONGEST_S = 600.0
"""Between two looks at a process in which nothing was wrong."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """A process that is worth a look."""

    pid: int
    for_s: float
    whole: bool
    """The whole process did next to nothing; else only some of its threads did."""
    ran_since: bool = False
    """It was found before, and has run since."""


@dataclass(slots=True)
class _Watched:
    since: float
    """Since when the whole process did next to nothing."""
    cpu_ns: int = 0
    """What it had used by then."""
    threads: dict[int, tuple[int, float]] = field(default_factory=dict)
    """By TID: how often it ran, and since when it did not."""
    wait_s: float = 0.0
    next_look: float = 0.0
    found: bool = False
    ran_since: bool = False
    """Since it was found."""


class Patience:
    """Watches processes; *hang_after_s*: how long nothing may happen."""

    def __init__(self, hang_after_s: float) -> None:
        self._limit = hang_after_s
        self._watched: dict[int, _Watched] = {}
        self.interval_s = min(max(hang_after_s / 4, 0.25), 15.0)

    def look(self, pids: set[int]) -> list[Stuck]:
        """Those of *pids* that are worth a look now."""
        now = time.monotonic()
        self._watched = {pid: w for pid, w in self._watched.items() if pid in pids}
        found = (self._look_at(pid, now) for pid in pids)
        return [stuck for stuck in found if stuck is not None]

    def nothing_wrong(self, pid: int) -> None:
        """The look was in vain: the next one comes later."""
        watched = self._watched.get(pid)
        if watched is not None:
            watched.wait_s = min(max(2 * watched.wait_s, self._limit), _LONGEST_S)
            watched.next_look = time.monotonic() + watched.wait_s

    def was_found(self, pid: int) -> None:
        """It hangs, and is known to: it is not worth a look any more, unless it runs again."""
        watched = self._watched.get(pid)
        if watched is not None:
            watched.next_look = float("inf")
            watched.found, watched.ran_since = True, False

    def _look_at(self, pid: int, now: float) -> Stuck | None:
        watched = self._watched.setdefault(pid, _Watched(now))
        readings = _readings(pid)
        if not readings:
            return None
        used = sum(cpu for cpu, _ in readings.values())
        if used - watched.cpu_ns > _IDLE_SHARE * max(now - watched.since, self.interval_s) * 1e9:
            watched.since, watched.cpu_ns = now, used
            watched.ran_since = watched.found
            if watched.next_look == float("inf"):
                watched.next_look = 0.0
        quiet = self._quiet(watched, readings, now)
        whole = now - watched.since
        if now < watched.next_look:
            return None
        if whole >= self._limit:
            return Stuck(pid, whole, whole=True, ran_since=watched.ran_since)
        if quiet < self._limit:
            return None
        return Stuck(pid, quiet, whole=False, ran_since=watched.ran_since)

    @staticmethod
    def _quiet(watched: _Watched, readings: dict[int, tuple[int, int]], now: float) -> float:
        """For how long the most quiet thread has not run."""
        before, watched.threads = watched.threads, {}
        for tid, (_, runs) in readings.items():
            known = before.get(tid)
            same = known is not None and known[0] == runs
            watched.threads[tid] = known if same and known else (runs, now)
        return max(now - since for _, since in watched.threads.values())


def _readings(pid: int) -> dict[int, tuple[int, int]]:
    """Processor time in nanoseconds and number of runs of each thread."""
    root = Path(f"/proc/{pid}/task")
    found = {}
    try:
        for tid in numbers(root):
            schedule = schedule_of(root / str(tid))
            if schedule.cpu_ns is not None and schedule.runs is not None:
                found[tid] = schedule.cpu_ns, schedule.runs
    except (OSError, ValueError, IndexError):
        pass
    return found
