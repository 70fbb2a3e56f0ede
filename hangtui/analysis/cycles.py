"""Threads and tasks that wait for one another in a ring that nobody can leave."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from hangtui.analysis.edges import Edge
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeId, largest_stuck, weakest

_Key = TypeVar("_Key")

_MOST_STARTS = 50
"""From which the shortest ring is looked for."""
_FEW = 200
"""Up to so many edges, and 20 ms at worst, networkx is not worth its import."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Threads and tasks of which none can go on before another one does."""

    nodes: tuple[NodeId, ...]
    """In the order of waiting; the first one is a thread or a task."""
    edges: tuple[Edge, ...]
    """In the order of *nodes*."""
    certainty: Certainty
    """That of the weakest edge."""


def grouped(pairs: Iterable[tuple[_Key, Edge]]) -> dict[_Key, tuple[Edge, ...]]:
    """The edges of each key, in order."""
    groups: dict[_Key, list[Edge]] = {}
    for key, edge in pairs:
        groups.setdefault(key, []).append(edge)
    return {key: tuple(group) for key, group in groups.items()}


def cycles_of(
    edges: tuple[Edge, ...],
    still: Mapping[NodeId, bool],
    doubtful: Collection[NodeId] = (),
    carriers: Mapping[NodeId, Edge] = MappingProxyType({}),
) -> Iterator[Cycle]:
    """The cycles among *edges*.

    Args:
        edges: the waits and holds.
        still: whether those that wait and hold stood still, in order.
        doubtful: nodes of which something else is known than *edges* say, so that they may get on.
        carriers: of tasks, that they wait for the thread which runs their event loop, whatever else
            they wait for.
    """
    stuck = _stuck(edges, {**still, **dict.fromkeys(doubtful, False)})
    inside = [edge for edge in edges if edge.source in stuck and edge.target in stuck]
    if not inside:
        return
    order = {node_id: index for index, node_id in enumerate(still)}
    ways = grouped((edge.source, edge) for edge in inside)
    loops = {edge.source for edge in inside if edge.source == edge.target}
    narrow = {edge.source for edge in edges if edge.together}, carriers
    found = [
        _cycle(members, _narrowed(members, ways, order, *narrow), order)
        for members in components(inside)
        if any(node in order for node in members) and (len(members) > 1 or members & loops)
    ]
    yield from sorted(found, key=lambda cycle: order[cycle.nodes[0]])


def components(edges: Collection[Edge]) -> Iterator[set[NodeId]]:
    """The strongly connected components of the nodes that *edges* join, in no order.

    networkx finds them, but takes longer to import, 0.18 s of processor time, than a whole look at
    a small process: so the rings of a few dozen threads are found without it.
    """
    return of_few(edges) if len(edges) <= _FEW else of_many(edges)


def of_few(edges: Iterable[Edge]) -> Iterator[set[NodeId]]:
    """By definition: who can be reached from a node, and reaches it. The time grows by the square
    of the number of edges."""
    onward, back = dict[NodeId, set[NodeId]](), dict[NodeId, set[NodeId]]()
    for edge in edges:
        onward.setdefault(edge.source, set()).add(edge.target)
        back.setdefault(edge.target, set()).add(edge.source)
    left = onward.keys() | back.keys()
    while left:
        start = left.pop()
        members = _reached(start, onward) & _reached(start, back)
        left -= members
        yield members


def _reached(start: NodeId, ways: Mapping[NodeId, set[NodeId]]) -> set[NodeId]:
    found = {start}
    pending = [start]
    while pending:
        new = ways.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


def of_many(edges: Iterable[Edge]) -> Iterator[set[NodeId]]:
    """The same by networkx, in a time that grows as the number of edges does."""
    import networkx as nx

    graph: nx.DiGraph[NodeId] = nx.DiGraph()
    graph.add_edges_from((edge.source, edge.target) for edge in edges)
    yield from nx.strongly_connected_components(graph)


