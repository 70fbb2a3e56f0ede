"""Facts about one thread that exclude each other: then neither is believed.

Who waits for a lock and who holds it are read one after the other. A thread that ran in between may
seem to do both. The pair says nothing but that it moved, so both are cancelled, whichever of them
is better known. Where the thread stood still all the time, both were true at the same moment: that
is what a self-deadlock looks like.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hangtui.analysis.edges import Edge, Relation
from hangtui.model import NodeId, NodeKind

_ONE_HOLDER = {
    NodeKind.GIL,
    NodeKind.MUTEX,
    NodeKind.LOCK,
    NodeKind.RLOCK,
    NodeKind.IMPORT_LOCK,
    NodeKind.ONCE,
    NodeKind.STDIO,
    NodeKind.IO_LOCK,
}
"""What only one can hold, and who holds it does not wait for it unless it is stuck in that for
ever. A semaphore, a rwlock, a pipe may well be held and waited for by one thread."""
_NEVER_AGAIN = NodeKind.RLOCK
"""Its owner never waits for it."""


class Contradiction(NamedTuple):
    """A thread or task that was read to wait for what it was read to hold."""

    wait: Edge
    hold: Edge

    @property
    def actor(self) -> NodeId:
        """Node id of the thread or task."""
        return self.wait.source

    @property
    def resource(self) -> NodeId:
        """Node id of what it is about."""
        return self.wait.target


def contradictions(edges: Iterable[Edge]) -> Iterator[Contradiction]:
    """The pairs among *edges* that cannot both have been true."""
    edges = tuple(edges)
    holds = {
        (edge.target, edge.source): edge for edge in edges if edge.relation is Relation.HELD_BY
    }
    for wait in edges:
        if wait.relation is not Relation.WAITS_FOR:
            continue
        hold = holds.get((wait.source, wait.target))
        kind = wait.target.kind
        if hold is None or kind not in _ONE_HOLDER:
            continue
        if kind is _NEVER_AGAIN or not (wait.stable and hold.stable):
            yield Contradiction(wait, hold)
