"""Who has the other end of the connection at which a task waits for data, in another process."""

from hangtui.findings.given_work import in_request
from hangtui.findings.stack_queries import below_application
from hangtui.findings.words import Actor, Words
from hangtui.model import FarEnd, NodeId, Task


def far_end(node: NodeId, words: Words) -> FarEnd | None:
    """That of a task; None: it does not wait so, or that is not known."""
    return next((one for one in words.capture.far_ends if one.task == node), None)


def short_paused(node: NodeId, words: Words) -> str:
    """``; process 12 (depot.py) has the other end, and its protocol Gate has paused reading``; or
    nothing."""
    end = far_end(node, words)
    if end is None or end.paused is None:
        return ""
    by = f"its protocol {end.paused} has" if end.paused else "its protocol has"
    return f"; {_who(end)} has the other end, and {by} paused reading from it"


def told_paused(node: NodeId, words: Words) -> str:
    """`` There, nothing more is read from that connection before resume_reading() ...``, as a
    sentence; or nothing."""
    end = far_end(node, words)
    if end is None or end.paused is None:
        return ""
    seen = "" if end.users else ", and no task there is seen to have it in hand"
    return (
        f" {_who(end)[:1].upper()}{_who(end)[1:]} reads no more from that connection before "
        f"resume_reading() of its transport is called{seen}."
    )


def _who(end: FarEnd) -> str:
    return end.name.rpartition(" to ")[2]


def user_there(node: NodeId, words: Words) -> Actor | None:
    """The only task or thread that has it in hand; None: there are several, or it is not known."""
    end = far_end(node, words)
    return words.actor(end.users[0]) if end is not None and len(end.users) == 1 else None


def answers_there(node: NodeId, words: Words) -> Actor | None:
    """The same, of who is to answer: the task of a server's that only reads what comes next over
    it does not, where others carry out its requests. None: also if these are several."""
    there = user_there(node, words)
    if not isinstance(there, Task) or not there.awaits_data or below_application(there):
        return there
    loop = (there.pid, there.loop)
    requests = [
        one for one in words.capture.tasks if (one.pid, one.loop) == loop and in_request(one)
    ]
    if not requests:
        return there
    return requests[0] if len(requests) == 1 else None
