"""A semaphore of `multiprocessing` that every process which shares it waits for, or behind."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import handled_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.child_ends import failed_children, short_ended, told_ended, told_reaped
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.grounds import NOBODY
from hangtui.findings.process_waits import at_barrier, calls, ending, puts, room
from hangtui.findings.stack_queries import (
    at,
    callers,
    depth_of,
    does,
    index_of,
    own_frame,
    still,
    stood_s,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.sharing import closed_group, for_good
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    Process,
    Severity,
    Thread,
)

ID = "no-process-left-to-wake"
GROUND = NOBODY
_ALL_AT_ONCE = (
    "Look whether they take a second unit before they give back the first: take all that is needed "
    "in one step, under a lock, or give back before the next is taken. If none of them has one, "
    "look who ended with it: ask each Process for its exitcode."
)
HELP = """\
Processes that share a barrier, condition, event or queue of `multiprocessing` end each other's
waits. If one of them has ended, or was killed, the others can be left waiting for it: at a barrier
that is one party short, or in `Event.set()`, which waits until every process that it wakes has
confirmed that it woke up.

How it is known: all processes that have the memory of the semaphore mapped were looked at, and each
of their threads stands still in a wait, without a timeout, that only one of these processes can
end. It is an error where none of them ran for a second and none handles a signal; else it is
inferred. A wait for an event or a condition may be meant to last until a signal comes: that is a
warning at most, and a note where one of them handles a signal, or before several looks have seen
that nobody ran for a second.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each group of processes that wait for nothing but each other."""
    words = words_of(capture, graph)
    found, told = [], set[int]()
    for thread, wait, kind in words.lasting.values():
        resource = words.resource(wait.target)
        if kind is not NodeKind.SEMAPHORE or resource is None or thread.pid in told:
            continue
        if len(resource.sharers) < 2 or graph.holders_of(wait.target):
            continue
        group = closed_group(resource.sharers, words)
        if group:
            told |= {process.pid for process in group}
            found.append(_finding(group, thread, wait, words))
    return found


def _finding(group: list[Process], thread: Thread, wait: Edge, words: Words) -> Finding:
    threads = [one for process in group for one in process.threads]
    frame = own_frame(thread)
    index = depth_of(thread, frame)
    name, place = words.thread_name(thread), at(frame)
    title, what, meant = _purpose(threads, thread, wait, words)
    signals = any(handled_signals(process) for process in group)
    dead = [child for one in group for child in failed_children(one)]
    ended = told_ended(dead, "their")
    others = [one for one in threads if one is not thread]
    rest = clauses([_does(one, words) for one in others[:NAMES_LISTED]], len(others))
    units = _units(threads, thread, wait, words)
    all_ = "Both" if len(group) == 2 else f"All {len(group)}"
    ran = any(stood_s(one, words) < STILL_S for one in threads)
    unclear = meant and (signals or (ran and thread.tid == thread.pid))
    sure = not meant and for_good(group, words)
    certainty = as_sure_as(Certainty.PROVEN if sure else Certainty.INFERRED, wait)
    severity = Severity.ERROR if sure and certainty.supports_claim else Severity.WARNING
    return Finding(
        id=ID,
        severity=Severity.NOTE if unclear else severity,
        certainty=certainty,
        title=f"{title}: {name} waits{place}{short_ended(dead)}",
        sentence=(
            f"{name} waits{place}{callers(thread, index)} {what}. {all_} processes that "
            f"share it wait: {rest}.{units}{ended}"
        ),
        threads=tuple(ref(one) for one in (thread, *others)),
        tells_victims=True,
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            f"the memory of the semaphore is mapped by {listed([str(p.pid) for p in group])} alone",
            *(
                words.reading(one)
                for other in others[:NAMES_LISTED]
                for one in words.graph.waits_of(other.id)
            ),
            *(told_reaped(one) for one in dead[:NAMES_LISTED]),
            still(threads),
        ),
        unknown=("which process should have ended the wait, and how that one ended",),
        advice=(_ALL_AT_ONCE if units and not dead else _advice(thread, place),),
    )


def _units(threads: list[Thread], thread: Thread, wait: Edge, words: Words) -> str:
    """`` worker-1 and worker-2 wait for a unit of it each, ...``, of several that wait for the
    same semaphore; empty: they do not."""
    resource = words.resource(wait.target)
    counted = resource is not None and (resource.type_name or "").endswith("Semaphore")
    takers = [one for one in threads if _awaits(one, wait, words)]
    if not counted or len(takers) < 2 or not ending(thread, wait, words).startswith("release "):
        return ""
    names = [words.thread_name(one) for one in takers]
    return (
        f" {joined(names[:NAMES_LISTED])} wait for a unit of it each, and nobody else is left who "
        "would give one back: if they have taken units before, each waits for what others of them "
        "have. A semaphore keeps no record of who took them."
    )


def _advice(thread: Thread, place: str) -> str:
    if puts(thread):
        return (
            f"Take out of the queues while you put into them{place}: a queue with a maxsize is "
            "full until somebody takes an item, and who takes may wait for room in another one. "
            "Put from a thread of its own, or read the results in one."
        )
    return (
        f"Watch the other processes while waiting{place}: give the wait a timeout, and ask each "
        "Process for its exitcode."
    )


def _does(thread: Thread, words: Words) -> str:
    """What it waits for, in the words of its queue if it puts into one."""
    wait = words.graph.wait_of(thread.id) if puts(thread) else None
    text = does(thread, words)
    return (
        text.replace(words.name(wait.target), f"{room(wait, words)}, which is full")
        if wait
        else text
    )


def _purpose(
    threads: list[Thread], thread: Thread, wait: Edge, words: Words
) -> tuple[str, str, bool]:
    """How the title begins, what the thread waits for, and whether only a signal may be meant to
    end that."""
    if at_barrier(thread):
        there = sum(at_barrier(one) and _awaits(one, wait, words) for one in threads)
        who = "1 party waits" if there == 1 else f"{there} parties wait"
        what = f"at a multiprocessing Barrier, where {who}, for those that are missing"
        return "No process is left to join at a multiprocessing Barrier", what, False
    if calls(thread, "notify"):
        where = "Event.set()" if calls(thread, "set") else "Condition.notify()"
        what = f"in {where} until a process that it notified confirms that it woke up"
        return f"No process is left to answer {where} of multiprocessing", what, False
    act = ending(thread, wait, words)
    what = f"for {words.name(wait.target)}: another process should {act}"
    if puts(thread):
        what = f"for {room(wait, words)}, which is full"
    joins = index_of(thread, {"join"}, "multiprocessing/queues.py") is not None
    parks = not joins and calls(thread, "wait")
    return f"No process is left to {act}", what, parks


def _awaits(thread: Thread, wait: Edge, words: Words) -> bool:
    return any(one.target == wait.target for one in words.graph.waits_of(thread.id))
