"""Whether one waits for what cannot come any more, though its process goes on with other things:
nobody else could have what would bring it, or whoever took from a queue does so no longer."""

from hangtui.findings.enders import enders
from hangtui.findings.resources import of_processes
from hangtui.findings.rest.owed import lasted_s
from hangtui.findings.stack_queries import way_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import NodeId, NodeKind, Resource, Task, Thread

_NEVER_FOR_REST = frozenset({NodeKind.QUEUE, NodeKind.SEMAPHORE, NodeKind.CONDITION})
"""What nobody waits for just to stay: an event or a future of its own may be there for that."""
_LINKS = 3
"""Who could end a wait, and who could end that one's, as far as that is followed."""


def out_of_reach(node: NodeId, words: Words, links: int = _LINKS) -> bool:
    """Whether it has waited for over a second for something to which nobody is on the way, and
    which variables of those that were searched alone lead to; or for items to be taken from a
    queue, which only loops do that nobody runs, or no code that is known; or the only one who could
    end its wait has, and so on for some *links*."""
    resource = _awaited_of_nobody(node, words)
    if resource is None:
        further = _only_ender(node, words) if links else None
        return further is not None and out_of_reach(further, words, links - 1)
    alone = resource.unshared and resource.kind in _NEVER_FOR_REST
    lost = alone or resource.enders_loop or _taken_by_none(node, resource, words)
    return lost and _stayed_s(node, words) >= STILL_S


def _only_ender(node: NodeId, words: Words) -> NodeId | None:
    """The only one who could end its wait, which has no timeout; None: there are several, or none
    is known."""
    wait = words.graph.wait_of(node)
    found = enders(wait, words) if wait is not None and not wait.expires else []
    return found[0].id if len(found) == 1 and found[0].id != node else None


def short_untaken(node: NodeId, words: Words) -> str:
    """``; nobody takes from it, and no code is known that would``, or nothing."""
    resource = _awaited_of_nobody(node, words)
    if resource is None or not _taken_by_none(node, resource, words):
        return ""
    return "; nobody takes from it, and no code is known that would"


def short_behind(node: NodeId, words: Words) -> str:
    """``; nobody takes from Stage.out``: of the last of those who alone could end one another's
    waits, if that waits for room so; empty: it does not."""
    last = node
    for _ in range(_LINKS):
        last = _only_ender(last, words) or last
    wait = words.graph.wait_of(last)
    if last == node or wait is None or wait.target.kind is not NodeKind.QUEUE:
        return ""
    full = way_of(wait, words) == "put" and out_of_reach(last, words, 0)
    return f"; nobody takes from {words.name(wait.target)}" if full else ""


def _awaited_of_nobody(node: NodeId, words: Words) -> Resource | None:
    """What it waits for without a timeout, if nobody is on the way to end that; None: not so."""
    wait = words.graph.wait_of(node)
    known = wait is not None and not wait.expires and nobody_comes(wait, words)
    return words.resource(wait.target) if wait is not None and known else None


def _taken_by_none(node: NodeId, resource: Resource, words: Words) -> bool:
    """Whether it is room in a queue of its own process, and no code is known that would make any:
    who takes from a queue is there as long as something comes."""
    wait = words.graph.wait_of(node)
    known = resource.enders or resource.called_back or resource.alike
    full = wait is not None and wait.target.kind is NodeKind.QUEUE and way_of(wait, words) == "put"
    return full and not known and not of_processes(resource)


def _stayed_s(node: NodeId, words: Words) -> float:
    actor = words.actor(node)
    if isinstance(actor, Task):
        return words.stays.get(node, 0.0)
    return lasted_s(actor, words) if isinstance(actor, Thread) else 0.0
