"""A call of the application waits for what a reader of its process is to bring it, and that reader
and the peer that it reads from both wait for the other one's next message."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.on_the_way import called
from hangtui.findings.pools import waited_s
from hangtui.findings.senders import sender, task_there
from hangtui.findings.stack_queries import at_own_line, below_application, kind_of, way_of
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    CouldWake,
    Finding,
    NodeId,
    NodeKind,
    Severity,
    Task,
    TaskState,
)

ID = "unanswered-call"
GROUND = ONE_WAIT
HELP = """\
A call of the application waits for a future, an event or an item that another thread or task of its
process sets once the answer has come over a connection. That one waits for data, nothing has come,
and the process at the other end has one thread, which waits for the next message over the same
connection. So neither of them is about to send anything: the answer was lost, it was never sent, or
it came for another call.

How it is known: the code of all threads and tasks was searched for the calls that end the wait, and
only the reader comes to one (inferred); the kernel tells who has the ends of the connection, and
that both ends wait for data. Several looks saw all three stand still for a second or more. It is an
error if nobody else in these processes could send anything.

Who waits at the head of a loop for whatever comes next, as a worker does, is no call, and nothing
is said of him.
"""

_BROUGHT = frozenset({NodeKind.EVENT, NodeKind.FUTURE, NodeKind.QUEUE, NodeKind.CONDITION})


class Call(NamedTuple):
    """Who waits for what a reader is to bring."""

    caller: Actor
    wait: Edge
    waker: CouldWake
    reader: Actor
    peer: Actor


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each reader."""
    words = words_of(capture, graph)
    readers: dict[NodeId, list[Call]] = {}
    for call in unanswered_calls(capture, graph):
        readers.setdefault(call.reader.id, []).append(call)
    return [_finding(calls, words) for calls in readers.values()]


@lru_cache(maxsize=8)
def unanswered_calls(capture: Capture, graph: WaitGraph) -> tuple[Call, ...]:
    """All such calls."""
    if not graph.could_wake or len(capture.processes) < 2:
        return ()
    return tuple(_calls(words_of(capture, graph)))


def _calls(words: Words) -> Iterator[Call]:
    peers: dict[NodeId, Actor | None] = {}
    for caller, wait in _waiting(words):
        wakers = coming(words.graph, wait.target, way_of(wait, words))
        names = {one.candidate for one in wakers}
        reader = words.actor(next(iter(names))) if len(names) == 1 else None
        if reader is None or reader.id == caller.id or reader.pid != caller.pid:
            continue
        if reader.id not in peers:
            peers[reader.id] = _peer(reader, words)
        peer = peers[reader.id]
        if peer is not None and all(
            waited_s(one, words) >= STILL_S for one in (caller, reader, peer)
        ):
            yield Call(caller, wait, wakers[0], reader, peer)


def _waiting(words: Words) -> Iterator[tuple[Actor, Edge]]:
    """Who waits below a line of the application, without a timeout, for what others bring, and not
    for whatever comes next."""
    actors: list[tuple[Actor, Edge]] = [(one.thread, one.wait) for one in words.lasting.values()]
    for task in words.capture.tasks:
        wait = words.graph.wait_of(task.id) if task.state is TaskState.WAITING else None
        if wait is not None and not wait.expires:
            actors.append((task, wait))
    for actor, wait in actors:
        kind = kind_of(wait, words)
        if kind not in _BROUGHT or words.graph.holders_of(wait.target):
            continue
        if kind is NodeKind.QUEUE and way_of(wait, words) != "get":
            continue
        if not actor.takes_next and below_application(actor):
            yield actor, wait


def _peer(reader: Actor, words: Words) -> Actor | None:
    """Who has the other end of the connection that *reader* waits at for data, if that is the only
    thread or task of another process that could send any, and waits for data from it."""
    pid = sender(reader, words)
    process = words.capture.process(pid) if pid is not None else None
    threads = [one for one in process.threads if one.is_python] if process else []
    loops = [one for one in words.capture.event_loops if one.pid == pid]
    if len(threads) != 1 or any(one.timers for one in loops):
        return None  # another thread, or what a timer begins, may send something
    peer = task_there(threads[0], words) if loops else threads[0]
    return peer if sender(peer, words) == reader.pid else None


def _finding(calls: list[Call], words: Words) -> Finding:
    call = calls[0]
    caller, reader, peer = call.caller, call.reader, call.peer
    name, by = words.actor_name(caller), words.actor_name(reader)
    target = words.name(call.wait.target)
    process = words.process_name(peer.pid)
    others = [words.actor_name(one.caller) for one in calls[1 : NAMES_LISTED + 1]]
    more = (
        f" {joined(others)} {'waits' if len(others) == 1 else 'wait'} so as well." if others else ""
    )
    threads = words.carriers([caller, reader, peer])
    waits = [words.graph.wait_of(one.id) for one in (reader, peer)]
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{at_own_line(caller)} for {target}, which only {by} would bring: that "
            f"and {words.actor_name(peer)}{at_own_line(peer)} wait for each other's next message"
        ),
        sentence=(
            f"{name} {words.waiting(call.wait)}. Only {by} comes to {called(call.waker)}, which "
            f"would end that, once an answer has come; it waits for data{at_own_line(reader)}. "
            f"Nothing is on its way: {process} has the other end, and "
            f"{words.actor_name(peer)} waits there{at_own_line(peer)} for what comes next. So the "
            f"answer was lost, was never sent, or has come for another call.{more}"
        ),
        owed=True,
        threads=tuple(map(ref, threads)),
        tasks=tuple(one.id for one in (caller, reader, peer) if isinstance(one, Task)),
        subject=caller.id,
        resources=(call.wait.target,),
        evidence=(
            words.reading(call.wait),
            f"{by}: {call.waker.evidence.text}",
            *(words.reading(wait) for wait in waits if wait is not None),
            stood_still(threads, words),
        ),
        unknown=("whether the answer was lost, or never sent",),
        advice=(
            look_there(peer, words),
            (
                f"Give the wait{at_own_line(caller)} a timeout, and fail all calls that wait when "
                "the connection ends."
            ),
        ),
    )


def look_there(peer: Actor, words: Words) -> str:
    """The advice to look at what *peer* did before it waited for its next message."""
    where = at_own_line(peer).strip().removeprefix("at ") or "its loop"
    return (
        f"Look at what {words.process_name(peer.pid)} did with the last message before it came "
        f"back to {where}: whether it answers each one, an error too, and all of it (flush())."
    )
