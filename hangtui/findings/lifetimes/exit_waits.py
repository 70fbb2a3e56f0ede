"""A program that has finished, but whose exit waits for a thread that does not end."""

from hangtui.analysis.waitgraph import Cycle, Edge, WaitGraph
from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.databases import sleeps_in_sqlite
from hangtui.findings.exits import EXIT, Exit, exit_of
from hangtui.findings.grounds import RING
from hangtui.findings.inert import CONNECTIONS
from hangtui.findings.lifetimes.joined_threads import joined_goes_on
from hangtui.findings.outside.library_goals import goal_of
from hangtui.findings.outside.peer_end import other_end
from hangtui.findings.package_queries import library_wait
from hangtui.findings.polled import polled_in_title, told_polled
from hangtui.findings.pool_workers import at_task_of, for_workers
from hangtui.findings.resources import PYTHON_LOCKS, of_processes
from hangtui.findings.rhythm import only_looked, wakes_often
from hangtui.findings.rings.closed import never_ends
from hangtui.findings.stack_queries import (
    at,
    main_thread,
    own_frame,
    still,
    wait_for_ever,
)
from hangtui.findings.standstill import nobody_moves
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import told_end, told_written
from hangtui.model import Capture, Certainty, Finding, NodeKind, Process, Severity, Thread

ID = EXIT
GROUND = RING
HELP = """\
At exit the interpreter joins every thread that is not a daemon, and the workers of pools. A thread
that waits forever keeps the process from ending.

How it is known: nothing of the program is left on the main thread's stack, only the interpreter's
exit functions, and it joins a thread that did not run while it was watched. It is an error if that
thread in turn waits for something only the main thread could do; or if all others wait without a
timeout for locks, queues, events and the like of the process itself, so that nobody is left to
change them. Where the thread waits for something outside the process, one look is a note, and a
second or more of it a warning; where it waits with a timeout, it is a warning once it was seen to
wait again, and an error if the loop in which it does so does nothing else, and all others wait. It
is a note if the thread, or whoever has what it waits for, sleeps now and then in a loop in which it
does something else; if the thread hears what others may send over a connection, if those who could
end its wait go on by the clock within the minute, if they come round to the same line again and
again, or if another thread that began in the same function gets on. So it is where the workers of
a pool of processes, which the thread waits for, are at work or sleep by the clock; and if the exit
waits for the thread with a timeout.
"""

_OF_PYTHON = PYTHON_LOCKS | {NodeKind.EVENT, NodeKind.QUEUE, NodeKind.BARRIER, NodeKind.FUTURE}
_ALONE = (
    "every other thread of the process waits without a timeout for one of its own objects, and it "
    "handles no signals: nobody is left to end these waits"
)

_FOR = ("for ", "by polling ")


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process that ends in nothing but a wait for one of its threads."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        main = main_thread(process)
        exit_ = exit_of(main) if main and main.blocked else None
        wait = words.graph.wait_of(main.id) if main else None
        if main is None or exit_ is None or wait is None:
            continue
        if _leads_outside(main, graph):
            continue
        node = words.graph.node(wait.target)
        joined = words.thread(wait.target)
        if node is None or node.kind is not NodeKind.THREAD or joined is None:
            continue
        awaited = at_task_of(joined, process) or joined
        if _waits(awaited, words) and not _in_ring_of_others(main, awaited, words):
            found.append(_finding(main, joined, awaited, wait, exit_, words))
    return found


def _leads_outside(main: Thread, graph: WaitGraph) -> bool:
    """Whether it is in a ring with threads of other processes: their rule tells of that whole."""
    cycle = graph.cycle_of(main.id)
    kinds = (NodeKind.THREAD, NodeKind.PROCESS)
    return cycle is not None and any(
        node.kind in kinds and node.pid != main.pid for node in cycle.nodes
    )


def _in_ring_of_others(main: Thread, awaited: Thread, words: Words) -> bool:
    """Whether it waits for a member of a ring that is one without it: the ring's rule says that the
    exit waits behind it."""
    cycle = words.graph.cycle_of(awaited.id)
    if cycle is None or main.id in cycle.nodes:
        return False
    sure = cycle.certainty.supports_claim
    return sure or never_ends(cycle, words.actors(cycle.nodes), words)


