"""What actors and workers of a cluster are called in a sentence, and who waits for them."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind

REMOTE = frozenset({NodeKind.ACTOR, NodeKind.CALL, NodeKind.WORKER})
"""What answers from a process that a cluster has started."""


def through_actor(nodes: Iterable[NodeId]) -> bool:
    """Whether a ring leads through an actor: its members answer one call at a time."""
    return any(node.kind is NodeKind.ACTOR for node in nodes)


def remote_wait(thread: NodeId, words: Words) -> Edge | None:
    """What of a cluster a thread waits for, if it does."""
    waits = words.graph.waits_of(thread)
    return next((wait for wait in waits if wait.target.kind in REMOTE), None)
