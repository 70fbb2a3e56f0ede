"""When a ring of which a part is only inferred can end no more, whichever way that part is read.

Who took a plain lock or a unit of a semaphore is inferred where it was taken by ``acquire()``. But
where each thread of the process waits, without an end, for what only another one of them can give,
nobody is left to release it, whoever took it; and where all frames were searched, and nobody's
refer to a semaphore but those of the ring's members, nobody can come to do so.
"""

from collections.abc import Collection, Sequence

from hangtui.analysis.waitgraph import Cycle, Edge, Relation
from hangtui.analysis.wakers import coming
from hangtui.findings.beyond_doubt import nobody_will
from hangtui.findings.inert import all_waits
from hangtui.findings.words import Actor, Words
from hangtui.model import CouldWake, NodeId, NodeKind, Process, Thread

WHY_NEVER = "whoever took it: nobody is left in the process who could release it"
_TAKEN = (NodeKind.LOCK, NodeKind.SEMAPHORE)


def never_ends(cycle: Cycle, members: Sequence[Actor], words: Words) -> bool:
    """Whether a ring is known to be one for good although a hold in it is inferred."""
    threads = [one for one in members if isinstance(one, Thread)]
    pids = {node.pid for node in cycle.nodes}
    inferred = [edge for edge in cycle.edges if not edge.evidence.certainty.supports_claim]
    if len(threads) < len(members) or len(pids) > 1:
        return False
    if any(
        edge.relation is not Relation.HELD_BY or edge.source.kind not in _TAKEN for edge in inferred
    ):
        return False
    (process,) = (one for one in words.capture.processes if one.pid in pids)
    if not nobody_will(process, threads, words):
        return False
    return all_wait(process, words) or all(
        _known_to_them_alone(edge.source, threads, words) for edge in inferred
    )


def all_wait(process: Process, words: Words) -> bool:
    """Whether each thread of *process* waits for good for what only another one can give."""
    waits = all_waits(process, words)
    return bool(waits) and nobody_will(process, [thread for thread, _ in waits], words)


def _known_to_them_alone(node: NodeId, members: Sequence[Thread], words: Words) -> bool:
    """Whether nobody but *members* is seen to refer to a semaphore."""
    resource = words.resource(node)
    if node.kind is not NodeKind.SEMAPHORE or resource is None or not resource.wakers_known:
        return False
    own = {one.id for one in members}
    return all(one.candidate in own for one in words.graph.wakers_of(node))


def may_be_given(cycle: Cycle, members: Sequence[Actor], words: Words) -> bool:
    """Whether somebody else may give what a ring of inferred holds waits for: units of a semaphore
    come from whoever refers to it, and need not come back from who took one."""
    own = {one.id for one in members}
    for edge in cycle.edges:
        sure = edge.evidence.certainty.supports_claim
        if sure or edge.relation is not Relation.HELD_BY:
            continue
        if edge.source.kind is not NodeKind.SEMAPHORE:
            continue
        if any(not _stuck(one.candidate, own, cycle, words) for one in _coming(edge, words)):
            return True
        others = (w.candidate for w in words.graph.wakers_of(edge.source))
        if any(one not in own and _works(words.actor(one)) for one in others):
            return True
    return False


def _coming(edge: Edge, words: Words) -> tuple[CouldWake, ...]:
    return coming(words.graph, edge.source, None)


def _stuck(actor: NodeId, own: Collection[NodeId], cycle: Cycle, words: Words) -> bool:
    """Whether it waits, without an end, in the ring or for something in it."""
    return actor in own or any(
        wait.target in cycle.nodes and not wait.expires for wait in words.graph.waits_of(actor)
    )


def _works(actor: Actor | None) -> bool:
    """Whether it may be on a way that was not seen: who sleeps comes to nothing but what was."""
    return actor is None or (isinstance(actor, Thread) and not actor.asleep)
