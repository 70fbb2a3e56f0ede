"""What lies in the rings of messages between the processes of a server, as both ends record it."""

from collections.abc import Sequence

from hangtui.findings.english import counted
from hangtui.model import Capture, Pid, RingEnd


def unread_by(pid: Pid, capture: Capture) -> int | None:
    """How many messages lie in the rings that a process reads from; None: it is not known."""
    ends = [end for end in capture.ring_ends if end.pid == pid and not end.writes]
    return sum(end.untaken for end in ends) if ends else None


def command_taken(pid: Pid, capture: Capture) -> str:
    """``, which has taken its last command``, of a worker; empty: it is not known."""
    lies = unread_by(pid, capture)
    if lies is None:
        return ""
    if not lies:
        return ", which has taken the last command"
    one = lies == 1
    return (
        f", which has not taken the {counted(lies, 'command')} that {'lies' if one else 'lie'} in "
        "its ring"
    )


def nothing_lies(pids: Sequence[Pid], capture: Capture) -> list[RingEnd] | None:
    """The ends of rings from which *pids* read, if these of each are known and nothing lies in any;
    None: they are not, or something does."""
    found = []
    for pid in pids:
        ends = [end for end in capture.ring_ends if end.pid == pid and not end.writes]
        if not ends or any(end.untaken for end in ends):
            return None
        found += ends
    return found
