"""A remote call of torch has no thread to run in: all threads that a worker has for such calls wait
in functions that other workers have called, and so for that call."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.collectives import runs_remote_call
from hangtui.findings.english import joined
from hangtui.findings.grounds import NOBODY
from hangtui.findings.roles import RPC_POOL
from hangtui.findings.stack_queries import at, name_of, own_frame, still, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    RemoteCall,
    Severity,
    Thread,
)

ID = "rpc-threads-taken"
GROUND = NOBODY
HELP = """\
A worker of `torch.distributed.rpc` runs what others call in a pool of threads
(`num_worker_threads`). Here all of these are inside of such functions, which wait for remote calls
of their own; and one of those calls, or what it leads to, has to run in the very same pool. So it
is never begun.

How it is known: the worker and the function of each call are arguments of `rpc_sync`; which
functions run for others is on the stacks of the pool's threads. What a worker is called it has in
the function in which it waits for the others (`rpc.shutdown()`), and the last one is called what is
left of all names; else it is inferred that a worker is the only process which runs what was called
there. It is a warning if all of them stood still for a second or more over several looks; an error
if the names are known so, all workers were looked at, and none of these calls has a timeout.
"""


class _Served(NamedTuple):
    """A thread of the pool, and the function that it runs for another worker."""

    thread: Thread
    function: str


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each worker whose threads are all taken so."""
    if not capture.remote_calls:
        return []
    words = words_of(capture, graph)
    served = {process.pid: list(_served(process)) for process in capture.processes}
    names = _own_names(capture)
    workers = names or _workers(capture, served)
    calls = {call.thread: call for call in capture.remote_calls}
    found = []
    for process in capture.processes:
        pool = [t for t in process.threads if (t.comm or "") == RPC_POOL]
        taken = served[process.pid]
        if not pool or len(taken) < len(pool):
            continue
        ends = [_end(one.thread, process.pid, served, workers, calls) for one in taken]
        unbegun = [one for one in ends if one is not None]
        if len(unbegun) == len(taken):
            found.append(_finding(process, taken, unbegun[0], words, sure=bool(names)))
    return found


def _end(
    thread: Thread,
    pid: int,
    served: Mapping[int, Sequence[_Served]],
    workers: Mapping[int, str],
    calls: Mapping[NodeId, RemoteCall],
) -> RemoteCall | None:
    """The call that *thread* waits for in the end, from worker to worker, if that has to run in
    process *pid* and does not; None: it is another one, or not known."""
    node, seen = thread.id, set[NodeId]()
    while node in calls and node not in seen:
        seen.add(node)
        call = calls[node]
        where = [one for one, name in workers.items() if name == call.to]
        runs = [one for one in served[where[0]] if one.function == call.function] if where else []
        if not runs:
            return call if where == [pid] else None
        if len(runs) > 1 or len(where) > 1:
            return None
        node = runs[0].thread.id
    return None


def _served(process: Process) -> Iterator[_Served]:
    """The threads that run something for another worker."""
    for thread in process.threads:
        index = runs_remote_call(thread)
        stack = thread.python_stack or ()
        if index:
            yield _Served(thread, name_of(stack[index - 1]))


def _own_names(capture: Capture) -> dict[int, str]:
    """By PID, the names of workers as they say themselves, the last one by those that are left;
    nothing, unless all workers are known so."""
    workers = capture.rpc_workers
    names = frozenset[str]().union(*(one.names for one in workers))
    if any(set(one.names) != names for one in workers) or len(names) != len(workers):
        return {}
    known = {one.pid: one.name for one in workers if one.name is not None}
    left, others = names - set(known.values()), [one for one in workers if one.name is None]
    if len(others) == len(left) == 1:
        known[others[0].pid] = next(iter(left))
    return known if set(known.values()) == names else {}


def _workers(capture: Capture, served: Mapping[int, Sequence[_Served]]) -> dict[int, str]:
    """By PID, the names of workers: each is the only process that runs what was called there."""
    found: dict[int, set[str]] = {}
    for call in capture.remote_calls:
        pids = [pid for pid, those in served.items()
                if any(one.function == call.function for one in those)]  # fmt: skip
        if len(pids) == 1:
            found.setdefault(pids[0], set()).add(call.to)
    return {pid: names.pop() for pid, names in found.items() if len(names) == 1}


def _finding(
    process: Process,
    taken: Sequence[_Served],
    unbegun: RemoteCall,
    words: Words,
    *,
    sure: bool,
) -> Finding:
    calls = {one.thread: one for one in words.capture.remote_calls}
    caller = words.thread(unbegun.thread)
    threads = [one.thread for one in taken]
    others = [who for call in calls.values() if (who := words.thread(call.thread))]
    whole = [*threads, *(one for one in others if one not in threads)]
    worker, one = words.process_name(process.pid), len(taken) == 1
    many = "one thread" if one else f"{len(taken)} threads"
    which = "the only thread" if one else f"all {len(taken)} threads"
    does = [
        f"{words.thread_name(served.thread)} runs {served.function} and waits"
        f"{at(own_frame(served.thread))}, in rpc_sync, for {calls[served.thread.id].function} at "
        f"{calls[served.thread.id].to}"
        for served in taken[:NAMES_LISTED]
    ]
    lasts = all(stood_s(thread, words) >= STILL_S for thread in whole)
    gives_up = any(call.expires for call in calls.values())
    never = lasts and sure and not gives_up
    by = words.thread_name(caller) if caller else "another thread"
    where = at(own_frame(caller)) if caller else ""
    return Finding(
        id=ID,
        severity=Severity.ERROR if never else Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.PROVEN if never else Certainty.INFERRED,
        title=(
            f"{by} waits{where} for the remote call {unbegun.function}, for which {worker} has no "
            f"thread: {which} that it has for such calls {'waits' if one else 'wait'} for what "
            "comes behind it"
        ),
        sentence=(
            f"{by} waits{where}, in rpc_sync, for {unbegun.function} at {unbegun.to}, which is "
            f"{worker}. That runs remote calls in {many}, and "
            f"{'it is' if one else 'all are'} taken: {joined(does)}. So {unbegun.function} "
            f"never begins{', until a call gives up' if gives_up else ''}."
        ),
        threads=tuple(map(ref, whole)),
        evidence=(
            *(
                f"{words.thread_name(thread)}: rpc_sync at {calls[thread.id].line} was given "
                f"{calls[thread.id].to!r} and {calls[thread.id].function}"
                for thread in whole[: 2 * NAMES_LISTED]
                if thread.id in calls
            ),
            f"{worker} has {many} called {RPC_POOL}",
            *((f"{worker} is called {unbegun.to}, by the names that all workers have",) * sure),
            still(whole),
        ),
        unknown=()
        if sure
        else (
            f"whether {unbegun.to} is {worker}: it is the only one that runs what was called there",
        ),
        advice=(
            (
                f"Give {worker} more threads (TensorPipeRpcBackendOptions(num_worker_threads=...)) "
                "than calls can be nested, or have the function return a future "
                "(rpc.functions.async_execution) instead of waiting for rpc_sync."
            ),
        ),
    )
