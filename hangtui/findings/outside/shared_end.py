"""An end of a connection that several processes have since a fork: any of them may read from it."""

from hangtui.findings.english import listed
from hangtui.findings.outside.due import in_hand
from hangtui.findings.two_ends import waits_here
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, Thread

ADVICE = (
    "Connect in each process, after the fork, or close the connection before it "
    "(os.register_at_fork): processes that share one take the answers of one another."
)


def shared_with(thread: Thread, words: Words) -> list[int]:
    """The processes that have its own end of the connection as well, where one was forked from
    another; the peer that waits for more from there is what shows who has it."""
    there = in_hand(thread, words)
    if not waits_here(thread, there, words):
        return []
    pids = {
        hold.target.pid
        for one in there
        for wait in words.graph.waits_of(one.id)
        if wait.target.kind is NodeKind.SOCKET
        for hold in words.graph.holders_of(wait.target)
    }
    known = [one for pid in pids if (one := words.capture.process(pid))]
    if len(known) < len(pids) or not any(_forked_within(one, pids) for one in known):
        return []
    return sorted(pids - {thread.pid})


def _forked_within(process: Process, pids: set[int]) -> bool:
    return process.around is not None and process.around.forked_from in pids


def in_title(thread: Thread, words: Words) -> str:
    """``; 4 other processes have the connection as well, since a fork``, or nothing."""
    others = shared_with(thread, words)
    if not others:
        return ""
    who = f"{len(others)} other processes have" if others[1:] else f"process {others[0]} has"
    return f"; {who} the connection as well, since a fork"


def told_shared(thread: Thread, words: Words) -> str:
    """What may have come of that, as a sentence that follows others."""
    others = shared_with(thread, words)
    if not others:
        return ""
    names = listed([str(pid) for pid in others])
    who = f"Processes {names} have" if others[1:] else f"Process {names} has"
    return (
        f" {who} the same end of this connection, since a fork: what comes goes to whoever reads "
        "first, so one of them may have taken the answer."
    )
