"""Collective operations that a rank has started and waits for later: what gloo's threads run."""

import re
from collections.abc import Iterable

from hangtui.findings.collectives import STARTED, awaits_future, collective, ends_group
from hangtui.findings.roles import runs_remote_calls
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
_LOOP, _RUN_LOOP = "pt_gloo_runloop", "c10d::ProcessGroupGloo::runLoop"
AT_THE_END = " (started before its process group ends)"


def operation_of(thread: Thread, rank: Process) -> str | None:
    """The collective operation that a thread of *rank* is inside of, or for the end of which it
    waits: that is known where one alone is under way."""
    called = collective(thread)
    ends = called is None and ends_group(thread)
    # A remote call has futures as well.
    later = called is None and awaits_future(thread) and not runs_remote_calls(rank)
    if called is not STARTED and not ends and not later:
        return called
    running = {name for one in rank.threads if (name := _running(one))}
    if len(running) != 1:
        return called
    return f"{running.pop()}{AT_THE_END if ends else ''}"


def none_under_way(ranks: Iterable[Process]) -> bool:
    """Whether gloo carries out nothing for any of them: each of its threads there waits for work.
    What they wait for is then no slow operation of it."""
    for rank in ranks:
        loops = [one for one in rank.threads if (one.comm or "").startswith(_LOOP)]
        if not loops or not all(map(_waits_for_work, loops)):
            return False
    return True


def _waits_for_work(thread: Thread) -> bool:
    """Whether a thread of gloo has nothing to do: its loop waits itself."""
    inside = [frame.function or "" for frame in thread.native_stack or ()]
    loop = next((i for i, name in enumerate(inside) if name.startswith(_RUN_LOOP)), None)
    return thread.blocked and bool(loop) and not any("c10d::" in one for one in inside[:loop])


def _running(thread: Thread) -> str | None:
    for frame in thread.native_stack or ():
        if frame.function and (found := _RUNS.match(frame.function)):
            return _NAMES.get(found[1])
    return None
