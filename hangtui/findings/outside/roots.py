"""Ranks in an operation with a root, each of which takes another one of them for it, or each of
which takes itself: what they wait for is never sent."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.findings.english import clauses, joined
from hangtui.findings.jobs import caller, is_whole, jobs, rank_thread
from hangtui.findings.outside.rank_circles import TIMEOUT, Circle, circle_finding, ways_round
from hangtui.findings.outside.rank_waits import waited_s, waits
from hangtui.findings.roles import places_of
from hangtui.findings.stack_queries import at, callers_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Finding, Thread

_GIVES = {"broadcast": "sends", "scatter": "sends", "gather": "gets", "reduce": "gets"}
"""What the root does in each operation."""
_TAKES = {"sends": "takes what it sends", "gets": "sends it anything"}
"""And what nobody does for one whom no other rank takes for the root."""
_SAME_ROOT = (
    "Let all ranks give the call one number for its root: have one rank find it out and tell the "
    "others, or agree on it in a collective operation, rather than each by what it sees itself."
)


class Rooted(NamedTuple):
    """A rank in such an operation, and whom it takes for the root."""

    thread: Thread
    rank: int
    operation: str
    root: int


def rings_of_roots(id_: str, words: Words) -> list[Finding]:
    """One finding for each job whose ranks wait for each other like this."""
    if not any(one.operation in _GIVES for one in words.capture.exchanges):
        return []
    return [_finding(id_, ring, words) for ring in _rings(words) if _lasts(ring, words)]


def _rings(words: Words) -> Iterator[list[Rooted]]:
    """Of each job, ranks that wait for the next one of them as the root, the last for the first:
    each of these names another than itself, so that none of them sends, whatever their groups. Or
    all ranks, if each names itself: whoever is in a group with it takes nothing of it."""
    places, known = places_of(words.capture), {one.thread: one for one in words.capture.exchanges}
    for ranks in jobs(words.capture):
        own: dict[int, Rooted] = {}
        for rank in ranks:
            thread, place = rank_thread(rank, words.capture), places.get(rank.pid)
            one = known.get(thread.id) if thread else None
            if thread is None or place is None or one is None or one.peer is None:
                continue
            if one.operation in _GIVES and waits(thread, words.progress.get(thread.id)):
                own[place.rank] = Rooted(thread, place.rank, one.operation, one.peer)
        way: list[int] = next(ways_round({rank: one.root for rank, one in own.items()}), [])
        ring = [own[rank] for rank in way]
        if (
            not ring
            and len(own) > 1
            and all(map(_itself, own.values()))
            and is_whole([one for one in ranks if places[one.pid].rank in own], words.capture)
        ):
            ring = list(own.values())
        if ring:
            yield ring


def _itself(one: Rooted) -> bool:
    return one.root == one.rank


def _finding(id_: str, ring: list[Rooted], words: Words) -> Finding:
    operations = joined(list(dict.fromkeys(one.operation for one in ring)))
    given = [_told(one, words) for one in ring]
    gives = _GIVES[ring[0].operation]
    names = joined([f"rank {one.rank}" for one in ring])
    if _itself(ring[0]):
        who, why = (
            f"{names.capitalize()} each take themselves",
            (f"each of these takes itself for it: none of the others {_TAKES[gives]}"),
        )
    else:
        who, why = (
            f"{names.capitalize()} take each other",
            ("none of these takes itself for it: each waits for what the other does not do"),
        )
    told_of = Circle(
        threads=[one.thread for one in ring],
        title=f"{who} for the root of a {operations}",
        sentence=f"None of these ranks gets on: {clauses(given)}. The root is the one that "
        f"{gives} in a {ring[0].operation}, and {why}.",
        read=[
            f"rank {one.rank} has called {one.operation} with rank {one.root} as its root"
            f"{at(caller(one.thread))}"
            for one in ring
        ],
        unknown=(TIMEOUT,),
        advice=_SAME_ROOT,
    )
    return circle_finding(id_, told_of, words)


def _lasts(ring: list[Rooted], words: Words) -> bool:
    """Whether several looks saw them like this: ranks whose root changes from one operation to the
    next are not all read in the same one."""
    return all(waited_s(one.thread, words) >= STILL_S for one in ring)


def _told(one: Rooted, words: Words) -> str:
    """``rank 0 (process 7) in broadcast at main.py:21 (load), with rank 1 as the root``."""
    place = caller(one.thread)
    return (
        f"{words.process_name(one.thread.pid)} in {one.operation}{at(place)}"
        f"{callers_of(one.thread, place)}, with rank {one.root} as the root"
    )
