"""Pipes and connections of which one process has both ends, and nobody else has one."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Resource, Thread

_WITHIN = "pipe within"
"""How the name begins of one that is not there to wake up an event loop of the process."""

_NAMED = "FIFO "
"""The same of one that has a name in the file system."""


def is_named(resource: Resource | None) -> bool:
    """Whether it is a FIFO, which any process may open by its name."""
    return resource is not None and (resource.name or "").startswith(_NAMED)


def told_left_by_children(thread: Thread, words: Words) -> str:
    """`` Of its children, process 8 (python3) ended with status 0. Nobody sees an end of what is
    left open here.``, of who waits at a connection whose other end its own process has alone: one
    of these may have been meant to answer; empty: none has ended."""
    process = words.capture.process(thread.pid)
    gone = told_ended(ended_children(process), "its") if process else ""
    end = " The other end is still open in this very process, so that no end of it comes."
    return f"{gone}{end}" if gone else ""


def told_own_pipe(wait: Edge, words: Words) -> str:
    """`` Only this same process has the writing end of that pipe open: ...``, of who reads from it;
    empty: somebody else has it too, or that is not known."""
    resource, process = words.resource(wait.target), words.capture.process(wait.source.pid)
    if wait.target.kind is not NodeKind.PIPE or words.operation(wait) != "read":
        return ""
    if resource is None or process is None or resource.note:  # a named one may be opened by others
        return ""
    known = next((one for one in words.capture.inward if one.thread == wait.source), None)
    if known is None or known.accepts or known.ends != (process.pid,):
        return ""
    if not (resource.name or "").startswith(_WITHIN):
        return ""
    more = "a thread of it writes or closes that end" if process.threads[1:] else "it does so"
    return (
        " Only this same process has the writing end of that pipe open itself, so that neither "
        f"data nor an end comes before {more}."
    )
