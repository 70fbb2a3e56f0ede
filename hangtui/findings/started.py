"""Collective operations that a rank has started and waits for later: what gloo's threads run."""

import re

from hangtui.findings.collectives import STARTED, collective, ends_group
from hangtui.model import Process, Thread

_RUNS = re.compile(r"c10d::(?:\(anonymous namespace\)::)?Async([A-Z]\w*?)(?:Coalesced|CUDA)?Work::")
"""The classes of torch whose methods a thread of gloo runs in an operation."""
_NAMES = {
    "Allgather": "all_gather",
    "Allreduce": "all_reduce",
    "Alltoall": "all_to_all",
    "Barrier": "barrier",
    "Broadcast": "broadcast",
    "Gather": "gather",
    "Reduce": "reduce",
    "ReduceScatter": "reduce_scatter",
    "Scatter": "scatter",
}
AT_THE_END = " (started before its process group ends)"


def operation_of(thread: Thread, rank: Process) -> str | None:
    """The collective operation that a thread of *rank* is inside of, or for the end of which it
    waits: that is known where one alone is under way."""
    called = collective(thread)
    ends = called is None and ends_group(thread)
    if called is not STARTED and not ends:
        return called
    running = {name for one in rank.threads if (name := _running(one))}
    if len(running) != 1:
        return called
    return f"{running.pop()}{AT_THE_END if ends else ''}"


def _running(thread: Thread) -> str | None:
    for frame in thread.native_stack or ():
        if frame.function and (found := _RUNS.match(frame.function)):
            return _NAMES.get(found[1])
    return None
