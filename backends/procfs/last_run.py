"""How long ago a process ran last, by the scheduler's clocks: each processor has its own.

That clock (``rq_clock_task``, kernel/sched/core.c) leaves out the time that the hypervisor gave to
others and, if the kernel was built to count it, the time of interrupts. On a shared machine two
processors differ by seconds after some hours. So the clock of the very processor is read, by
running on it for a moment. Where that is not allowed, ``/proc/stat`` tells roughly how much each
has lost: on some virtual machines it is a second off after two hours.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hangtui.backends.procfs.files import PROC, stat_of, text
from hangtui.backends.procfs.stat import TICKS_PER_S

_SELF = PROC / "thread-self"
_EXEC_START = re.compile(r"^se\.exec_start +: +([\d.]+)$", re.MULTILINE)
"""In ``/proc/PID/sched``: when its time was last counted, in ms of its processor's clock."""
_ATTEMPTS = 5
"""Looks at our own clock; one is in vain if we were moved to another processor meanwhile."""
_START_S, _DRIFT = 3.0, 1e-4
"""How far such a clock and CLOCK_MONOTONIC may be apart but for what was lost: they begin at
different moments of the boot, and NTP corrects one of them (by at most 500 ppm at a time, 10 to 50
on the average)."""


class _Lost(NamedTuple):
    """Seconds since boot that a processor's clock may have left out."""

    stolen: float
    interrupts: float


def seconds_since(root: Path) -> float:
    """How many seconds ago the process of that folder of /proc ran last; of a range, the least.

    Raises:
        FileNotFoundError, ProcessLookupError: the process is gone.
        LookupError, ValueError: the kernel does not tell.
    """
    processor, ran = stat_of(root).processor, _exec_start(root)
    with _running_on(processor):
        here, now = _here()
    lost = _lost()
    then, since = lost[processor], lost[here]
    # What its processor lost after it had ended counts as lost before, which makes this less.
    age = now - ran + since.stolen - then.stolen
    with_interrupts = age + since.interrupts - then.interrupts
    counts = _leaves_out_interrupts(now, since)
    if counts is None:
        return max(0.0, min(age, with_interrupts))
    return max(0.0, with_interrupts if counts else age)


@contextmanager
def _running_on(processor: int) -> Iterator[None]:
    """Run this thread on one processor, if that is possible."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {processor})
    except (OSError, ValueError):  # it is offline, or not one of those that we may run on
        yield
        return
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _leaves_out_interrupts(now: float, lost: _Lost) -> bool | None:
    """Whether the kernel counts the time of interrupts (CONFIG_IRQ_TIME_ACCOUNTING) and leaves it
    out of a clock that says *now*; None: there were too few of them to tell."""
    uptime = time.clock_gettime(time.CLOCK_MONOTONIC)
    apart = uptime - now - lost.stolen
    unsure = _START_S + _DRIFT * uptime
    if lost.interrupts <= 2 * unsure:
        return None
    return abs(apart - lost.interrupts) < abs(apart)


def _here() -> tuple[int, float]:
    """The processor that we run on, and its clock in seconds."""
    for _ in range(_ATTEMPTS):
        processor, now = stat_of(_SELF).processor, _exec_start(_SELF)
        if stat_of(_SELF).processor == processor:
            return processor, now
    raise LookupError("moved from one processor to the next")


def _exec_start(root: Path) -> float:
    found = _EXEC_START.search(text(root / "sched") or "")
    if not found:
        raise LookupError("no se.exec_start")
    return float(found[1]) / 1000


def _lost() -> dict[int, _Lost]:
    """By processor; its line in /proc/stat: user nice system idle iowait irq softirq steal ..."""
    result = {}
    for line in (text(PROC / "stat") or "").splitlines():
        name, *ticks = line.split()
        if name.startswith("cpu") and name != "cpu" and len(ticks) > 7:
            irq, softirq, steal = (int(one) / TICKS_PER_S for one in ticks[5:8])
            result[int(name[3:])] = _Lost(steal, irq + softirq)
    return result