def _waits(thread: Thread, words: Words) -> bool:
    """Asleep, or met awake by chance where it only asks again: one that works will end by itself,
    this one may not. Of who asks for a database's lock a rule of its own tells, with who has it."""
    if sleeps_in_sqlite(thread):
        return False
    if _by_clock(thread, words):
        seen = words.progress.get(thread.id)
        again = seen is not None and (seen.same_stack or only_looked(seen))
        return again or thread.id in words.looking or (thread.asleep and thread.blocked)
    return thread.blocked or wakes_often(words.progress.get(thread.id))


def _by_clock(thread: Thread, words: Words) -> bool:
    """Whether it waits with a timeout, or sleeps: then it may end after that."""
    waits = words.graph.waits_of(thread.id)
    sleeps = not waits and thread.syscall is not None and thread.syscall.sleeps
    return sleeps or any(wait.expires for wait in waits)


def _severity(awaited: Thread, own: Edge | None, words: Words, *, sure: bool) -> Severity:
    """What it waits for outside the process may be there in a moment: a worker that ends, data. So
    may be the end of a wait with a timeout, unless it was seen to wait again."""
    if sure:
        return Severity.ERROR
    if joined_goes_on(awaited, own, words):
        return Severity.NOTE
    seen = words.progress.get(awaited.id)
    lasted = seen is not None and seen.waited_s >= STILL_S
    if _by_clock(awaited, words):
        again = seen is not None and seen.same_stack and seen.ran and not seen.returned
        return Severity.WARNING if lasted and again else Severity.NOTE
    resource = words.resource(own.target) if own else None
    inside = resource is not None and resource.kind in _OF_PYTHON and not of_processes(resource)
    return Severity.WARNING if lasted or inside else Severity.NOTE


def _nobody_else(main: Thread, words: Words) -> bool:
    """Whether every other thread waits for ever for what only a thread of the process could end,
    while the program has no line left to run and no signal of its own to handle."""
    process = words.capture.process(main.pid)
    if process is None or not process.steady or process.around is None:
        return False
    others = [thread for thread in process.threads if thread is not main]
    return waking_signals(process) == () and all(
        thread.is_python and _inside(wait_for_ever(thread, words), process, words)
        for thread in others
    )


def _inside(wait: Edge | None, process: Process, words: Words) -> bool:
    """Whether a wait is for an object of the process itself, which somebody else must change."""
    resource = words.resource(wait.target) if wait else None
    if wait is None or resource is None or resource.pid != process.pid or of_processes(resource):
        return False
    return resource.kind in _OF_PYTHON and wait.evidence.certainty.supports_claim


def _joins(joined: Thread, awaited: Thread, words: Words) -> str:
    """``the thread flush, which is``, of one that is joined itself, or that a pool has at a task
    for which the joined one waits."""
    name = words.thread_name(awaited)
    if joined is awaited:
        return f"the thread {name}, which is"
    watches = f"{words.thread_name(joined)}, which waits for the pool's thread {name}"
    return f"{watches}; that has a task, and is"


def _rest(cycle: Cycle | None, main: Thread, own: Edge | None) -> list[Edge]:
    """What closes the ring, if it is one: the awaited thread waits for the main one."""
    edges = cycle.edges if cycle else ()
    return [edge for edge in edges if edge.source != main.id and edge is not own]


def _whose(wait: Edge, words: Words) -> str:
    """``, whose other end process 12 (sleep) has``, of a pipe or connection of one process."""
    holders = {hold.target for hold in words.graph.holders_of(wait.target)}
    if wait.target.kind not in CONNECTIONS or len(holders) != 1:
        return ""
    (holder,) = holders
    return f", whose other end {words.name(holder)} has" if holder.pid != wait.source.pid else ""


def _in_library(awaited: Thread, words: Words) -> str:
    """``, in redis, for a lock in Redis (Lock)``, of one that an installed package keeps asking or
    sleeping; empty: what for is not known."""
    package = library_wait(awaited)
    goal = goal_of(awaited, None, words) if package else ""
    return f", in {package}, {goal}" if goal.startswith(_FOR) else ""


