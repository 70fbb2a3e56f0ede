"""Who waits in an object whose own loop has called it for a message, and takes none meanwhile."""

from hangtui.findings.words import Words
from hangtui.model import Dispatched, NodeId, NodeKind, Task

_READ_THERE = {NodeKind.SOCKET, NodeKind.PIPE}
"""Who waits for these takes what comes itself."""


def dispatched(node: NodeId, words: Words) -> Dispatched | None:
    """How a thread or task was called so, if nobody else takes what comes there; else None."""
    wait = words.graph.wait_of(node)
    if wait is not None and wait.target.kind in _READ_THERE:
        return None
    found = (one for one in words.capture.dispatched if one.waiter == node and one.alone)
    return next(found, None)


def dispatches_itself(node: NodeId, words: Words) -> bool:
    """Whether it was called so, and no answer is due over a connection that its thread watches: of
    such a one its peer may still send the end of the wait, which another callback takes."""
    actor = words.actor(node)
    if actor is None or dispatched(node, words) is None:
        return False
    threads = {one.id for one in words.carriers([actor])} if isinstance(actor, Task) else {node}
    watched = (one for one in words.capture.watched if one.thread in threads)
    return not any(one.traffic is not None and one.traffic.sent_last for one in watched)


def short_dispatched(node: NodeId, words: Words) -> str:
    """``; pydle's handle_forever has called on_message for a message, and takes no other
    meanwhile``; or nothing."""
    found = dispatched(node, words)
    if found is None:
        return ""
    loop, called = _function(found.loop), _function(found.called)
    return f"; {found.package}'s {loop} has called {called} for a message, and takes no other"


def told_dispatched(node: NodeId, words: Words) -> str:
    """`` pydle's loop at client.py:412 (handle_forever) has called ...``; or nothing."""
    found, actor = dispatched(node, words), words.actor(node)
    if found is None or actor is None:
        return ""
    return (
        f" {found.package}'s loop at {found.loop} takes one message after the other for that very "
        f"object. It has called {found.called} for one, and takes the next only after this wait; "
        "nobody else takes what comes there. If the next is to end it, "
        f"{words.actor_name(actor)} waits for itself."
    )


def _function(place: str) -> str:
    """``on_message``, of ``bar.py:14 (Barkeeper.on_message)``."""
    return place.partition(" (")[2].rstrip(")").rpartition(".")[2]
