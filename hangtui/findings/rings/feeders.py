"""Threads that write for others what these put into a queue of ``multiprocessing``, and that wait
for a lock while they pickle it."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.stack_queries import at_own_line, does, index_of, kind_of
from hangtui.findings.words import Words
from hangtui.model import Thread

_FEED, _QUEUES = "_feed", "multiprocessing/queues.py"


def held_up(edges: Iterable[Edge], words: Words) -> tuple[Thread, Edge] | None:
    """The only such thread that waits for a lock which a member of a ring has, and that wait."""
    members = {node for edge in edges for node in (edge.source, edge.target)}
    found = []
    for pid in {thread.pid for thread in words.threads(sorted(members))}:
        process = words.capture.process(pid)
        for thread in process.threads if process else ():
            if thread.id in members or index_of(thread, {_FEED}, _QUEUES) is None:
                continue
            wait = words.graph.wait_of(thread.id)
            if wait is None or kind_of(wait, words) not in PYTHON_LOCKS:
                continue
            if any(hold.target in members for hold in words.graph.holders_of(wait.target)):
                found.append((thread, wait))
    return found[0] if len(found) == 1 else None


def in_title(edges: Iterable[Edge], words: Words) -> str:
    """``; QueueFeederThread is to write what was put, and waits at a.py:9 (__getstate__) for
    Book.lock, which MainThread holds``; empty: there is none."""
    if (found := held_up(edges, words)) is None:
        return ""
    name = words.thread_name(found[0])
    now = does(found[0], words).removeprefix(f"{name} ")
    return f"; {name} is to write what was put, and {now}"


def advice(edges: Iterable[Edge], words: Words) -> str:
    """What to change there; empty: there is none."""
    if (found := held_up(edges, words)) is None:
        return ""
    thread, wait = found
    lock = words.name(wait.target)
    return (
        f"Give {lock} back before you wait for an answer: what was put into the queue is pickled "
        f"by {words.thread_name(thread)}, later on, and that needs the lock"
        f"{at_own_line(thread)}. Or copy what is to be sent before you put it."
    )
