"""The nodes and edges of a wait-for graph."""

from enum import StrEnum
from typing import NamedTuple

from hangtui.model import Evidence, NodeId, NodeKind


class Relation(StrEnum):
    """What an edge says of the two nodes that it joins."""

    WAITS_FOR = "waits-for"
    HELD_BY = "held-by"


# Nodes and edges are named tuples: there are thousands of them, and a frozen dataclass takes three
# times as long to make.


class Node(NamedTuple):
    """A thread, a task, a process or a resource."""

    id: NodeId
    kind: NodeKind
    label: str
    pid: int
    tid: int | None
    address: int | None
    known: bool
    """False: something refers to it, but the capture does not contain it, such as the thread that
    took a lock before a fork."""
    name: str | None = None
    """*label* in fewer words, where they are enough."""
    detail: str | None = None
    """What *label* says beyond *name*: ``threading.Lock``, ``in libcuda.so``, ``inode 4711``."""


class Edge(NamedTuple):
    """A wait (from a thread or task) or a hold (from a resource)."""

    source: NodeId
    target: NodeId
    relation: Relation
    evidence: Evidence
    expires: bool = False
    """A wait that gives up by itself."""
    stable: bool = True
    """The thread whose wait or hold it is stood still while it was read; for a task, the thread
    of its event loop."""
    together: bool = False
    """A wait that ends only with all others of the same waiter."""
    answering: tuple[NodeId, ...] = ()
    """Of a wait at a connection: which threads of those that have its other end are to answer, as
    their frames show; empty: that is not known."""
