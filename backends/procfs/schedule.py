"""How often a thread was given a processor, and for how long."""

import contextlib
from pathlib import Path

from hangtui.backends.procfs.files import stat_of, status_of, text
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """What the kernel counts. Facts that it does not tell are None."""

    runs: int | None = None
    """How often it was given a processor, or left one: either moves whenever it runs."""
    cpu_ns: int | None = None
    """Processor time it used."""
    queued_ns: int | None = None
    """Time that it was ready to run and waited for a processor."""


def schedule_of(task: Path) -> Schedule:
    """The counters of the thread with this folder in ``/proc``.

    Raises:
        FileNotFoundError, ProcessLookupError: the thread is gone.
        ValueError, IndexError: a file is not as the kernel writes it.
    """
    with contextlib.suppress(FileNotFoundError):  # a kernel built without CONFIG_SCHED_INFO
        words = (text(task / "schedstat") or "").split()
        if words:
            return Schedule(int(words[2]), int(words[0]), int(words[1]))
    status = status_of(task)
    switches = [status.get(f"{kind}_ctxt_switches") for kind in ("voluntary", "nonvoluntary")]
    known = [int(count) for count in switches if count]
    return Schedule(sum(known) if len(known) == 2 else None, int(stat_of(task).processor_s * 1e9))
