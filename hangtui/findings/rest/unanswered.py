"""Whether a process that stands still waits for an answer that is due: all that could wake it is
who has the other ends of the connections by which it has asked."""

from collections.abc import Collection

from hangtui.analysis.places import application_index
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.english import joined, lasting
from hangtui.findings.inert import waits_for_work
from hangtui.findings.on_the_way import doing
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.stack_queries import at_work
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeId, Process, Task, Thread, Watched, thread_id

_FEW = 2
"""Who are told at the other end: among more, nothing shows who is to answer."""


def peers(loops: Collection[NodeId], process: Process, words: Words) -> list[Watched]:
    """The connections to others that wake up a process with one event loop, besides which it has
    nothing but idle workers; empty: something else wakes it, or may. *loops*: the threads that run
    the loops of its tasks."""
    found = [one for one in words.capture.watched if one.thread in loops]
    loop = [one for one in words.capture.event_loops if one.pid == process.pid]
    others = [one for one in process.threads if one.id not in loops]
    alone = len(loop) == len(process.threads) - len(others) == 1
    if not alone or any(map(is_own, found)) or not all(map(waits_for_work, others)):
        return []
    quiet = [(one.watched, one.timers, one.signal_handlers) for one in loop]
    return found if quiet == [(len(found), 0, 0)] else []


def unanswered(connections: Collection[Watched], words: Words) -> bool:
    """Whether the process has sent something last over each of its *connections*, for which it
    asked itself, a second or more ago; and nobody is seen there who is at work, or sleeps for a
    moment."""
    if not connections or not all(map(_is_due, connections)) or at_work(_pids(connections), words):
        return False
    return not any(goes_on(actor, words) for actor in _there(connections, words))


def left_to(connections: Collection[Watched], words: Words) -> str:
    """`` Nothing else wakes it up: whoever is there has to answer, or to close it.``, with what
    those do who may be to answer, if they were looked at and are few."""
    who = "is there" if len(connections) == 1 else "has the other end of one of them"
    found = [one for one in _there(connections, words) if not _listens(one, words)]
    told = [doing(one, words) for one in found] if len(found) <= _FEW else []
    there = f" There, {joined(told)}." if told else ""
    return f" Nothing else wakes it up: whoever {who} has to answer, or to close it.{there}"


def silent_since(connections: Collection[Watched]) -> str:
    """``, silent for 40 s``, of those by which it has asked, and for how long nothing has come."""
    ago = min(one.traffic.sent_s or 0.0 for one in connections if one.traffic)
    return f", silent for {lasting(ago)}"


def _is_due(one: Watched) -> bool:
    traffic = one.traffic
    if traffic is None or traffic.accepted or not traffic.sent_last:
        return False
    return traffic.sent_s is not None and traffic.sent_s >= STILL_S


def _pids(connections: Collection[Watched]) -> set[int]:
    return {pid for one in connections for pid in one.peers}


def _listens(actor: Thread | Task, words: Words) -> bool:
    """Whether it waits for the next client, or runs the loop whose tasks are told."""
    if isinstance(actor, Task):
        return False
    wait = words.graph.wait_of(actor.id)
    loops = {
        thread_id(one.pid, one.tid) for one in words.capture.event_loops if one.tid is not None
    }
    return actor.id in loops or (wait is not None and words.operation(wait) == "accept")


def _there(connections: Collection[Watched], words: Words) -> list[Thread | Task]:
    """Threads and tasks at the other ends that have a line of the application on their stacks."""
    actors: list[Thread | Task] = [*words.capture.threads(), *words.capture.tasks]
    pids = _pids(connections)
    here = (one for one in actors if one.pid in pids)
    return [one for one in here if application_index(one.python_stack or ()) is not None]
