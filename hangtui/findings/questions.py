"""Who waits for an answer while the only one who could send it waits for the next message, where an
event loop has one of the ends: between threads alone, that is a ring."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.findings.pending_calls import peer_of
from hangtui.findings.pools import waited_s
from hangtui.findings.senders import may_be_told
from hangtui.findings.stack_queries import below_application
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import Task, TaskState, Thread


class Question(NamedTuple):
    """Who waits for an answer, and who takes the next message."""

    asker: Actor
    peer: Actor


def questions(words: Words) -> Iterator[Question]:
    """All of them, of those who wait below a line of the application that does not begin a round
    of a loop."""
    if len(words.capture.processes) < 2 or not words.capture.event_loops:
        return
    actors: list[Actor] = [one.thread for one in words.lasting.values()]
    actors += (one for one in words.capture.tasks if one.state is TaskState.WAITING)
    for asker in actors:
        if asker.takes_next is not False or not below_application(asker):
            continue
        peer = peer_of(asker, words)
        if peer is None or not peer.takes_next or words.graph.cycle_of(asker.id):
            continue
        if may_be_told(asker, peer.pid, words) or _left_to_others(asker, words):
            continue
        if isinstance(asker, Task) and _others_ask(asker, words):
            continue
        if all(waited_s(one, words) >= STILL_S for one in (asker, peer)):
            yield Question(asker, peer)


def _left_to_others(asker: Actor, words: Words) -> bool:
    """Whether nothing was asked over its connection, and it is not the main thread of who made it:
    what it hears there others are to ask for."""
    wait = words.graph.wait_of(asker.id)
    resource = words.resource(wait.target) if wait is not None else None
    traffic = resource.traffic if resource else None
    if not isinstance(asker, Thread) or traffic is None or traffic.sent_s is not None:
        return False
    return asker.tid != asker.pid or traffic.accepted


def _others_ask(asker: Task, words: Words) -> bool:
    """Whether its event loop has a timer: what that begins may ask for something, of which the
    answer comes to it as well."""
    return any(
        one.timers for one in words.capture.event_loops
        if (one.pid, one.tid) == (asker.pid, asker.loop_tid)
    )  # fmt: skip
