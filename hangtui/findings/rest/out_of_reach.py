"""Whether one waits for what cannot come any more, though its process goes on with other things:
nobody else could have what would bring it, or whoever took from a queue does so no longer."""

from hangtui.findings.rest.owed import lasted_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import NodeId, NodeKind, Task, Thread

_NEVER_FOR_REST = frozenset({NodeKind.QUEUE, NodeKind.SEMAPHORE, NodeKind.CONDITION})
"""What nobody waits for just to stay: an event or a future of its own may be there for that."""


def out_of_reach(node: NodeId, words: Words) -> bool:
    """Whether it has waited for over a second for something to which nobody is on the way, and
    which variables of those that were searched alone lead to; or for items to be taken from a
    queue, which only loops do that nobody runs."""
    wait = words.graph.wait_of(node)
    resource = words.resource(wait.target) if wait else None
    if wait is None or wait.expires or resource is None or not nobody_comes(wait, words):
        return False
    alone = resource.unshared and resource.kind in _NEVER_FOR_REST
    return (alone or resource.enders_loop) and _stayed_s(node, words) >= STILL_S


def _stayed_s(node: NodeId, words: Words) -> float:
    actor = words.actor(node)
    if isinstance(actor, Task):
        return words.stays.get(node, 0.0)
    return lasted_s(actor, words) if isinstance(actor, Thread) else 0.0
