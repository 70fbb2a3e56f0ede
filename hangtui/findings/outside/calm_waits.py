"""Waits inside of packages that last, and that nothing is wrong with as far as can be seen."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import clauses, joined
from hangtui.findings.library_waits import LOOKS_AFTER_RANKS
from hangtui.findings.on_the_way import enders
from hangtui.findings.outside.due import nothing_due
from hangtui.findings.package_queries import package_entry
from hangtui.findings.services import is_helper
from hangtui.findings.stack_queries import does, index_of, main_thread, name_of, other_side_works
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_LOCKS = (NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.MUTEX)
_CHANNELS = (NodeKind.SOCKET, NodeKind.PIPE)
_ENDED_STATES = ("Z", "X")
_ITERATES = frozenset({"__iter__", "__next__"})
_TELL = frozenset({"watch", "read_events", "event_gen", "iter_events"})
"""How functions of packages are called that tell of what changes by and by, as files do."""

_TAKES_FIRST = frozenset(f"zmq.Socket({sort}).recv" for sort in ("PULL", "REP", "ROUTER"))
"""Calls of objects in C that take what somebody sends of his own accord: nobody owes it."""


def takes_first(thread: Thread) -> bool:
    """Whether it waits for what others may send, unasked, as a worker rests that serves others."""
    return thread.calling in _TAKES_FIRST


def at_work(wait: Edge, words: Words) -> bool:
    """Whether it is for the end of a process that lives, what which does is judged on its own; for
    data from one that is at work; or for a lock of those who come round to the same line."""
    if wait.target.kind in _LOCKS:
        holders = [hold.target for hold in words.graph.holders_of(wait.target)]
        seen = [words.progress.get(one) for one in holders]
        return bool(seen) and all(one is not None and one.returned for one in seen)
    if wait.target.kind in _CHANNELS:
        return other_side_works(wait, words)
    if wait.target.kind is not NodeKind.PROCESS:
        return False
    process = words.capture.process(wait.target.pid) if wait.target.pid else None
    ended = process is not None and process.state in _ENDED_STATES
    resource = words.resource(wait.target)
    return not ended and not (resource and resource.note)  # that it was stopped, say


def hears_items(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it goes through what a package hears by and by (``for message in connection``), and
    those who hand that on wait at connections over which nothing is due."""
    frame = package_entry(thread)
    if frame is None or name_of(frame) not in _ITERATES:
        return False
    hearing = [(one, words.graph.wait_of(one.id)) for one in enders(wait, words)]
    return bool(hearing) and all(
        isinstance(one, Thread)
        and its is not None
        and its.target.kind is NodeKind.SOCKET
        and nothing_due(one, its, words)
        for one, its in hearing
    )


def looks_after(thread: Thread, words: Words) -> list[Thread]:
    """The main threads of ranks for whose end it waits, as the launcher that has started them:
    what each of these does is judged on its own."""
    file, function = LOOKS_AFTER_RANKS
    if index_of(thread, {function}, file) is None:
        return []
    own = [p for p in words.capture.processes if p.ppid == thread.pid and not is_helper(p)]
    return [main for one in own if one.state not in _ENDED_STATES and (main := main_thread(one))]


def told_looked_after(ranks: Sequence[Thread], words: Words) -> str:
    """``These are rank 0 (process 8) and rank 1 (process 9). There, ...``"""
    names = joined([words.process_name(one.pid) for one in ranks[:NAMES_LISTED]])
    now = clauses([does(one, words) for one in ranks])
    return f"{'These are' if len(ranks) > 1 else 'That is'} {names}. There, {now}."


def told_of_changes(thread: Thread) -> bool:
    """Whether it is in a function that tells of changes: between two of them it rests."""
    frame = package_entry(thread)
    return frame is not None and name_of(frame) in _TELL


def passed_on(members: Sequence[tuple[Thread, Edge | None]], words: Words) -> bool:
    """Whether all of these wait for the same, and one of them had it meanwhile and asks again: the
    others get it in turn."""
    targets = {edge.target if edge else None for _, edge in members}
    seen = [words.progress.get(thread.id) for thread, _ in members]
    came_back = any(one is not None and one.returned for one in seen)
    return len(targets) == 1 and None not in targets and came_back
