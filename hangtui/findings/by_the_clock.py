"""Who goes on by itself within the minute: the clock ends the sleep in which it was met, or that of
those who alone could end what it waits for."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.states import state_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.across import answers_there
from hangtui.findings.enders import enders
from hangtui.findings.looked import polled_by
from hangtui.findings.rhythm import wakes_often
from hangtui.findings.senders import done_there
from hangtui.findings.stack_queries import RUNS, polls
from hangtui.findings.thresholds import SOON_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Sleep, Task, Thread

_ONE_S = 2.0
"""How long a sleep is at least that is told from one of a loop which looks for something again and
again. Threads need not be that slow: several looks see that they come back to the same line."""


_LINKS = 4
"""Waits that are followed, one behind the other."""


def all_go_on(actors: Iterable[Thread | Task], words: Words) -> bool:
    """Whether there are such, and each of them does."""
    found = list(actors)
    return bool(found) and all(goes_on(actor, words) for actor in found)


def goes_on(actor: Thread | Task, words: Words, links: int = _LINKS) -> bool:
    """Whether it does, as far as is known. *links*: waits that are followed from it."""
    wait = words.graph.wait_of(actor.id)
    # A library that looks now and then whether a worker of its own lives waits for that one.
    if _sleeps(actor, words) and (wait is None or wait.target.kind is not NodeKind.WORKER):
        return True
    if isinstance(actor, Thread) and wait and gives_up(actor, wait, words):
        return True
    behind = _behind(wait, words) if wait and links else []
    if links and not behind:
        there = done_there(actor, words) or answers_there(actor.id, words)
        behind = [there] if there else []  # who is to send it what it awaits
    return bool(behind) and all(goes_on(one, words, links - 1) for one in behind)


def gives_up(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it waits for an answer that is due over a connection, or for that to be made, and
    gives up within the minute: its timeout is not longer, and has not been over since it asked."""
    resource, call = words.resource(wait.target), thread.syscall
    limit_s = (call.timeout_ms or 0) / 1000 if call and wait.expires else 0.0
    if words.operation(wait) == "connect":
        return 0.0 < limit_s <= SOON_S
    traffic = resource.traffic if resource else None
    if traffic is None or traffic.sent_s is None or not traffic.sent_last:
        return False
    return traffic.sent_s <= limit_s <= SOON_S


def works_behind(actor: Thread | Task, words: Words) -> bool:
    """Whether it is at work, or one who could end its wait is, or one who could end that one's, and
    so on."""
    met, following = {actor.id}, [actor]
    for _ in range(_LINKS + 1):
        if any(isinstance(one, Thread) and at_own_work(one, words) for one in following):
            return True
        waits = filter(None, (words.graph.wait_of(one.id) for one in following))
        # Hundreds of threads may wait for each other: each is followed once.
        behind = {one.id: one for wait in waits for one in _behind(wait, words)}
        following = [one for node, one in behind.items() if node not in met]
        met.update(behind)
    return False


def at_own_work(thread: Thread, words: Words) -> bool:
    """Whether it runs, and does not only look at something again and again."""
    return state_of(thread, words.graph) in RUNS and polled_by(thread.id, words) is None


def moves(thread: Thread, words: Words) -> bool:
    """Whether several looks saw it get on."""
    seen = words.progress.get(thread.id)
    return seen is not None and (seen.returned or not seen.same_line) and seen.ran


def passed_on(wait: Edge, words: Words) -> bool:
    """Whether what is waited for is had by those alone who come round to the same line: each gets
    it in turn."""
    holders = [hold.target for hold in words.graph.holders_of(wait.target)]
    seen = [words.progress.get(one) for one in holders]
    return bool(seen) and all(one is not None and one.returned for one in seen)


def _behind(wait: Edge, words: Words) -> Sequence[Thread | Task]:
    """Who has what is waited for, be that inferred; else who could end the wait. Of a connection
    those who have it in hand, as their frames show."""
    known = words.wait(wait)
    if known is not None and known.answering:
        return words.actors(known.answering)
    holds = words.graph.holders_of(wait.target)
    holders = words.actors(hold.target for hold in holds)
    return holders if holds and len(holders) == len(holds) else enders(wait, words)


def _sleeps(actor: Thread | Task, words: Words) -> bool:
    if isinstance(actor, Task):
        sleep = actor.sleep
        long = sleep is not None and sleep.total_s is not None and sleep.total_s >= _ONE_S
        return sleep is not None and long and is_soon(sleep)
    call = actor.syscall
    sleeps = call is not None and call.sleep is not None and is_soon(call.sleep)
    # Who seldom wakes up may do another piece of its work each time, where its loop has any.
    seldom = not wakes_often(words.progress.get(actor.id)) and not actor.only_sleeps
    return sleeps and (seldom or not polls(actor, words))


def the_only(threads: Iterable[Thread], words: Words) -> list[Thread]:
    """Those that alone run Python in their processes: whatever these are to do, they do."""
    found = []
    for thread in threads:
        process = words.capture.process(thread.pid)
        others = [one for one in (process.threads if process else ()) if one.is_python]
        if others == [thread]:
            found.append(thread)
    return found


def is_soon(sleep: Sleep) -> bool:
    """Whether it ends within the minute."""
    left = sleep.total_s if sleep.left_s is None else sleep.left_s
    return left is not None and left < SOON_S
