"""A job of several processes in which some wait in a collective operation, and others never got
there."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.analysis.latest import of_latest
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.collectives import (
    RPC,
    collective,
    exchange,
    is_message,
    polls,
    runs_remote_call,
    says_itself,
)
from hangtui.findings.english import joined, listed
from hangtui.findings.exits import ENDED_EARLY
from hangtui.findings.gpu_calls import driver_call, in_nccl
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import Inside, caller, in_short, jobs, rank_thread, who
from hangtui.findings.onward import chain
from hangtui.findings.outside.away_ranks import (
    at_its_end,
    idle_actor,
    in_library,
    leads_at_rest,
    told_away,
)
from hangtui.findings.outside.collective_mismatch import crossed_ranks
from hangtui.findings.outside.message_peers import awaited, waits_alone
from hangtui.findings.outside.rank_waits import lasts, works
from hangtui.findings.protocols import awaits_command
from hangtui.findings.roles import rpc_names, runs_remote_calls
from hangtui.findings.stack_queries import at, main_thread, own_frame, still
from hangtui.findings.started import operation_of
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
_CALL_ALL = (
    "Look at which actors the driver calls for this step: each rank of the group has to get a call "
    "that leads it to the same operation, or to its other half."
)
_ALL_WORKERS = (
    "Have every worker of a command call the same collective operations: one that only some of "
    "them come to waits for the others."
)
_ITS_HALF = ": a message needs both of its halves, and its own is missing."
_ONE_RANK = (
    ": what only one rank does (checkpoints, logging, evaluation) must end, or come before a "
    "barrier for all."
)
_TIMEOUT = "Set a timeout for collectives: init_process_group(timeout=timedelta(minutes=5))."
GROUND = ONE_WAIT
HELP = """\
In a distributed job (torch.distributed, MPI, Horovod) all ranks have to call the same collective
operations in the same order. If one of them is somewhere else, all others wait for it.

