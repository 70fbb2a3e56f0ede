"""A job of several processes in which some wait in a collective operation, and others never got
there."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.analysis.latest import of_latest
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.collectives import (
    RPC,
    asks_store,
    collective,
    exchange,
    polls,
    runs_remote_call,
    says_itself,
)
from hangtui.findings.english import listed
from hangtui.findings.gpu_calls import driver_call, in_nccl
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import Inside, caller, in_short, jobs, rank_thread, who
from hangtui.findings.looked import looked_at, polled_by
from hangtui.findings.message_rings import unread_by
from hangtui.findings.onward import chain, links, told_there
from hangtui.findings.outside.collective_mismatch import crossed_ranks
from hangtui.findings.outside.due import in_hand
from hangtui.findings.outside.rank_waits import lasts, works
from hangtui.findings.polled import told_changes
from hangtui.findings.protocols import awaits_command
from hangtui.findings.roles import rpc_names, runs_remote_calls
from hangtui.findings.stack_queries import at, own_frame, still
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    Severity,
    Thread,
)

ID = "rank-elsewhere"
_OF_GPU = "work of the GPU, which may be a collective operation of NCCL"
_WHICH_WORK = "whether that work is a collective operation: which code runs on a GPU is not seen"
_ALL_WORKERS = (
    "Have every worker of a command call the same collective operations: one that only some of "
    "them come to waits for the others."
)
_TIMEOUT = "Set a timeout for collectives: init_process_group(timeout=timedelta(minutes=5))."
GROUND = ONE_WAIT
HELP = """\
In a distributed job (torch.distributed, MPI, Horovod) all ranks have to call the same collective
operations in the same order. If one of them is somewhere else, all others wait for it.

How it is known: some of the captured processes are inside a collective and did not run while they
were watched; others of the same job are in none. `RANK` and its like, which launchers set, tell
who belongs to it, else a common parent. It is a warning if that lasts for a second or more over
several looks, and those others make no progress either, unless they sleep by the clock, less than a
minute and not again and again. Capture all ranks together for this: `hangtui --children PID` of the
launcher.
"""


class Parts(NamedTuple):
    """The main threads of a job's ranks."""

    inside: list[Inside]
    """Who is in which collective operation."""
    missing: list[Thread]
    """Who is in none."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each job of which only a part is in a collective."""
    words = words_of(capture, graph)
    return [_finding(inside, missing, words) for inside, missing in divided(capture)]


@of_latest
def waiting_ranks(capture: Capture) -> set[NodeId]:
    """The threads that wait for the other ranks of their job, which are elsewhere."""
    waiting = {thread.id for inside, _ in divided(capture) for thread, _ in inside}
    return waiting | crossed_ranks(capture)


def divided(capture: Capture, *, talking: bool = False) -> Iterator[Parts]:
    """The jobs only a part of which is in collectives; with *talking* also those of whose ranks
    some send or receive, and others do neither."""
    for parts in _parts(capture):
        talk = [_talks(one) for one in parts.missing] if talking and not parts.inside else []
        if parts.missing and (parts.inside or (any(talk) and not all(talk))):
            yield parts


@of_latest
def _parts(capture: Capture) -> list[Parts]:
    found = []
    for ranks in jobs(capture):
        mains = [(thread, rank) for rank in ranks if (thread := rank_thread(rank))]
        called = ((thread, collective(thread) or _on_gpu(thread, rank)) for thread, rank in mains)
        into = [(thread, operation) for thread, operation in called if operation]
        if any(operation is RPC for _, operation in into):
            mains = [(main, rank) for main, rank in mains if runs_remote_calls(rank)]
            if any(runs_remote_call(one) for _, rank in mains for one in rank.threads):
                continue  # who shuts down runs what others call, until all do
        there = {thread.id for thread, _ in into}
        inside = [one for one in into if one[0].blocked or polls(one[0]) or one[1] is _OF_GPU]
        missing = [thread for thread, _ in mains if thread.id not in there]
        found.append(Parts(inside, missing))
    return found


def _talks(thread: Thread) -> bool:
    return exchange(thread) is not None and (thread.blocked or polls(thread))


def _on_gpu(main: Thread, rank: Process) -> str | None:
    """What the main thread of a rank waits for that has started its collective operation on a GPU,
    as NCCL does, and waits for the GPU."""
    return _OF_GPU if driver_call(main) and in_nccl(rank) else None


