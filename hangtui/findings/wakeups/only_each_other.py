"""Threads of which each waits for an item that only the others of them could put into a queue, or
for an event or condition that only they could set or notify, as far as all code of the program that
is known shows."""

from collections.abc import Collection, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.pools import waited_s
from hangtui.findings.run_elsewhere import is_inside
from hangtui.findings.stack_queries import way_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Resource, Thread

_SIGNALLED = (NodeKind.EVENT, NodeKind.CONDITION)
"""What is not taken from, but waited for until somebody says so."""


def only_each_other(edges: Sequence[Edge], words: Words) -> bool:
    """Whether the waits *edges* are those of such threads, and were seen for a second."""
    ring = {edge.source for edge in edges}
    threads = words.threads(ring)
    if len(ring) < 2 or len(threads) < len(ring):
        return False
    if any(waited_s(one, words) < STILL_S for one in threads):
        return False
    return all(_is_left_to(ring, threads, edge, words) for edge in edges)


def _is_left_to(
    ring: Collection[NodeId], threads: Sequence[Thread], edge: Edge, words: Words
) -> bool:
    resource = words.resource(edge.target)
    items = edge.target.kind is NodeKind.QUEUE and way_of(edge, words) == "get"
    if not items and edge.target.kind not in _SIGNALLED:
        return False
    if edge.expires or resource is None or not resource.wakers_known:
        return False
    if _elsewhere(resource, threads):
        return False
    comers = coming(words.graph, edge.target, way_of(edge, words))
    others = {one.candidate for one in words.graph.wakers_of(edge.target)}
    read = items or all(one.call for one in comers)  # which call of theirs that would be
    return bool(comers) and read and others.issubset(ring)


def _elsewhere(resource: Resource, threads: Sequence[Thread]) -> bool:
    """Whether something else may end waits for it: code that none of *threads* is in, a signal, a
    timer."""
    code = (one for one in resource.ending_code if not any(is_inside(t, one) for t in threads))
    others = (*resource.called_back, *resource.alike, *resource.named_by, *resource.signals)
    return any(code) or bool(others) or resource.timer_s is not None
