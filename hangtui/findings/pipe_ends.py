"""Who has the other end of a pipe, as far as the chain of waits goes on there."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind


def elsewhere(wait: Edge, holders: list[Actor]) -> list[Actor]:
    """Those in other processes, if there are any: the threads of a process have the end as well
    that it has left open for its children."""
    away = [one for one in holders if one.pid != wait.source.pid]
    return away or holders


def told_gone(wait: Edge, words: Words) -> str:
    """`` Of process 3's children, process 7 (reader0) was ended by SIGKILL.``, of the process that
    waits at a pipe which others of its children have open; empty: none has ended."""
    process = words.capture.process(wait.source.pid)
    if wait.target.kind is not NodeKind.PIPE or process is None:
        return ""
    started = {one.pid for one in (process.around.children if process.around else None) or ()}
    if started.isdisjoint(hold.target.pid for hold in words.graph.holders_of(wait.target)):
        return ""
    return told_ended(ended_children(process), f"{words.process_name(process.pid)}'s")
