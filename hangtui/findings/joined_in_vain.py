"""A thread whose end another one waits for, and which waits for an item that nobody puts."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import does, kind_of, way_of
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import NodeId, NodeKind

_LINKS = 8
"""Threads that wait for the end of one another, which are followed."""


def gets_no_more(wait: Edge, words: Words) -> bool:
    """Whether it is for an item that nobody is on the way to put, and no code that is known
    would."""
    resource = words.resource(wait.target)
    if resource is None or wait.expires or kind_of(wait, words) is not NodeKind.QUEUE:
        return False
    if way_of(wait, words) != "get" or resource.id.shared or resource.sharers:
        return False
    known = resource.enders or resource.called_back or resource.alike or resource.signals
    return not known and nobody_comes(wait, words)


def joined_in_vain(first: NodeId, words: Words) -> Edge | None:
    """The wait of a thread for whose end it waits, or at the end of several such, that is so; None:
    it is not."""
    seen: set[NodeId] = set()
    while first not in seen and len(seen) < _LINKS:
        seen.add(first)
        wait = words.graph.wait_of(first)
        if wait is None or wait.expires or wait.target.kind is not NodeKind.THREAD:
            break
        first = wait.target
        own = words.graph.wait_of(first)
        if own is not None and gets_no_more(own, words):
            return own
    return None


def short_joined(first: NodeId, words: Words) -> str:
    """``; stage-0 waits at app.py:6 (stage) for an item of todo, and nobody is left to put one``;
    empty: it does not wait for the end of such a thread."""
    wait = joined_in_vain(first, words)
    thread = words.thread(wait.source) if wait else None
    return f"; {does(thread, words)}, and nobody is left to put one" if thread else ""
