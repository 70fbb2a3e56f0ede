"""Children that have ended, and may have been to write what is waited for at a pipe."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.child_ends import INHERITED, ended_children, told_ended
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind


def ended_beside(wait: Edge | None, words: Words) -> str:
    """`` Of process 3's children, process 7 (python3) was ended by SIGKILL.``, of who waits at a
    pipe, whose other end the children of such a child may have open still, or at a socket of a
    child; empty: nobody waits so, or none has ended."""
    process = words.capture.process(wait.source.pid) if wait else None
    if process is None or wait is None or wait.target.kind not in INHERITED:
        return ""
    holders = {hold.target.pid for hold in words.graph.holders_of(wait.target)}
    known = {child.pid for child in (process.around.children if process.around else None) or ()}
    if wait.target.kind is not NodeKind.PIPE and not holders & known:
        return ""
    return told_ended(ended_children(process), f"process {process.pid}'s")


def writers_gone(nodes: Iterable[NodeId], words: Words) -> str:
    """What `ended_beside` says of the first of *nodes* of which it says something."""
    told = (ended_beside(words.graph.wait_of(one), words) for one in nodes)
    return next(filter(None, told), "")