def _stuck(edges: tuple[Edge, ...], still: Mapping[NodeId, bool]) -> set[NodeId]:
    """The nodes that no chain of events can free.

    The largest set in which every thread and task stands still and waits, without a timeout, only
    for nodes of the set, and every resource is held, by nodes of the set only. Asking for *all*
    ways to lead back into the set is what keeps a reader lock or a semaphore with one free holder,
    and a thread with a second thing to wake it, out of it. Who waits for the end of several, and
    needs all of them, is in it with one. Nodes that nobody waits for and that hold nothing are left
    out beforehand: they are many, and in no cycle.
    """
    awaited = {edge.target for edge in edges}
    ways_out = grouped((edge.source, edge) for edge in edges if edge.source in awaited)
    return largest_stuck(
        {
            node_id: [way.target for way in ways]
            for node_id, ways in ways_out.items()
            if still.get(node_id, True)
            and not any(way.expires or way.evidence.certainty is Certainty.UNKNOWN for way in ways)
        },
        together=together(edges),
    )


def together(edges: Iterable[Edge]) -> set[NodeId]:
    """Who waits for several that have to end all."""
    return {edge.source for edge in edges if edge.together}


def _narrowed(
    members: set[NodeId],
    ways: Mapping[NodeId, tuple[Edge, ...]],
    order: Mapping[NodeId, int],
    every: Collection[NodeId],
    carriers: Mapping[NodeId, Edge],
) -> Mapping[NodeId, tuple[Edge, ...]]:
    """The ways of the shortest ring among *members* that holds by itself, one that is sure first;
    all *ways*, if there is none, or they are one ring.

    Each step of it is one that has to be taken: the only way, or one of several that are needed
    together (*every* has these), or that a task goes on in the thread of its event loop.
    """
    own = {node: ways.get(node, ()) for node in members}
    if all(len(those) <= 1 for those in own.values()):
        return ways
    tight = {node: those for node, those in own.items() if node in every or len(those) == 1}
    for node in members & carriers.keys():
        if carriers[node].target in members:
            tight[node] = (*tight.get(node, ()), carriers[node])
    sure = {
        node: tuple(way for way in those if way.evidence.certainty.supports_claim)
        for node, those in tight.items()
    }
    starts = sorted((node for node in tight if node in order), key=lambda node: order[node])
    for those in (sure, tight):
        rings = [ring for start in starts[:_MOST_STARTS] if (ring := _back_to(start, those))]
        if rings:
            return {edge.source: (edge,) for edge in min(rings, key=len)}
    return ways


def _back_to(start: NodeId, ways: Mapping[NodeId, tuple[Edge, ...]]) -> list[Edge]:
    """The shortest way from a node back to itself; empty: there is none."""
    came_by: dict[NodeId, Edge] = {}
    pending = [start]
    for node in pending:
        for edge in ways.get(node, ()):
            if edge.target not in came_by:
                came_by[edge.target] = edge
                pending.append(edge.target)
    ring: list[Edge] = []
    node = start
    while node in came_by and (not ring or node != start):
        ring.append(came_by[node])
        node = came_by[node].source
    return ring


def _cycle(
    members: set[NodeId], all_ways: Mapping[NodeId, tuple[Edge, ...]], order: Mapping[NodeId, int]
) -> Cycle:
    members = members & all_ways.keys()
    ways = {
        node: tuple(edge for edge in all_ways.get(node, ()) if edge.target in members)
        for node in members
    }
    start = min((node for node in members if node in order), key=lambda node: order[node])
    nodes: dict[NodeId, None] = {}
    pending = [start]
    while pending:
        node = pending.pop()
        if node not in nodes:
            nodes[node] = None
            pending.extend(edge.target for edge in reversed(ways[node]))
    in_order = tuple(edge for node in nodes for edge in ways[node])
    certainty = weakest(edge.evidence.certainty for edge in in_order)
    return Cycle(tuple(nodes), in_order, certainty)
