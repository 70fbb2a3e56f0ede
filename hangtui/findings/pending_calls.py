"""Calls of the application that wait for what a reader of their process is to bring, while that one
and its peer wait for each other's next message."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.messages import message_for
from hangtui.findings.pools import waited_s
from hangtui.findings.senders import sender, task_there
from hangtui.findings.stack_queries import at_own_line, below_application, kind_of, way_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words, words_of
from hangtui.model import Capture, CouldWake, NodeId, NodeKind, TaskState

_BROUGHT = frozenset({NodeKind.EVENT, NodeKind.FUTURE, NodeKind.QUEUE, NodeKind.CONDITION})


class Call(NamedTuple):
    """Who waits for what a reader is to bring."""

    caller: Actor
    wait: Edge
    waker: CouldWake
    reader: Actor
    peer: Actor


@lru_cache(maxsize=8)
def pending_calls(capture: Capture, graph: WaitGraph) -> tuple[Call, ...]:
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
            peers[reader.id] = peer_of(reader, words)
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


def peer_of(reader: Actor, words: Words) -> Actor | None:
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


def told_question(asker: Actor, peer: Actor, words: Words) -> str:
    """``client waits at a.py:9 (ask) for an answer from server, which waits at b.py:8 (serve) for
    its next message``."""
    what = message_for(asker) or "an answer"
    return (
        f"{words.actor_name(asker)} waits{at_own_line(asker)} for {what} from "
        f"{words.actor_name(peer)}, which waits{at_own_line(peer)} for its next message"
    )


def look_there(peer: Actor, words: Words) -> str:
    """The advice to look at what *peer* did before it waited for its next message."""
    where = at_own_line(peer).strip().removeprefix("at ") or "its loop"
    return (
        f"Look at what {words.process_name(peer.pid)} did with the last message before it came "
        f"back to {where}: whether it answers each one, an error too, and all of it (flush())."
    )
