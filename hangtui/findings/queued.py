"""Calls that lie in an event loop, and would end a wait once that comes to them."""

from hangtui.analysis.waitgraph import Edge
from hangtui.model import NodeKind

_QUEUED = "is queued"


def is_queued(hold: Edge) -> bool:
    """Whether a thread is to set a future since it alone runs the loop in which a call or a
    coroutine lies that was sent there."""
    sent = hold.target.kind is NodeKind.THREAD and hold.source.kind is NodeKind.FUTURE
    return sent and _QUEUED in hold.evidence.text
