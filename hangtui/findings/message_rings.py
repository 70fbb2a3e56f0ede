"""What lies in the rings of messages between the processes of a server, as both ends record it."""

from collections.abc import Sequence
from dataclasses import replace

from hangtui.findings.english import counted
from hangtui.model import Capture, Pid, RingEnd


def unread_by(pid: Pid, capture: Capture) -> int | None:
    """How many messages lie in the rings that a process reads from; None: it is not known."""
    ends = _read_by(pid, capture)
    return sum(end.untaken for end in ends) if ends else None


def command_taken(pid: Pid, capture: Capture, asked: str = "") -> str:
    """``, which has taken the last command``, of a worker; `` to answer load_weights, which it has
    taken``, where it is known what was *asked* of it. Empty: nothing is known."""
    lies = unread_by(pid, capture)
    answers = f" to answer {asked}" if asked else ""
    if lies is None:
        return answers
    has = f"has {'not ' if lies else ''}taken"
    return f"{answers}, which it {has}" if asked else f", which {has} {_last(lies)}"


def command_left(pid: Pid, name: str, capture: Capture) -> str:
    """`` Worker_TP1 has not taken the last command, which lies in its ring of messages.``"""
    lies = unread_by(pid, capture)
    if not lies:
        return ""
    lie = "lies" if lies == 1 else "lie"
    who = f"{name[:1].upper()}{name[1:]}"
    return f" {who} has not taken {_last(lies)}, which {lie} in its ring of messages."


def answerer(pid: Pid, capture: Capture) -> RingEnd | None:
    """The worker's end of the ring in which a process waits for the answer to a command: whom it
    waits for now. None: it is not known."""
    ours = next((one for one in _read_by(pid, capture) if one.asked is not None), None)
    others = [one for one in capture.ring_ends if ours and one.ring == ours.ring and one.writes]
    return replace(others[0], asked=ours.asked) if ours and len(others) == 1 else None


def _read_by(pid: Pid, capture: Capture) -> list[RingEnd]:
    """The ends of rings from which a process reads."""
    return [end for end in capture.ring_ends if end.pid == pid and not end.writes]


def _last(count: int) -> str:
    return "the last command" if count < 2 else f"the last {counted(count, 'command')}"


def nothing_lies(pids: Sequence[Pid], capture: Capture) -> list[RingEnd] | None:
    """The ends of rings from which *pids* read, if these of each are known and nothing lies in any;
    None: they are not, or something does."""
    found = []
    for pid in pids:
        ends = _read_by(pid, capture)
        if not ends or any(end.untaken for end in ends):
            return None
        found += ends
    return found
