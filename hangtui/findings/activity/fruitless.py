"""A busy thread that reads again and again and gets nothing, or writes and gets rid of nothing."""

from typing import NamedTuple

from hangtui.findings.activity.busy_thread import BusyThread
from hangtui.findings.thresholds import SPIN_S

_MANY = 1000
"""Calls in a second, or in one look, that move nothing: nobody makes as many who waits in
between."""
_READS = (
    " What it reads from is at its end, or has nothing for it by now and does not have it wait: a "
    "pipe all of whose writers have closed it gives an empty value at once, each time."
)
_WRITES = (
    " What it writes to takes nothing by now, and does not have it wait: a pipe that is full, or a "
    "terminal whose output is stopped, as by XOFF."
)
_END = (
    "Have the loop end where a read gives nothing (b'' of bytes, '' of text), or wait until "
    "something is there (select(), a read that blocks) before it reads again."
)
_ROOM = (
    "Have the loop wait until there is room (select()), with a bound, and see whether whoever is "
    "to read at the other end does so."
)


class Fruitless(NamedTuple):
    """What such a thread does."""

    says: str
    """``86,421 calls of read(2) in 2 s brought nothing``."""
    why: str
    advice: str
    lasts: bool
    """It did so for a second or more: one short look may have met it in the middle of a try."""


def fruitless(case: BusyThread) -> Fruitless | None:
    """Of one that did so as long as it was watched, and nothing else of that kind; else None."""
    progress, moved, many = case.progress, case.thread.moved, _MANY
    lasts = progress is not None and progress.lasted_s >= SPIN_S
    during = "while it was watched"
    if progress is not None and lasts:
        moved, many = progress.transfers, int(_MANY * progress.lasted_s)
        during = f"in {progress.lasted_s:.0f} s"
    if moved is None:
        return None
    for calls, count, does, brought, why, advice in (
        (moved.reads, moved.read_bytes, "read(2)", "brought", _READS, _END),
        (moved.writes, moved.written_bytes, "write(2)", "got rid of", _WRITES, _ROOM),
    ):
        if calls >= many and not count:
            says = f"{calls:,} calls of {does} {during} {brought} nothing"
            return Fruitless(says, why, advice, lasts)
    return None