def _finding(inside: list[Inside], missing: list[Thread], words: Words) -> Finding:
    operation = inside[0][1]
    waiting = [thread for thread, _ in inside]
    pids = who(waiting, words)
    absent = [_elsewhere(thread, words) for thread in missing[:NAMES_LISTED]]
    names, one = f"{pids[:1].upper()}{pids[1:]}", len(waiting) == 1
    told = {process.pid for process in words.capture.processes if process.job}
    told |= rpc_names(words.capture).keys()
    resting = [t for t in missing if awaits_command(t)]
    away = _away(missing, resting, words)
    where = "" if resting else at(own_frame(missing[0]))
    # All ranks come to a collective one after the other: that some wait is no fault by itself.
    at_work = [t for t in missing if works(t, words)]
    keeps, soon = lasts(waiting, missing, words), all_go_on(missing, words)
    return Finding(
        id=ID,
        severity=Severity.WARNING if keeps and not soon else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{names if resting else in_short(waiting, words)} {'waits' if one else 'wait'} "
        f"{_inside(operation).removesuffix(',')}{at(caller(waiting[0]))}, {away}",
        sentence=(
            f"{names} {'waits' if one else 'wait'} "
            f"{_inside(operation, of='the collective operation ')}{at(caller(waiting[0]))} until "
            "every rank has called it. "
            f"{'; '.join(absent)}. {_until(resting)}"
        ),
        threads=tuple(ref(thread) for thread in (*missing, *waiting)),
        evidence=(
            *(
                f"{words.process_name(t.pid)}: {_on_stack(t, name)} is on the stack of {t.name}"
                f"{at(caller(t))}"
                for t, name in inside[:NAMES_LISTED]
            ),
            *(
                f"{words.process_name(t.pid)}: no collective is on the stack of {t.name}"
                for t in missing[:NAMES_LISTED]
            ),
            *(line for t in at_work[:NAMES_LISTED] if (line := _worked(t, words))),
            *(words.reading(edge) for t in missing[:NAMES_LISTED] for edge in chain(t.id, words)),
            still(waiting),
        ),
        unknown=(
            *(
                ()
                if all(t.pid in told for t in (*waiting, *missing))
                else ("whether these processes belong to the same job: they have the same parent",)
            ),
            *(("whether they are merely slower than the others",) if at_work else ()),
            *((_WHICH_WORK,) if any(name is _OF_GPU for _, name in inside) else ()),
        ),
        advice=(
            _ALL_WORKERS
            if resting
            else (
                f"Find out why it is still{where}: what only one rank does "
                "(checkpoints, logging, evaluation) must end, or come before a barrier for all."
            ),
            *((_TIMEOUT,) if operation is not RPC else ()),
        ),
    )


def _away(missing: list[Thread], resting: list[Thread], words: Words) -> str:
    """``rank 1 elsewhere at save.py:9 (save)``; ``rank 1 waits for its next command``."""
    if resting:
        verb = "waits" if len(resting) == 1 else "wait"
        return f"{who(resting, words)} {verb} for the next command"
    return f"{in_short(missing, words)} elsewhere{at(own_frame(missing[0]))}"


def _until(resting: list[Thread]) -> str:
    if resting:
        return "By itself it does not come there: only a command would lead it to that operation."
    return "As long as that rank does not get there, all others wait."


def _inside(operation: str, of: str = "") -> str:
    if operation is _OF_GPU:
        return f"for {operation},"
    return f"in {'' if says_itself(operation) else of}{operation}"


def _on_stack(thread: Thread, operation: str) -> str:
    call = driver_call(thread) if operation is _OF_GPU else None
    return native_name(call) if call else operation


def _elsewhere(thread: Thread, words: Words) -> str:
    found = chain(thread.id, words)
    goal = f", waiting {words.goal(found[0])}" if found else _by_the_clock(thread, words)
    if asks_store(thread):
        goal = ", waiting for a key that another rank has to set in the job's store"
    elif operation := exchange(thread):
        goal = f" in {operation}, until another rank takes part{goal}"
    name = words.process_name(thread.pid)
    if protocol := awaits_command(thread):
        told_of = f"waits for its next command ({protocol.name})"
        return f"{name[:1].upper()}{name[1:]} {told_of}{_answered(thread, words)}"
    does = "at work elsewhere" if works(thread, words) else "elsewhere"
    told = [f"{name[:1].upper()}{name[1:]} is {does}{at(own_frame(thread))}{goal}"]
    return ", ".join([*told, *links(found, words)]) + _other_end(found, words)


def _answered(thread: Thread, words: Words) -> str:
    """``, and has taken all that were sent``, of a worker, as the rings of its messages tell."""
    left = unread_by(thread.pid, words.capture)
    if left is None:
        return ""
    return ", which lies in its ring of messages" if left else ", and has taken all that were sent"


def _other_end(found: list[Edge], words: Words) -> str:
    """``, where MainThread of process 12 waits in all_gather``: what those do who could end the
    last wait of a chain."""
    last = words.thread(found[-1].source) if found else None
    if last is None or found[-1].relation is not Relation.WAITS_FOR:
        return ""
    there = in_hand(last, words)
    operation = collective(there[0]) if len(there) == 1 else None
    if operation and there[0].pid != last.pid:
        name = words.thread_name(there[0])
        return f", where {name} waits in {operation} until every rank of its group has called it"
    return told_there(last, words)


def _by_the_clock(thread: Thread, words: Words) -> str:
    """``, where it looks again and again at os.path.exists() of /tmp/index, which is not there``;
    or how long it sleeps."""
    polled = polled_by(thread.id, words)
    if polled is None:
        return _asleep(thread)
    changes = told_changes(thread.id, words).removesuffix(".")
    return f", where it looks again and again at {looked_at(polled)}{changes and f'.{changes}'}"


def _asleep(thread: Thread) -> str:
    """``, asleep for another 3580 s``."""
    sleep = thread.syscall.sleep if thread.syscall else None
    left = sleep.left_s if sleep else None
    return f", asleep for another {left:.0f} s" if left is not None and left >= 1 else ""


def _worked(thread: Thread, words: Words) -> str | None:
    seen = words.progress.get(thread.id)
    if seen is None or seen.busy is None:
        return None
    lines = listed([visit.place for visit in seen.visits[:NAMES_LISTED]])
    name = words.process_name(thread.pid)
    return (
        f"{name}: {thread.name} used {seen.busy:.0%} of a CPU over {seen.lasted_s:.1f} s"
        f"{f', at {lines}' if lines else ''}"
    )
