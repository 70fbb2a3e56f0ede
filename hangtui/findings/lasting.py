"""Threads that stand still in a wait that does not end by itself."""

from collections.abc import Mapping
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.model import NodeId, NodeKind, Thread


class Lasting(NamedTuple):
    """A thread that stands still in a wait without a timeout."""

    thread: Thread
    wait: Edge
    """The best known one, where it waits for several things."""
    kind: NodeKind | None
    """What it waits for."""


def lasting_of(threads: Mapping[NodeId, Thread], graph: WaitGraph) -> Mapping[NodeId, Lasting]:
    """Those among *threads*, both by node id."""
    found = {}
    for node_id, thread in threads.items():
        waits = graph.waits_of(node_id) if thread.blocked else ()
        wait = graph.wait_of(node_id)
        if wait is not None and waits and not any(one.expires for one in waits):
            node = graph.node(wait.target)
            found[node_id] = Lasting(thread, wait, node.kind if node else None)
    return found
