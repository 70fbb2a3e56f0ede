"""A cycle of the wait-for graph as rows: one per node, and who waits behind it below."""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import Cycle, Edge, Relation, WaitGraph
from hangtui.model import Capture, Task, Thread
from hangtui.report.drawing import Signs, cut, pad

_LABEL = 36
_DEPTH = 6
_WAITERS = 8


Actors = Mapping[str, Thread | Task]
"""Threads and tasks by their node ids."""


def actors_of(capture: Capture) -> Actors:
    """All that can be in a cycle."""
    actors: dict[str, Thread | Task] = {task.id: task for task in capture.tasks}
    return actors | {thread.id: thread for thread in capture.threads()}


def cycle_rows(
    cycle: Cycle, actors: Actors, graph: WaitGraph, signs: Signs, width: int
) -> list[str]:
    """The rows of *cycle*."""
    return [cut(row, width, signs.more) for row in _Rows(cycle, actors, graph, signs).rows()]


class _Rows:
    def __init__(self, cycle: Cycle, actors: Actors, graph: WaitGraph, signs: Signs) -> None:
        self.cycle, self.graph, self.signs = cycle, graph, signs
        self.actors = actors
        self.ways: dict[str, list[Edge]] = {}
        for edge in cycle.edges:
            self.ways.setdefault(edge.source, []).append(edge)
        self.shown = set(cycle.nodes)

    def rows(self) -> Iterator[str]:
        for index, node_id in enumerate(self.cycle.nodes):
            out = self.ways.get(node_id, [])
            lane = self.signs.ring if _sure(out) else self.signs.ring_inferred
            yield f"{self.signs.ring_start if index == 0 else lane}{self._member(index, out)}"
            for row in self._behind(node_id, 1):
                yield f"{self.signs.ring}  {row}"
        yield self.signs.ring_end

    def _member(self, index: int, out: list[Edge]) -> str:
        node_id = self.cycle.nodes[index]
        waits = out[0].relation is Relation.WAITS_FOR
        verb = ("waits for" if waits else "held by") + ("" if _sure(out) else "?")
        text = f"{pad(self._label(node_id), _LABEL, self.signs.more)} {verb} {self._to(index, out)}"
        actor = self.actors.get(node_id)
        line = place(actor, out[0].evidence.where) if actor else None
        return f"{text}  {line}" if line else text

    def _to(self, index: int, out: list[Edge]) -> str:
        nodes = self.cycle.nodes
        if [edge.target for edge in out] == list(nodes[index + 1 : index + 2]):
            return self.signs.down
        names = ", ".join(self.graph.label(edge.target) for edge in out)
        return f"{self.signs.up} {names}" if index + 1 == len(nodes) else names

    def _behind(self, node_id: str, depth: int) -> Iterator[str]:
        """Who waits for this node, and for what those hold, nested."""
        # Through a thread lead its other locks; a resource is waited for by threads.
        sources = [edge.source for edge in self.graph.waiters_of(node_id)]
        sources += [
            edge.source
            for edge in self.graph.held_by(node_id)
            if self.graph.waiters_of(edge.source)
        ]
        fresh = [source for source in sources if source not in self.shown]
        if fresh and depth > _DEPTH:
            yield f"{self.signs.behind}{self.signs.more} deeper"
            return
        for source in fresh[:_WAITERS]:
            self.shown.add(source)
            yield f"{self.signs.behind}{self._label(source)}"
            for row in self._behind(source, depth + 1):
                yield f"   {row}"
        if len(fresh) > _WAITERS:
            yield f"{self.signs.behind}{self.signs.more} {len(fresh) - _WAITERS} more"

    def _label(self, node_id: str) -> str:
        node = self.graph.node(node_id)
        is_resource = node is not None and node.kind.is_resource
        sign = self.signs.resource if is_resource else self.signs.thread
        return f"{sign} {self.graph.label(node_id)}"


def _sure(edges: Sequence[Edge]) -> bool:
    """Whether a deadlock may be claimed on all of them."""
    return all(edge.evidence.certainty.supports_claim for edge in edges)
