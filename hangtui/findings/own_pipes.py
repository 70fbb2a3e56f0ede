"""Pipes of which one process has both ends, and nobody else has one."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.words import Words
from hangtui.model import NodeKind

_WITHIN = "pipe within"
"""How the name begins of one that is not there to wake up an event loop of the process."""


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
