"""An answer asked of another rank of the same job, whose thread that is to give it waits in a
collective operation for the one who asks."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.collectives import collective
from hangtui.findings.outside.peer_end import answerers
from hangtui.findings.roles import places_of
from hangtui.findings.stack_queries import at, own_frame
from hangtui.findings.words import Words
from hangtui.model import Thread


def asked_back(thread: Thread, wait: Edge, words: Words) -> Thread | None:
    """The only thread that is to answer *thread*, if it waits in an operation of a job of two ranks
    for the other one, which is the process of *thread* and has no thread in any; None: it is not
    so, or that is not known."""
    places = places_of(words.capture)
    process, mine = words.capture.process(thread.pid), places.get(thread.pid)
    if process is None or mine is None or any(map(collective, process.threads)):
        return None
    there = [one for one in answerers(thread, wait, words) if isinstance(one, Thread)]
    theirs = places.get(there[0].pid) if len(there) == 1 else None
    if theirs is None or theirs.size != mine.size or mine.size != 2 or theirs.rank == mine.rank:
        return None
    return there[0] if there[0].asleep and collective(there[0]) else None


def told_asked_back(thread: Thread, wait: Edge, words: Words) -> str:
    """`` That one is in broadcast for rank 0 itself: ...``; empty: it is not known to be so."""
    other = asked_back(thread, wait, words)
    if other is None:
        return ""
    asker = words.process_name(thread.pid)
    return (
        f" {words.thread_name(other)} is in {collective(other)}{at(own_frame(other))}, and waits "
        f"there for {asker} itself, the only other rank of the job, none of whose threads is in "
        f"such an operation: each of the two waits for the other."
    )


def in_title(thread: Thread, wait: Edge, words: Words) -> str:
    """``, for rank 0 itself``; empty: it is not known to be so."""
    known = asked_back(thread, wait, words)
    return f", for {words.process_name(thread.pid)} itself" if known else ""
