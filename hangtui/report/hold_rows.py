"""What a thread or a task holds, one line for each thing."""

from collections.abc import Iterator

from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.model import NodeKind


def hold_rows(graph: WaitGraph, holder: str) -> Iterator[str]:
    """``holds jobs_lock, taken at app.py:9 (proven)``; *holder*: a node id."""
    for hold in graph.held_by(holder):
        where = hold.evidence.where
        taken = f", taken at {short_path(where)}" if where else ""
        node = graph.node(hold.source)
        to_set = node is not None and node.kind in (NodeKind.FUTURE, NodeKind.EVENT)
        verb = "has to set" if to_set else "holds"
        yield f"{verb} {graph.label(hold.source)}{taken} ({hold.evidence.certainty})"