How it is known: some of the captured processes are inside a collective and did not run while they
were watched; others of the same job are in none. `RANK` and its like, which launchers set, tell
who belongs to it, else a common parent. So it is of who waits to send to another rank or to receive
from it, while that one does neither. It is a warning if that lasts for a second or more over
several looks, and those others make no progress either, unless they sleep by the clock, less than a
minute and not again and again; or one hands out what it has (`broadcast`, `recv`) and waits for
requests itself. Capture all ranks together for this: `hangtui --children PID` of the
launcher.
"""


class Parts(NamedTuple):
    """The main threads of a job's ranks."""

    inside: list[Inside]
    """Who is in which collective operation; where nobody is, who waits for a message of a rank that
    is *missing*, or to send it one."""
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
        mains = [(thread, rank) for rank in ranks if (thread := rank_thread(rank, capture))]
        called = ((main, operation_of(main, rank) or _on_gpu(main, rank)) for main, rank in mains)
        into = [(main, operation) for main, operation in called if operation]
        if any(operation is RPC for _, operation in into):
            mains = [(main, rank) for main, rank in mains if runs_remote_calls(rank)]
            if any(runs_remote_call(one) for _, rank in mains for one in rank.threads):
                continue  # who shuts down runs what others call, until all do
        missing = [thread for thread, _ in mains if thread.id not in {one.id for one, _ in into}]
        inside = [one for one in into if one[0].blocked or polls(one[0]) or one[1] is _OF_GPU]
        inside = inside or waits_alone(missing, capture)
        waiting = {thread.id for thread, _ in inside}
        away = [thread for thread in missing if thread.id not in waiting]
        away.sort(key=lambda one: exchange(one) is not None)  # who waits for a message is no cause
        found.append(Parts(inside, away))
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
    absent = [told_away(thread, words) for thread in missing[:NAMES_LISTED]]
    names = f"{pids[:1].upper()}{pids[1:]}"
    told = {process.pid for process in words.capture.processes if process.job}
    told |= rpc_names(words.capture).keys()
    resting = [t for t in missing if awaits_command(t)]
    idle = [t for t in missing if idle_actor(t, words)]
    away = _away(missing, resting, idle, words)
    where = "" if resting else at(own_frame(missing[0]))
    # All ranks come to a collective one after the other: that some wait is no fault by itself.
    at_work = [t for t in missing if works(t, words)]
    over = [t for t in missing if at_its_end(t, words)]
    kind = "send or recv" if is_message(operation) else "collective"
    rest = leads_at_rest(operation, missing, words)
    keeps = lasts(waiting, missing, words) and not all_go_on(missing, words) and not rest
    return Finding(
        id=ID,
        severity=Severity.WARNING if keeps else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{_told(inside, words, title=True, name=names if resting else None)}, {away}",
        sentence=(
            f"{_told(inside, words, title=False)} "
            f"{_end(*inside[0], words)}. {'; '.join(absent)}. {_until(resting, over, idle)}"
        ),
        threads=tuple(ref(thread) for thread in (*missing, *waiting)),
        evidence=(
            *(
                f"{words.process_name(t.pid)}: {_on_stack(t, name)} is on the stack of {t.name}"
                f"{at(caller(t))}"
                for t, name in inside[:NAMES_LISTED]
            ),
            *(
                f"{words.process_name(t.pid)}: no {kind} is on the stack of {t.name}"
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
            *(("whether it has anything to hand out: nothing has come to it",) if rest else ()),
            *((_WHICH_WORK,) if any(name is _OF_GPU for _, name in inside) else ()),
        ),
        advice=(
            _ALL_WORKERS
            if resting
            else _CALL_ALL
            if idle
            else ENDED_EARLY
            if over
            else f"Find out why it is still{where}{_ITS_HALF}"
            if is_message(operation)
            else f"Find out why it is still{where}{_ONE_RANK}",
            *((_TIMEOUT,) if operation is not RPC else ()),
        ),
    )


def _told(inside: list[Inside], words: Words, *, title: bool, name: str | None = None) -> str:
    """Who waits in which operation at which line: ``Rank 0 waits in barrier at save.py:9 (save),
    and rank 1 in all_gather at save.py:12 (save)``."""
    parted: dict[str, list[Thread]] = {}
    for thread, operation in inside:
        parted.setdefault(operation, []).append(thread)
    parts: list[str] = []
    for operation, threads in parted.items():
        where = _inside(operation, of="" if title else "the collective operation ")
        where = f"{where.removesuffix(',') if title else where}{_line(threads[0], words)}"
        who_ = name or (in_short(threads, words) if title else who(threads, words))
        verb = ("waits " if len(threads) == 1 else "wait ") if not parts else ""
        parts.append(f"{who_} {verb}{where}")
    text = joined(parts)
    return text if title else f"{text[:1].upper()}{text[1:]}"


def _away(missing: list[Thread], resting: list[Thread], idle: list[Thread], words: Words) -> str:
    """``rank 1 elsewhere at save.py:9 (save)``; ``rank 1 waits for its next command``."""
    if idle:
        actor = f", {idle_actor(idle[0], words)}," if len(idle) == 1 else ""
        return f"{who(idle, words)}{actor} {'runs' if len(idle) == 1 else 'run'} no call"
    if resting:
        verb = "waits" if len(resting) == 1 else "wait"
        return f"{who(resting, words)} {verb} for the next command"
    main = at_its_end(missing[0], words)
    beside = "" if main is missing[0] else ", with a thread"
    does = f"at the end of its program{beside}" if main else "elsewhere"
    inside = in_library(missing[0], words) if len(missing) == 1 and not main else ""
    return f"{in_short(missing, words)} {does}{at(own_frame(missing[0]))}{inside}"


def _line(thread: Thread, words: Words) -> str:
    """The program's own line that called the operation; where a thread of a library's is in it,
    that of the main thread: `` in its thread saver, with its main thread at main.py:9``."""
    called = at(caller(thread))
    process = words.capture.process(thread.pid)
    main = main_thread(process) if process else None
    if called or main is None or main is thread:
        return called
    return f" in its thread {thread.name}, with its main thread{at(own_frame(main))}"


def _until(resting: list[Thread], over: list[Thread], idle: list[Thread]) -> str:
    if idle:
        return "By itself it does not come there: only a call of that actor would lead it there."
    if resting:
        return "By itself it does not come there: only a command would lead it to that operation."
    if over:
        beside = [one for one in over if one.tid != one.pid]
        only = f": only {listed([one.name for one in beside])} could still call that"
        return f"It does not come there any more{only if beside else ''}."
    return "As long as that rank does not get there, all others wait."


def _end(waiting: Thread, operation: str, words: Words) -> str:
    """What ends the operation in which it waits."""
    message = is_message(operation)
    return awaited(waiting, words.capture) if message else "until every rank has called it"


def _inside(operation: str, of: str = "") -> str:
    if operation is _OF_GPU:
        return f"for {operation},"
    plain = says_itself(operation) or is_message(operation)
    return f"in {'' if plain else of}{operation}"


def _on_stack(thread: Thread, operation: str) -> str:
    call = driver_call(thread) if operation is _OF_GPU else None
    return native_name(call) if call else collective(thread) or operation


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
