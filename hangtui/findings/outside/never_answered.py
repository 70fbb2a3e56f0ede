"""Whether those are to answer soon whom a thread has asked over a connection."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import gives_up, goes_on, moves
from hangtui.findings.outside.peer_end import answerers
from hangtui.findings.stack_queries import other_side_works
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Task, Thread

_LINKS = 4
"""Connections that are followed, one behind the other."""


def never_answered(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it sent something over a second ago, never got anything, and whoever should answer is
    not seen to go on; nor did it come round to this from an earlier request, which was answered,
    nor is it to give up within the minute, by a timeout that has not been over yet."""
    if not wait.expires and moves(thread, words):
        return False
    resource = words.resource(wait.target)
    traffic = resource.traffic if resource else None
    if traffic is None or traffic.accepted:
        return False
    silent = traffic.received_s is None and (traffic.sent_s or 0.0) >= STILL_S
    works = (
        gives_up(thread, wait, words)
        or other_side_works(wait, words)
        or answer_comes(thread, wait, words)
    )
    return silent and not works


def answer_comes(thread: Thread, wait: Edge, words: Words, links: int = _LINKS) -> bool:
    """Whether all of whom one is to answer go on by the clock, or have asked over a connection in
    their turn, where that is so."""
    there = answerers(thread, wait, words)
    return bool(there) and all(goes_on(one, words) or _asks_on(one, words, links) for one in there)


def _asks_on(actor: Thread | Task, words: Words, links: int) -> bool:
    wait = words.graph.wait_of(actor.id) if isinstance(actor, Thread) and links else None
    if not isinstance(actor, Thread) or wait is None or wait.target.kind is not NodeKind.SOCKET:
        return False
    return answer_comes(actor, wait, words, links - 1)
