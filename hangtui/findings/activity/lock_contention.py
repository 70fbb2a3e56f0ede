"""Threads that queue for a lock, outside of any ring of waits."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.english import counted, listed, stillness
from hangtui.findings.grounds import REASSURANCE
from hangtui.findings.reassurance import Reassures
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.stack_queries import at, idle_worker, kind_of, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Handover, NodeId, NodeKind, Severity, Thread

ID = "lock-contention"
GROUND = REASSURANCE
HELP = """\
Several threads queue for one lock, and its holder is not part of a ring of waits.

How it is known: who waits and who holds as for [deadlock](deadlock.md). Only if several looks
(`hangtui check`) saw different holders is it said that each gets it in turn: slow perhaps, but not
hung. One look cannot tell a queue that moves from one that does not.
"""
REASSURES = {ID: Reassures.THREADS}

_UNSEEN = "whether the lock changes hands: hangtui check looks several times"
_LOCKS = PYTHON_LOCKS - {NodeKind.CONDITION} | {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.IO_LOCK,
    NodeKind.STDIO,
}
"""What has an owner: who waits for a condition waits to be told of something."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each lock that two threads or more wait for and whose holder is known."""
    words = words_of(capture, graph)
    found = []
    passed_on = {one.resource for one in capture.handovers}
    for lock in (node.id for node in graph.nodes if node.kind in _LOCKS):
        waits = [wait for wait in graph.waiters_of(lock) if _queues(wait, words)]
        if not waits:
            continue
        holds = graph.holders_of(lock)
        holder = words.thread(holds[0].target) if len(holds) == 1 else None
        moves = lock in passed_on or any(not wait.stable for wait in waits)
        if holder is None and moves and len(waits) > 1:
            found.append(_finding(lock, waits, None, words))
        elif holder is not None and not graph.cycle_of(lock) and _queue(waits, holds[0], words):
            found.append(_finding(lock, waits, (holder, holds[0]), words))
    return found


def _queues(wait: Edge, words: Words) -> bool:
    """Whether it is the wait of a thread, and of none that waits for its next task."""
    thread = words.thread(wait.source)
    return thread is not None and not idle_worker(thread)


def _queue(waits: list[Edge], hold: Edge, words: Words) -> bool:
    """Whether several wait, or one for a thread that sleeps over something else than a lock."""
    if hold.evidence.certainty is Certainty.UNKNOWN:
        return False
    holder = words.thread(hold.target)
    own = words.graph.wait_of(hold.target)
    busy_elsewhere = own is None or kind_of(own, words) not in _LOCKS
    sleeps = holder is not None and holder.still is True and busy_elsewhere
    return len(waits) > 1 or (sleeps and waits[0].stable)


def _finding(
    lock: NodeId, waits: list[Edge], held: tuple[Thread, Edge] | None, words: Words
) -> Finding:
    name = words.name(lock)
    waiters = [t for wait in waits if (t := words.thread(wait.source))]
    names = words.listed(waiters)
    frame = own_frame(waiters[0]) if waiters else None
    holder = held[0] if held else None
    ran = holder is None or holder.still is not True
    state = "ran while it was watched" if ran else "stood still while it was watched"
    by = f"held by {words.thread_name(holder)}" if holder else "whose holder was not found"
    told = f"It is {by}, which {state}." if holder else "Its holder was not found."
    does = f" It is{at(own_frame(holder))}." if holder and own_frame(holder) else ""
    verb = "waits" if len(waiters) == 1 else "wait"
    threads = [*waiters, *([holder] if holder else [])]
    passed = next((one for one in words.capture.handovers if one.resource == lock), None)
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{counted(len(waiters), 'thread')} {verb} for {name}, {by}",
        sentence=(
            f"{counted(len(waiters), 'thread')} {verb} for {name}{at(frame)}: {names}. "
            f"{told}{does} {_judged(passed)}"
        ),
        threads=tuple(ref(thread) for thread in threads),
        resources=(lock,),
        subject=lock,
        evidence=(
            *(words.reading(wait) for wait in waits[:NAMES_LISTED]),
            *((words.reading(held[1]),) if held else ()),
            _ran(waiters, holder, words),
            *([f"{passed.holders} holders in {passed.looks} looks that saw one"] if passed else []),
        ),
        unknown=(
            "how long each of them has to wait",
            *([] if passed else [_UNSEEN]),
        ),
        advice=(
            (f"Do less under {name}{at(own_frame(holder) if holder else frame)}: no sleeping, no "
            "I/O, no logging; copy under the lock and work outside it."),
        ),
    )  # fmt: skip


def _judged(passed: Handover | None) -> str:
    """What can be said of the queue: that it moves only if that was seen."""
    if passed is None:
        return (
            "It is in no ring of waits. It was not seen to change hands, so this may be "
            "contention, or a holder that keeps it."
        )
    return (
        f"It changed hands between the looks, {passed.holders} threads had it: this is lock "
        "contention, not a ring of waits. Each gets it in turn."
    )


def _ran(waiters: list[Thread], holder: Thread | None, words: Words) -> str:
    """Who of them ran, by the kernel's count."""
    those = [*waiters, *([holder] if holder else [])]
    ran = [words.thread_name(thread) for thread in those if thread.still is not True]
    if not ran:
        return stillness(those)
    return f"{listed(ran)} ran while it was watched"
