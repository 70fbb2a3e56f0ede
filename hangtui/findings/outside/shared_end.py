"""An end of a connection that several processes have since a fork: any of them may read from it."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import clauses, listed
from hangtui.findings.outside.due import in_hand
from hangtui.findings.stack_queries import does, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.two_ends import ends_of, waits_here
from hangtui.findings.words import Words
from hangtui.model import Ends, NodeKind, Process, Thread

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


def read_beside(thread: Thread, words: Words) -> list[Thread]:
    """The threads of other processes that wait, without a timeout, for data from the very same end
    of a TCP connection over which something was asked and answered before, and stand still."""
    wait = words.graph.wait_of(thread.id)
    resource = words.resource(wait.target) if wait else None
    traffic = resource.traffic if resource else None
    if wait is None or traffic is None or ends_of(resource) is None or not _reads(wait, words):
        return []
    if traffic.sent_s is None or traffic.received_s is None:
        return []
    waits = [one for one in words.graph.waiters_of(wait.target) if one.source.pid != thread.pid]
    others = words.threads(one.source for one in waits if _reads(one, words))
    return [one for one in others if stood_s(one, words) >= STILL_S]


def _reads(wait: Edge, words: Words) -> bool:
    return words.operation(wait) == "receive" and not wait.expires


def _served_by(thread: Thread, words: Words) -> str:
    """`` At the other end worker waits at main.py:15 (handle) for data.``, if that is known."""
    own = _ends_of(thread, words)
    there = (
        one
        for one in words.capture.threads()
        if own and (ends := _ends_of(one, words)) and ends.meets(own)
    )
    peer = next(there, None)
    return f" At the other end {does(peer, words, alone=False)}." if peer else ""


def _ends_of(thread: Thread, words: Words) -> Ends | None:
    """Of the connection that it waits for; None: it waits for something else."""
    wait = words.graph.wait_of(thread.id)
    return ends_of(words.resource(wait.target)) if wait else None


def in_title(thread: Thread, words: Words) -> str:
    """``; 4 other processes have the connection as well, since a fork``, or nothing."""
    if beside := read_beside(thread, words):
        names = listed([words.thread_name(one) for one in beside[:NAMES_LISTED]])
        verb = "read" if beside[1:] else "reads"
        return f"; {names} {verb} from the same end of it, and whoever is first takes what comes"
    others = shared_with(thread, words)
    if not others:
        return ""
    who = f"{len(others)} other processes have" if others[1:] else f"process {others[0]} has"
    return f"; {who} the connection as well, since a fork"


def told_shared(thread: Thread, words: Words) -> str:
    """What may have come of that, as a sentence that follows others."""
    if beside := read_beside(thread, words):
        doing = clauses([does(one, words, alone=False) for one in beside[:NAMES_LISTED]])
        return (
            " This very end of the connection is open in several processes, as a fork leaves it, "
            f"and more than one of them waits for its answer there: {doing}. What comes goes to "
            "whoever reads first: one has taken what was meant for the other, or a part of it."
            f"{_served_by(thread, words)}"
        )
    others = shared_with(thread, words)
    if not others:
        return ""
    names = listed([str(pid) for pid in others])
    who = f"Processes {names} have" if others[1:] else f"Process {names} has"
    return (
        f" {who} the same end of this connection, since a fork: what comes goes to whoever reads "
        "first, so one of them may have taken the answer."
    )
