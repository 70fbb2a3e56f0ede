"""Who waits for a lock whose holder has gone on, and waits for its next piece of work with it."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import stood_s, way_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Certainty, NodeId, NodeKind, Thread


def told_kept_on(node: NodeId, words: Words) -> str:
    """`` No function that took Room.key is on its stack any more: it has gone on to wait for work,
    and others wait until it gives that back.``; empty: it is not so."""
    wait = words.graph.wait_of(node)
    if wait is None or not kept_on(node, words):
        return ""
    return (
        f" No function that took {words.name(wait.target)} is seen on the holder's stack any more: "
        "it has gone on to wait for work, and only that thread itself can release it."
    )


def kept_on(node: NodeId, words: Words) -> bool:
    """Whether a thread waits for a lock whose owner is recorded, while that one is met for over a
    second where it takes its next item, outside of what took the lock. Threads that take turns to
    take items wait for the lock before that line, in the same function."""
    wait = words.graph.wait_of(node)
    if wait is None or wait.expires or wait.target.kind is not NodeKind.RLOCK:
        return False
    holds, waiter = words.graph.holders_of(wait.target), words.thread(node)
    holder = words.thread(holds[0].target) if len(holds) == 1 else None
    if waiter is None or holder is None or not _outside(holds[0]):
        return False
    own = words.graph.wait_of(holder.id)
    takes = own is not None and own.target.kind is NodeKind.QUEUE and way_of(own, words) == "get"
    lasts = min(stood_s(waiter, words), stood_s(holder, words)) >= STILL_S
    return takes and lasts and not _take_turns(waiter, holder)


def _outside(hold: Edge) -> bool:
    """Whether the lock says who has it, and no frame of that one is seen to have taken it."""
    return hold.evidence.certainty is Certainty.CERTAIN and hold.evidence.where is None


def _take_turns(waiter: Thread, holder: Thread) -> bool:
    """Whether one is further on in a function that the other is in as well."""
    there = {
        (frame.filename, frame.function): frame.line or 0 for frame in holder.python_stack or ()
    }
    return any(
        (frame.line or 0) < there.get((frame.filename, frame.function), 0)
        for frame in waiter.python_stack or ()
    )
