"""Children that may be meant to send the signal which their parent waits for, and wait for the
parent themselves."""

from hangtui.findings.awaited_signals import awaits_agreed
from hangtui.findings.english import clauses
from hangtui.findings.pool_workers import started_by
from hangtui.findings.stack_queries import does, main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Thread

_ENDS = (NodeKind.PIPE, NodeKind.SOCKET)


def short_children(first: NodeId, words: Words) -> str:
    """``; its child waits for it: MainThread of process 9 waits at ...``; empty: none does."""
    waiting = _waiting_for(first, words)
    return f"; its child waits for it: {does(waiting[0], words)}" if len(waiting) == 1 else ""


def told_children(first: NodeId, words: Words) -> str:
    """`` Meanwhile MainThread of process 9 waits at ..., of which only process 8 has the other
    end. ...``; empty: none does."""
    waiting = [does(one, words) for one in _waiting_for(first, words)[:NAMES_LISTED]]
    if not waiting:
        return ""
    return (
        f" Meanwhile {clauses(waiting)}, of which only process {first.pid} has the other end. A "
        "signal that was sent before the wait began, and not blocked then, does not end it: if "
        "that has been so, each waits for the other."
    )


def _waiting_for(first: NodeId, words: Words) -> list[Thread]:
    """The main threads of children of a process whose thread waits for signals that nobody sends
    who does not know the program, if they wait for what only that process could bring."""
    actor = words.actor(first)
    if not isinstance(actor, Thread) or not awaits_agreed(actor):
        return []
    found = []
    for child in started_by(actor.pid, words.capture):
        main = main_thread(child)
        wait = words.graph.wait_of(main.id) if main else None
        if main is None or wait is None or wait.expires or wait.target.kind not in _ENDS:
            continue
        if {hold.target.pid for hold in words.graph.holders_of(wait.target)} == {actor.pid}:
            found.append(main)
    return found
