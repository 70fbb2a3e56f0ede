"""The last captures of a sitting, thread by thread: over which of them it ran, and which not."""

from collections.abc import Mapping
from enum import Enum

from hangtui.analysis.progress import unmoved
from hangtui.model import GilState, Thread

LONGEST = 6
"""So many captures back; more would tell of another time."""


class Sight(Enum):
    """What the counters of the kernel say of a thread between two captures."""

    STOOD = "stood"
    RAN = "ran"
    UNKNOWN = "unknown"
    """Nobody counted, or it was not there."""


Strip = tuple[Sight, ...]
"""Oldest first."""


def longer(
    before: Mapping[str, Thread], threads: Mapping[str, Thread], strips: Mapping[str, Strip]
) -> dict[str, Strip]:
    """*strips*, up to the capture whose threads are *before*, up to that of *threads*."""
    found: dict[str, Strip] = {}
    shared: dict[Strip, Strip] = {}  # thousands of threads did the same
    for node_id, thread in threads.items():
        strip = (*strips.get(node_id, ()), _sight(before.get(node_id), thread))[-LONGEST:]
        found[node_id] = shared.setdefault(strip, strip)
    return found


def _sight(before: Thread | None, thread: Thread) -> Sight:
    if before is None or None in (before.runs, thread.runs, before.cpu_ns, thread.cpu_ns):
        return Sight.UNKNOWN
    if unmoved(before, thread):
        return Sight.STOOD
    # Who waits for the GIL wakes up all the time to ask for it.
    waits = before.gil is thread.gil is GilState.WAITS
    return Sight.UNKNOWN if waits else Sight.RAN
