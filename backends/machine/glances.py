"""What /proc lists of every Python process: asked often, so that what stays is asked once."""

import contextlib
import time

from hangtui.backends.process.discovery import is_named_python, own_pids
from hangtui.backends.process.processes import read_process
from hangtui.backends.procfs.files import PROC, numbers, stat_of
from hangtui.backends.procfs.stat import TICKS_PER_S
from hangtui.dataclass import dataclass
from hangtui.model import Process, Sighting, TargetError, clean

_MOST_WORDS = 400
"""Characters of a command line that a list has a use for."""
_TRIES, _AGAIN = 3, 15
"""A process that was just started may still become another program; later few do."""


@dataclass(frozen=True, slots=True)
class _Known:
    started: int
    process: Process


class Glances:
    """Remembers who is Python, and what of them does not change."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._others: dict[int, int] = {}
        """Those that are not Python: how often they were passed by."""

    def look(self) -> list[Sighting]:
        """All of them now, without hangtui's own."""
        ours, found = own_pids(), []
        alive = set(numbers(PROC))
        for memory in (self._known, self._others):
            for gone in memory.keys() - alive:
                del memory[gone]
        for pid in alive - ours:
            if pid in self._known or self._is_python(pid):
                with contextlib.suppress(OSError, ValueError, IndexError, KeyError, TargetError):
                    found.append(self._sighting(pid))
        return found

    def _is_python(self, pid: int) -> bool:
        passed = self._others.get(pid, 0)
        self._others[pid] = passed + 1
        if passed >= _TRIES and passed % _AGAIN:
            return False
        if not is_named_python(pid):
            return False
        del self._others[pid]
        return True

    def _sighting(self, pid: int) -> Sighting:
        stat = stat_of(PROC / str(pid))
        known = self._known.get(pid)
        if known is None or known.started != stat.started or stat.state in "ZX":
            self._known.pop(pid, None)
            if stat.state in "ZX":
                raise TargetError(f"process {pid} has ended")
            known = self._known[pid] = _Known(stat.started, read_process(pid))
        process = known.process
        return Sighting(
            pid=pid,
            started=stat.started,
            title=clean(process.title),
            cmdline=" ".join(process.cmdline)[:_MOST_WORDS],
            user=process.user,
            container=process.container,
            age_s=max(time.clock_gettime(time.CLOCK_BOOTTIME) - stat.started / TICKS_PER_S, 0.0),
            state=stat.state,
            threads=stat.threads,
            processor_s=stat.processor_s,
        )