def _further(awaited: Thread, own: Edge, words: Words) -> str:
    """Who could end the wait of that one, and what they do, as sentences."""
    if words.operation(own) == "receive":
        pids = sorted({hold.target.pid for hold in words.graph.holders_of(own.target)})
        return f" {other_end(awaited, [words.process_name(pid) for pid in pids], words)}"
    return told_end([awaited], words)


def _finding(
    main: Thread, joined: Thread, awaited: Thread, wait: Edge, exit_: Exit, words: Words
) -> Finding:
    name, frame = words.thread_name(awaited), own_frame(awaited)
    own = words.graph.wait_of(awaited.id)
    timed = _by_clock(awaited, words)
    process = words.capture.process(main.pid)
    stands = process is not None and nobody_moves(process, words)
    again = timed and stands
    until = ", with a timeout" if timed else ""
    until += ", again and again, and does nothing else" if again else ""
    further = _further(awaited, own, words) if own and not stands else ""
    whose = _whose(own, words) if own and not further else ""
    goal = f" It waits {words.goal(own)}{whose}{until}." if own else ""
    in_library = "" if own else _in_library(awaited, words)
    busy = for_workers(awaited, words)
    goal += f" It waits there{in_library}." if in_library else told_polled(awaited.id, words)
    goal += told_written(words.resource(own.target), awaited, words) if own and again else ""
    last = name if further or joined is not awaited else "that thread"
    call = f" in {awaited.syscall.name}" if awaited.syscall else ""
    cycle = words.graph.cycle_of(main.id)
    alone = stands or _nobody_else(main, words)
    sure = alone or (cycle is not None and cycle.certainty.supports_claim)
    inside = tuple(n for n in cycle.nodes if words.resource(n)) if cycle else ()
    severity = _severity(awaited, own, words, sure=sure)
    if wait.expires:  # then it ends without that thread
        severity = Severity.NOTE
    # Threads that the main one has only begun are what the program does.
    beside = severity is Severity.NOTE and joined_goes_on(awaited, own, words) and not wait.expires
    ended = "The main thread" if beside else "The program"
    return Finding(
        id=ID,
        severity=severity,
        certainty=as_sure_as(
            Certainty.PROVEN, wait, *([own] if own else []), *(cycle.edges if cycle else ())
        ),
        title=(
            f"{ended} has finished, but its exit{exit_.short} waits for the thread "
            f"{name}{at(frame)}{in_library or polled_in_title(awaited.id, words)}{busy}"
        ),
        sentence=(
            f"The main program is done: {words.thread_name(main)} is {exit_.inside} and joins "
            f"{_joins(joined, awaited, words)} blocked{at(frame)}{call}{busy}.{goal}{further} "
            + (
                f"It joins that with a timeout: the process ends once {last} does, or that is over."
                if wait.expires
                else f"The process ends only after {last} does{exit_.after}."
            )
        ),
        threads=(ref(main), ref(awaited)),
        resources=tuple(dict.fromkeys((*inside, *((own.target,) if own else ())))),
        evidence=(
            (
                f"only {exit_.function} and what it calls is on the stack of "
                f"{words.thread_name(main)}: {exit_.why}"
            ),
            words.reading(wait),
            *((words.reading(own),) if own else ()),
            *(words.reading(edge) for edge in _rest(cycle, main, own)),
            still([main, awaited]),
            *((_ALONE,) if alone else ()),
        ),
        unknown=(
            *(() if own else (f"what would end the wait of {name}",)),
            *((f"whether {name} ends once its time is over",) if timed and not again else ()),
        ),
        advice=(
            (
                f"Tell {name} to end before the program does: close what it waits for{at(frame)}, "
                "send it a sentinel, or set an event that it checks; and give its wait a timeout."
            ),
            (
                "A thread that may be cut off at any moment can be a daemon: Thread(daemon=True). "
                "Workers of a ThreadPoolExecutor cannot: use shutdown(wait=False, "
                "cancel_futures=True), and let their tasks end."
            ),
        ),
    )
