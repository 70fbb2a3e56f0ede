"""What actors and workers of a cluster are called in a sentence, and what those do that answer."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import does
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Thread

REMOTE = frozenset({NodeKind.ACTOR, NodeKind.CALL, NodeKind.WORKER})
"""What answers from a process that a cluster has started."""


def through_actor(nodes: Iterable[NodeId]) -> bool:
    """Whether a ring leads through an actor: its members answer one call at a time."""
    return any(node.kind is NodeKind.ACTOR for node in nodes)


def remote_wait(thread: NodeId, words: Words) -> Edge | None:
    """What of a cluster a thread waits for, if it does."""
    waits = words.graph.waits_of(thread)
    return next((wait for wait in waits if wait.target.kind in REMOTE), None)


def busy_in(hold: Edge, words: Words) -> str:
    """What who is to answer does now: ``MainThread of ray::Cart waits at ...``."""
    actor = words.actor(hold.target)
    if isinstance(actor, Thread):
        return does(actor, words)
    name, wait = words.name(hold.target), words.graph.wait_of(hold.target)
    if actor is None or wait is None:
        return name
    return f"{name} {words.waiting(wait)}"
