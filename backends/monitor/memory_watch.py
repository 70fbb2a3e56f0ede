"""Watches the memory of processes, so that it can be said afterwards that they ran out of it."""

import time
from collections import deque
from dataclasses import field
from pathlib import Path

from hangtui.backends.linux import PAGE
from hangtui.backends.process.cgroup import MemoryGroup, group_of
from hangtui.backends.procfs.files import text
from hangtui.dataclass import dataclass
from hangtui.model import clean

INTERVAL_S = 1.0
_SAMPLES = 600
_NEAR = 0.85
"""Of the limit: from here on a look at the process is worth its price."""
_AT_ONCE = 256
"""Processes in one look: some 0.2 ms each, during which nothing else is dealt with."""


@dataclass(slots=True)
class _Watched:
    group: MemoryGroup | None = None
    kills: int = 0
    samples: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=_SAMPLES))
    told: bool = False


class MemoryWatch:
    """The memory of followed processes over time."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._left: set[int] = set()
        """Whose turn comes in the looks after this one."""

    def look(self, pids: set[int]) -> list[int]:
        """Take a sample of each, or of thousands in turns.

        Returns:
            PIDs of those that come near their limit for the first time.
        """
        near = []
        if self._left.isdisjoint(pids):
            self._left = set(pids)
        turn = sorted(self._left.intersection(pids))[:_AT_ONCE]
        self._left.difference_update(turn)
        for pid in turn:
            watched = self._watched.setdefault(pid, _Watched())
            resident = _resident(pid)
            if resident is None:
                continue
            watched.samples.append((time.monotonic(), resident))
            self._refresh(pid, watched)
            group = watched.group
            if group and group.limit and not watched.told and resident > _NEAR * group.limit / 2:
                used = group.used()
                if used is not None and used > _NEAR * group.limit:
                    watched.told = True
                    near.append(pid)
        return near

    @staticmethod
    def _refresh(pid: int, watched: _Watched) -> None:
        group = group_of(pid)
        if group is not None and (watched.group is None or group.folder != watched.group.folder):
            watched.group, watched.kills = group, group.kills() or 0

    def killed_for_memory(self, pid: int) -> str | None:
        """What says that the kernel killed it for want of memory; None: nothing does."""
        watched = self._watched.get(pid)
        if watched is None or watched.group is None:
            return None
        kills = watched.group.kills()
        if kills is None or kills <= watched.kills:
            return None
        limit = watched.group.limit
        size = f", whose limit is {mebibytes(limit)}" if limit else ""
        folder = clean(str(watched.group.folder))
        return f"the kernel counts one more OOM kill in its cgroup {folder}{size}"

    def forget(self, pid: int) -> None:
        """It has ended, and what there is to say of its end is said."""
        self._watched.pop(pid, None)

    def growth(self, pid: int) -> str | None:
        """How its resident memory grew, in words; None: it did not, or is not known."""
        watched = self._watched.get(pid)
        if watched is None or len(watched.samples) < 3:
            return None
        # The first one may be from before the program was loaded.
        (start, first), (end, last) = watched.samples[1], watched.samples[-1]
        if last <= 1.5 * first:
            return None
        grown = f"from {mebibytes(first)} to {mebibytes(last)} within {end - start:.0f} s"
        return f"its resident memory (RSS) grew {grown}"


def mebibytes(size: int) -> str:
    """``300 MiB``."""
    return f"{size / 2**20:.0f} MiB"


def _resident(pid: int) -> int | None:
    try:
        words = (text(Path(f"/proc/{pid}/statm")) or "").split()
        return int(words[1]) * PAGE
    except (OSError, ValueError, IndexError):
        return None
