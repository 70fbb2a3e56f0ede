"""Whether an answer is due to a task: one that was asked for over a connection of its event loop,
which as far as can be seen is what it waits for."""

from collections.abc import Collection, Sequence

from hangtui.analysis.places import (
    application_index,
    package_of,
    package_of_module,
    program_frame,
)
from hangtui.dataclass import dataclass
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.english import lasting
from hangtui.findings.inert import waits_for_work
from hangtui.findings.outside.library_peers import there, told_there
from hangtui.findings.outside.traffic import is_own, watched_one
from hangtui.findings.package_queries import hands_over, package_entry
from hangtui.findings.stack_queries import at, at_work
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Process, Task, Thread, Watched

_MAY_BE_ANSWERS = (NodeKind.FUTURE, NodeKind.EVENT, NodeKind.SOCKET)
"""What tasks wait for until data comes, beside the clock."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Such a wait."""

    says: str | None
    """``task load waits at app.py:9 (load), in asyncpg, for an answer over ...``; None: which of
    several connections it is cannot be told, or what the task awaits is known."""
    silent: str
    """``, silent for 40 s``."""
    calm: bool
    """Somebody at the other end is seen at work, or sleeps by the clock for a moment."""


def _natives(task: Task, words: Words) -> set[NodeId]:
    """The native threads of the package that *task* waits in: they have its connections, and wake
    the loop."""
    entry, process = package_entry(task), words.capture.process(task.pid)
    package = package_of(entry) if entry else None
    if process is None or package is None:
        return set()
    native = (one for one in process.threads if one.is_python is False)
    return {one.id for one in native if _is_of(one, package)}


def _is_of(thread: Thread, package: str) -> bool:
    return package in map(package_of_module, thread.native_stack or ())


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


def unanswered(
    tasks: Sequence[Task], loops: Collection[NodeId], alone: Sequence[Watched], words: Words
) -> Unanswered | None:
    """That of the first of *tasks*, if it waits in a package while one connection of its loop has
    an answer due, and no timer may end that; or of all of them, if nothing wakes them up but
    *alone*, and over each of these an answer is due. None: not so.

    *loops*: the threads whose loops run those that wait.
    """
    if not tasks or not _may_await_one(tasks[0], words):
        return None
    native = _natives(tasks[0], words)
    found = [
        one
        for one in words.capture.watched
        if _is_due(one)
        and (one.thread in loops or (one.thread in native and _was_never_heard(one)))
    ]
    due = {one.name: one for one in found}
    entry, silent = package_entry(tasks[0]), _silent_since(found)
    if entry is not None and len(due) == 1 and not _may_be_timed(tasks[0], words):
        where = at(program_frame(tasks[0].python_stack or ()))
        says = (
            f"{words.actor_name(tasks[0])} waits{where}, in {package_of(entry)}, for an answer "
            f"over {watched_one(found[0])}"
        )
        return Unanswered(says, silent, _goes_on(found, words))
    if alone and len(found) == len(alone) and all(_may_await_one(one, words) for one in tasks):
        return Unanswered(None, silent, _goes_on(found, words))
    return None


def left_to(connections: Collection[Watched], words: Words) -> str:
    """`` Nothing else wakes it up: whoever is there has to answer, or to close it.``, with what
    those do who may be to answer, if they were looked at and are few."""
    who = "is there" if len(connections) == 1 else "has the other end of one of them"
    told = told_there(connections, words)
    return f" Nothing else wakes it up: whoever {who} has to answer, or to close it.{told}"


def _may_await_one(task: Task, words: Words) -> bool:
    """Whether what it waits for may be an answer: not its next item, and not work that it was left
    to a library to serve."""
    stack = task.python_stack or ()
    if hands_over(stack, application_index(stack) or 0):
        return False
    waits = words.graph.waits_of(task.id)
    if not waits:
        return task.sleep is None and bool(task.awaits)
    return all(wait.target.kind in _MAY_BE_ANSWERS and not wait.expires for wait in waits)


def _may_be_timed(task: Task, words: Words) -> bool:
    """Whether a timer of its loop may be a timeout of what it waits for: there are more of them
    than other tasks that a timer wakes, or they are not known."""
    loops = [one for one in words.capture.event_loops if one.address == task.loop]
    timers = [one.timers for one in loops if one.pid == task.pid]
    timed = [
        one
        for loop in loops
        for one in words.tasks_of(loop)
        if one.id != task.id
        and (one.sleep or any(wait.expires for wait in words.graph.waits_of(one.id)))
    ]
    return any(count is None or count > len(timed) for count in timers)


def _is_due(one: Watched) -> bool:
    """Whether the process asked over a connection to others, a second or more ago, and nothing has
    come since. Who was asked itself may wait for the next request."""
    traffic = one.traffic
    if traffic is None or traffic.accepted or not traffic.sent_last or is_own(one):
        return False
    return (traffic.sent_s or 0.0) >= STILL_S


def _was_never_heard(one: Watched) -> bool:
    """Whether nothing has come over a connection: a library of C code may send what asks for
    nothing, as HTTP/2 does for each piece that has come."""
    return one.traffic is not None and one.traffic.received_s is None


def _silent_since(connections: Collection[Watched]) -> str:
    ago = [one.traffic.sent_s for one in connections if one.traffic and one.traffic.sent_s]
    return f", silent for {lasting(min(ago))}" if ago else ""


def _goes_on(connections: Collection[Watched], words: Words) -> bool:
    """Whether somebody at the other ends runs, or is known to go on by the clock."""
    if at_work({pid for one in connections for pid in one.peers}, words):
        return True
    return any(goes_on(actor, words) for actor in there(connections, words))
