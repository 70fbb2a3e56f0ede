"""What the drawings of the wait-for graph in other languages share: nodes, words, edges."""

from collections.abc import Iterator

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Diagnosis
from hangtui.model import NodeId, Task, Thread, clean

MOST = 300
"""Nodes; a drawing of more is read by nobody."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node and its lines of text."""

    name: str
    """``n0``, ``n1``, ...: valid in every language, whatever the node is called."""
    lines: tuple[str, ...]
    resource: bool
    cyclic: bool


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge between two drawn nodes."""

    source: str
    target: str
    label: str
    sure: bool
    cyclic: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """The part of a graph that has edges; cycles first."""

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    left_out: int
    """Nodes that would have been too many."""


def drawing(diagnosis: Diagnosis) -> Drawing:
    """The wait-for graph of a capture, ready to be written down."""
    capture, graph = diagnosis.capture, diagnosis.graph
    members = [node_id for cycle in graph.cycles for node_id in cycle.nodes]
    ids = dict.fromkeys(members)
    for edge in graph.edges:
        ids |= dict.fromkeys((edge.source, edge.target))
    kept = list(ids)[:MOST]
    names = {node_id: f"n{index}" for index, node_id in enumerate(kept)}
    actors: dict[str, Thread | Task] = {task.id: task for task in capture.tasks}
    actors |= {thread.id: thread for thread in capture.threads()}
    nodes = tuple(
        DrawnNode(
            names[node_id],
            tuple(_lines(graph, node_id, actors.get(node_id))),
            (node := graph.node(node_id)) is not None and node.kind.is_resource,
            node_id in members,
        )
        for node_id in kept
    )
    edges = tuple(
        _edge(graph, edge, names)
        for edge in graph.edges
        if edge.source in names and edge.target in names
    )
    return Drawing(nodes, edges, len(ids) - len(kept))


def _lines(graph: WaitGraph, node_id: str, actor: Thread | Task | None) -> Iterator[str]:
    yield clean(graph.label(node_id), 120)
    where = place(actor) if actor else None
    if where:
        yield clean(where, 120)


def _edge(graph: WaitGraph, edge: Edge, names: dict[NodeId, str]) -> DrawnEdge:
    waits = edge.relation is Relation.WAITS_FOR
    certainty = edge.evidence.certainty
    label = "waits for" if waits else "held by"
    if edge.expires:
        label += ", with a timeout"
    if not certainty.supports_claim:
        label += f" ({certainty.value})"
    cycle = graph.cycle_of(edge.source)
    cyclic = cycle is not None and edge in cycle.edges
    return DrawnEdge(
        names[edge.source], names[edge.target], label, certainty.supports_claim, cyclic
    )
