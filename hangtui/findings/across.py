"""Who has the other end of the connection at which a task waits for data, in another process."""

from hangtui.findings.words import Actor, Words
from hangtui.model import FarEnd, NodeId


def far_end(node: NodeId, words: Words) -> FarEnd | None:
    """That of a task; None: it does not wait so, or that is not known."""
    return next((one for one in words.capture.far_ends if one.task == node), None)


def user_there(node: NodeId, words: Words) -> Actor | None:
    """The only task or thread that has it in hand; None: there are several, or it is not known."""
    end = far_end(node, words)
    return words.actor(end.users[0]) if end is not None and len(end.users) == 1 else None
