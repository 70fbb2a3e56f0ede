"""What keeps a process from becoming the worker of Ray that a node has started it for: a script
that goes before it, to prepare its environment."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge, Relation
from hangtui.findings.on_the_way import onward
from hangtui.findings.onward import chain
from hangtui.findings.outside.cluster_workers import Workers
from hangtui.findings.stack_queries import does, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, Thread


class Starting(NamedTuple):
    """One that does not come to run Python, by what it waits for."""

    short: str
    """For a title."""
    told: str
    """As sentences."""
    stuck: bool
    """What it waits for is kept by a worker that has nothing to do."""


def starting_worker(there: Workers, words: Words) -> Starting | None:
    """The first such process that waits for a file lock."""
    for node, thread in _scripts(words):
        edges = chain(thread.id, words)
        lock = next((one for one in edges if _for_lock(one)), None)
        if lock is None:
            continue
        held = [one.target.pid for one in edges if one.source == lock.target]
        owner = f", which {words.process_name(held[0])} has" if held else ""
        rests = bool(held) and held[0] in {one.pid for one in there.resting}
        resource = words.resource(lock.target)
        note = f" ({resource.note})" if owner and resource and resource.note else ""
        further = onward(thread.id, words).text.removesuffix(".")
        yet = f"{does(thread, words)}{'.' if further else ''}{further}{owner}{note}"
        return Starting(
            f"; a worker that was started waits for {words.name(lock.target)}{owner}",
            f"{node.title} (process {node.pid}) has started a process that is to become a worker, "
            f"and does not come so far: {yet}.",
            rests and stood_s(thread, words) >= STILL_S,
        )
    return None


def _for_lock(edge: Edge) -> bool:
    return edge.relation is Relation.WAITS_FOR and edge.target.kind is NodeKind.FILE_LOCK


def _scripts(words: Words) -> Iterator[tuple[Process, Thread]]:
    """What nodes of Ray have started that runs no Python."""
    processes = words.capture.processes
    nodes = {one.pid: one for one in processes if one.around and one.around.ray_node}
    for process in processes:
        if process.ppid in nodes and process.python is None and process.threads:
            yield nodes[process.ppid], process.threads[0]
