"""Who would have to act at the other end of a pipe or connection that a ring goes through."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.stack_queries import at_own_line, does
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Source, Thread


def told_needed(wait: Edge, holds: Sequence[Edge], words: Words) -> str:
    """Who would have to act at the other end."""
    names = [words.name(edge.target) for edge in holds]
    if is_process(wait.target, words) or not names:
        return ""
    # The kernel knows which process has it; whoever else is there could not act first.
    if all(hold.target.pid == wait.source.pid and _counted(hold) for hold in holds):
        return f", whose other end its own process has, where only {joined(names)} could act first"
    way = {
        "read": " that only {} can write",
        "end": " that only {} can close",
        "write": " and which only {} can read",
        "open": ", which nobody has open, and {} may open",
    }
    if (form := way.get(words.operation(wait) or "")) is not None:
        process = _with_more_threads(wait, words)
        first = f", where {joined(names)} would have to go on first" if process else ""
        return form.format(process or joined(names)) + first
    if hands := [does(one, words) for one in in_hand(wait, holds, words)]:
        process = words.process_name(holds[0].target.pid)
        return (
            f", the other end of which {process} has, where {joined(names)} would have to go on "
            f"first: {joined(hands)}"
        )
    return f", the other end of which {joined(names)} {'has' if len(names) == 1 else 'have'}"


def in_hand(wait: Edge, holds: Sequence[Edge], words: Words) -> list[Thread]:
    """The threads of one other process that have the other end of a connection in hand, where none
    of them could act first."""
    pids = {hold.target.pid for hold in holds}
    if len(pids) != 1 or not all(map(_counted, holds)):
        return []
    able = {hold.target for hold in holds}
    hands = words.threads(wait.answering) if able.isdisjoint(wait.answering) else []
    return [one for one in hands[:NAMES_LISTED] if one.id.pid in pids]


def in_hand_in_title(edges: Sequence[Edge], words: Words) -> str:
    """``; handler has that in hand at main.py:9 (serve)``, of the first connection of a ring whose
    other end is in the hands of threads that are not in it."""
    held: dict[NodeId, list[Edge]] = {}
    for edge in edges:
        held.setdefault(edge.source, []).append(edge)
    for wait in edges:
        holds = held.get(wait.target, [])
        if hands := in_hand(wait, holds, words) if holds and words.is_channel(wait.target) else []:
            names = joined([f"{words.thread_name(one)}{at_own_line(one)}" for one in hands])
            verb = "has" if len(hands) == 1 else "have"
            return f"; {names} {verb} the other end in hand"
    return ""


def _counted(hold: Edge) -> bool:
    """Whether it follows from who of its process could act at all, and not from what its frames
    refer to: that is inferred."""
    evidence = hold.evidence
    return evidence.source is Source.PROCFS and evidence.certainty.supports_claim


def _with_more_threads(wait: Edge, words: Words) -> str:
    """The one other process that has the other end, if it has Python threads besides those that
    could act first: any of them may be meant to write; empty: it has none, or they are several."""
    ends = [edge.target for edge in words.graph.holders_of(wait.target)]
    pids = {end.pid for end in ends}
    alone = len(pids) == 1 and wait.source.pid not in pids
    process = words.capture.process(next(iter(pids))) if alone else None
    if process is None:
        return ""
    left = [one for one in process.threads if one.is_python and one.id not in ends]
    return words.process_name(process.pid) if left else ""


def is_process(node_id: NodeId, words: Words) -> bool:
    """Whether it is a whole process."""
    node = words.graph.node(node_id)
    return node is not None and node.kind is NodeKind.PROCESS
