"""Ranks that send to the next one of them, or receive from it, the last of the first: none does its
half of another's message before its own is through."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hangtui.findings.english import clauses, joined
from hangtui.findings.jobs import caller, jobs
from hangtui.findings.outside.message_peers import awaited
from hangtui.findings.outside.rank_circles import (
    OTHER_THREADS,
    TIMEOUT,
    Circle,
    circle_finding,
    ways_round,
)
from hangtui.findings.outside.rank_waits import waited_s, waits
from hangtui.findings.roles import places_of
from hangtui.findings.stack_queries import at, callers_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Finding, Thread

_MESSAGES = ("send", "recv")
_COMPARE = (
    "Compare which rank each call names: a message is through once the one that it goes to "
    "receives from the one that sends. Or start all of them at once: dist.batch_isend_irecv."
)


class Half(NamedTuple):
    """A rank that waits in one half of a message, and the rank that has the other half."""

    thread: Thread
    rank: int
    operation: str
    peer: int


def circles_of_messages(id_: str, words: Words) -> list[Finding]:
    """One finding for each job whose ranks wait for each other like this."""
    if not any(one.operation in _MESSAGES for one in words.capture.exchanges):
        return []
    return [_finding(id_, circle, words) for circle in _circles(words)]


def _circles(words: Words) -> Iterator[list[Half]]:
    places = places_of(words.capture)
    halves = [
        Half(thread, places[thread.pid].rank, one.operation, one.peer)
        for one in words.capture.exchanges
        if one.operation in _MESSAGES and one.peer is not None
        and (thread := words.thread(one.thread)) is not None and thread.pid in places
        and waits(thread, words.progress.get(thread.id))
        and waited_s(thread, words) >= STILL_S
    ]  # fmt: skip
    for ranks in jobs(words.capture):
        pids = {rank.pid for rank in ranks}
        own = [half for half in halves if half.thread.pid in pids]
        if len({half.rank for half in own}) < len(own):
            continue  # a rank that is in two messages at once may get on with either
        if circle := _circle({half.rank: half for half in own}):
            yield circle


def _circle(own: Mapping[int, Half]) -> list[Half]:
    """Those of a circle; two that name each other meet, unless both send, or both receive."""
    for way in ways_round({rank: half.peer for rank, half in own.items()}):
        found = [own[rank] for rank in way]
        if len(way) > 2 or len({half.operation for half in found}) < 2:
            return found
    return []


def _finding(id_: str, circle: list[Half], words: Words) -> Finding:
    ranks = joined([f"rank {half.rank}" for half in circle])
    told_of = Circle(
        threads=[half.thread for half in circle],
        title=f"{ranks.capitalize()} wait in a ring for the other half of a message, "
        f"{circle[0].operation}",
        sentence=f"None of these ranks gets on: {clauses([_told(one, words) for one in circle])}. "
        "Each would take part in the message of another only after its own is through.",
        read=[
            f"rank {one.rank} has called {one.operation} with rank {one.peer}"
            f"{at(caller(one.thread))}"
            for one in circle
        ],
        unknown=(OTHER_THREADS, TIMEOUT),
        advice=_COMPARE,
    )
    return circle_finding(id_, told_of, words)


def _told(half: Half, words: Words) -> str:
    """``rank 0 (process 7) in recv at main.py:21 (load) for a message of rank 2``."""
    place, goal = caller(half.thread), awaited(half.thread, words.capture)
    comma = "," if goal.startswith("until") else ""
    name = words.process_name(half.thread.pid)
    called = callers_of(half.thread, place)
    return f"{name} in {half.operation}{at(place)}{called}{comma} {goal}"
