"""Whether an answer is due to a task: one that was asked for over a connection of its event loop,
which as far as can be seen is what it waits for."""

import re
from collections.abc import Collection, Sequence

from hangtui.analysis.places import (
    application_index,
    package_of,
    package_of_module,
    program_frame,
)
from hangtui.dataclass import dataclass
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.enders import enders
from hangtui.findings.english import counted, lasting
from hangtui.findings.inert import waits_for_work
from hangtui.findings.loop_timers import ends_by_timer
from hangtui.findings.other_end import heard_from
from hangtui.findings.outside.library_peers import there, told_there
from hangtui.findings.outside.traffic import is_own, watched_one
from hangtui.findings.package_queries import hands_over, package_entry
from hangtui.findings.stack_queries import at, at_work, below_application, name_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import UNIX, NodeId, NodeKind, Process, PythonFrame, Task, Thread, Watched

_MAY_BE_ANSWERS = (NodeKind.FUTURE, NodeKind.EVENT, NodeKind.SOCKET)
"""What tasks wait for until data comes, beside the clock."""
_HANDSHAKE = "its peer's part of the TLS handshake"
_CLOSING = "the end of a connection"
_LINKS = 4
"""Tasks that wait for the ends of tasks which are followed."""
_HTTP = ("/httpx/", "/httpcore/", "/aiohttp/client")
_EACH, _WEBSOCKETS = frozenset({"__aiter__", "__anext__"}), ("/websockets/", "/client_ws.py")
"""How an ``async for`` takes the next message, and where in packages that is one of a WebSocket."""
_STREAMS = re.compile("iter|next|stream|event|receive")
"""In names of functions that the application calls for what comes by and by."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Such a wait."""

    says: str | None
    """``task load waits at app.py:9 (load), in asyncpg, for an answer over ...``; None: which of
    several connections it is cannot be told, or what the task awaits is known."""
    silent: str
    """``, silent for 40 s``, or which connection alone its loop hears, and since when that is
    silent."""
    calm: bool
    """Somebody at the other end is seen at work, or sleeps by the clock for a moment; or a timer
    may end it soon."""
    over: Sequence[Watched] = ()
    """The connections over which the answers are due."""
    limit: str = ""
    """`` A timer of its loop may end that ...``, as a sentence."""
    owed: str = "to answer"
    """What whoever has the other end has to do."""


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
    """That of the first of *tasks*, or of the task that alone could end its wait, if it waits in a
    package while one connection of its loop has an answer due; or of all of them, if nothing wakes
    them up but *alone*, and over each of these an answer is due. None: not so.

    *loops*: the threads whose loops run those that wait.
    """
    first = _behind(tasks[0], words) if tasks else None
    if first is None or not _may_await_one(_last(first, words), words):
        return None
    native, http = _natives(first, words), _asks_by_http(_last(first, words))
    found = [
        one
        for one in _which(_last(first, words), words)
        if _is_due(one, http=http)
        and (one.thread in loops or (one.thread in native and _was_never_heard(one)))
    ]
    due = {one.name: one for one in found}
    entry, silent = package_entry(first), _silent_since(found)
    calm = _goes_on(found, words)
    if entry is not None and len(due) == 1 and not _listens(first, entry, found[0], words):
        where = at(program_frame(first.python_stack or ()))
        asked = found[0].traffic is None or found[0].traffic.sent_last or not found[0].accepted
        what = "an answer" if asked else "data"
        awaits = _last(first, words).awaits or ""
        if awaits.startswith(_HANDSHAKE):
            what = _HANDSHAKE
        closes = awaits.startswith(_CLOSING)
        limit = ends_by_timer(first, words)
        says = (
            f"{words.actor_name(first)} waits{where}, in {package_of(entry)}, for "
            f"{'the end of' if closes else f'{what} over'} {watched_one(found[0])}{limit.short}"
        )
        owed = _to_fetch(found[0]) if closes else "to answer"
        return Unanswered(says, silent, calm or limit.soon, found, limit.told, owed)
    if alone and len(found) == len(alone) and all(_may_await_one(one, words) for one in tasks):
        if len(due) == 1:
            silent = f"; its event loop hears only {watched_one(found[0])}"
        return Unanswered(None, silent, calm, found)
    return None


def _which(task: Task, words: Words) -> Sequence[Watched]:
    """The connections to where a task waits for what comes next; all of them, if that is not
    known."""
    wait = words.graph.wait_of(task.id)
    address = heard_from(wait, words) if wait else None
    watched = words.capture.watched
    return [one for one in watched if one.leads_to(address)] if address else watched


def _listens(task: Task, entry: PythonFrame, one: Watched, words: Words) -> bool:
    """Whether the program only listens, over a connection of its scheduler's: nothing was asked
    there, and no library knows that its peer has to speak first."""
    loops = (loop for loop in words.capture.event_loops if loop.pid == task.pid)
    own = package_of(entry) in {loop.library for loop in loops}
    return own and one.traffic is not None and one.traffic.sent_s is None


def _behind(task: Task, words: Words) -> Task:
    """The task below a line of the application that alone could end the wait of *task* for what the
    application itself waits for, or that of such a one in turn; else *task*."""
    for _ in range(_LINKS):
        wait = words.graph.wait_of(task.id) if package_entry(task) is None else None
        able = enders(wait, words) if wait else []
        if len(able) != 1 or not isinstance(able[0], Task) or not below_application(able[0]):
            break
        task = able[0]
    return task


def _last(task: Task, words: Words) -> Task:
    """The task for whose end it waits, or for whose end that one waits in turn."""
    for _ in range(_LINKS):
        wait = words.graph.wait_of(task.id)
        behind = words.actor(wait.target) if wait else None
        if not isinstance(behind, Task) or behind.id == task.id:
            break
        task = behind
    return task


def _asks_by_http(task: Task) -> bool:
    """Whether it waits for a response of HTTP, or the rest of one: not for the next event of a
    stream that may never end."""
    stack = task.python_stack or ()
    inside = stack[: application_index(stack)]
    known = any(part in one.filename for one in inside for part in _HTTP)
    return known and _STREAMS.search(name_of(inside[-1])) is None


def left_to(connections: Collection[Watched], owed: str, words: Words) -> str:
    """`` Nothing else wakes it up: whoever is there has to answer, or to close it.``, with what
    those do who may be to answer, if they were looked at and are few."""
    who = "is there" if len(connections) == 1 else "has the other end of one of them"
    told = told_there(connections, words)
    return f" Nothing else wakes it up: whoever {who} has {owed}, or to close it.{told}"


def _to_fetch(one: Watched) -> str:
    """What ends the wait for a connection that is closed in good order: what was written goes out
    before."""
    left = one.traffic.unfetched if one.traffic else 0
    much = f" ({counted(left, 'byte')} lie there unread)" if left else ""
    return f"to read what was sent to it{much}"


def _may_await_one(task: Task, words: Words) -> bool:
    """Whether what it waits for may be an answer: not its next item, and not work that it was left
    to a library to serve."""
    stack = task.python_stack or ()
    if task.takes_next or goes_through_messages(task):
        return False
    if hands_over(stack, application_index(stack) or 0):
        return False
    waits = words.graph.waits_of(task.id)
    if not waits:
        return task.sleep is None and bool(task.awaits)
    return all(wait.target.kind in _MAY_BE_ANSWERS for wait in waits)


def goes_through_messages(task: Task) -> bool:
    """Whether it takes one message of a WebSocket after the other, and sends none in between: what
    it has sent before asked to be told what others say."""
    entry = package_entry(task) if task.subscribes else None
    if entry is None or name_of(entry) not in _EACH:
        return False
    return any(part in entry.filename for part in _WEBSOCKETS)


def _is_due(one: Watched, *, http: bool = False) -> bool:
    """Whether the process asked over a connection to others, a second or more ago, and nothing has
    come since; or the other side, which it has called, has to speak first, and did not. Who was
    asked itself may wait for the next request. *http*: what has come may be a part of the answer.
    """
    traffic = one.traffic
    if traffic is None or traffic.accepted or is_own(one):
        return False
    if traffic.sent_s is None:
        return traffic.received_s is None and one.name != UNIX
    stopped = http and (traffic.received_s or 0.0) >= STILL_S  # what comes piece by piece may end
    return traffic.sent_s >= STILL_S and (traffic.sent_last is True or stopped)


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
