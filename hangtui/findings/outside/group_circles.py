"""Ranks in operations of different process groups, each of which waits for another one that is in
an operation of another group, and that in turn for the first."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hangtui.analysis.latest import of_latest
from hangtui.findings.collectives import exchange
from hangtui.findings.english import clauses, joined
from hangtui.findings.jobs import Inside, caller, jobs, rank_thread
from hangtui.findings.outside.rank_circles import OTHER_THREADS, TIMEOUT, Circle, circle_finding
from hangtui.findings.outside.rank_waits import waited_s, waits
from hangtui.findings.roles import places_of, ranks_told
from hangtui.findings.stack_queries import at, callers_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Capture, Exchange, Finding, NodeId, Thread

_ONE_ORDER = (
    "Let all ranks call the operations of different groups in one order: where a rank is in two of "
    "them, the same first everywhere."
)


class Grouped(NamedTuple):
    """A rank in an operation of a group whose members are known."""

    thread: Thread
    rank: int
    call: Exchange


@of_latest
def groups(capture: Capture) -> Mapping[NodeId, Exchange]:
    """The operation of each thread that is in one of all ranks of a known group."""
    known = (one for one in capture.exchanges if one.members and one.group is not None)
    return {one.thread: one for one in known}


def in_one_each(inside: Iterable[Inside], capture: Capture) -> bool:
    """Whether those of each group are all in one operation of it, as far as each is known: then
    none of them is in another one than the rest."""
    met: dict[str | None, set[str]] = {}
    for thread, operation in inside:
        call = groups(capture).get(thread.id)
        if call is None:
            return False
        met.setdefault(call.group, set()).add(operation)
    return all(len(operations) == 1 for operations in met.values())


def circles_of_groups(id_: str, words: Words) -> list[Finding]:
    """One finding for each job whose ranks wait for each other like this."""
    if not groups(words.capture):
        return []
    return [_finding(id_, circle, words) for circle in _circles(words)]


def _circles(words: Words) -> Iterator[list[Grouped]]:
    places, known = places_of(words.capture), groups(words.capture)
    for ranks in jobs(words.capture):
        own: dict[int, Grouped] = {}
        for rank in ranks:
            thread, place = rank_thread(rank, words.capture), places.get(rank.pid)
            call = known.get(thread.id) if thread else None
            if thread is None or place is None or call is None or exchange(thread):
                continue
            stays = waits(thread, words.progress.get(thread.id))
            if stays and waited_s(thread, words) >= STILL_S:
                own[place.rank] = Grouped(thread, place.rank, call)
        if circle := _circle(own):
            yield circle


def _circle(own: Mapping[int, Grouped]) -> list[Grouped]:
    """The first that is found: each waits for the next, which is in another group's operation."""
    for start in own:
        ways = [[start]]
        seen = {start}
        while ways:
            way = ways.pop(0)
            for rank in _missed(own[way[-1]], own):
                if rank == start:
                    return [own[one] for one in way]
                if rank not in seen:
                    seen.add(rank)
                    ways.append([*way, rank])
    return []


def _missed(one: Grouped, own: Mapping[int, Grouped]) -> list[int]:
    """The ranks of its group that are in an operation of another group."""
    there = (own[rank] for rank in one.call.members if rank in own and rank != one.rank)
    return [other.rank for other in there if other.call.group != one.call.group]


def _finding(id_: str, circle: list[Grouped], words: Words) -> Finding:
    ranks = joined([f"rank {one.rank}" for one in circle])
    told = [
        _told(one, circle[(number + 1) % len(circle)], words) for number, one in enumerate(circle)
    ]
    told_of = Circle(
        threads=[one.thread for one in circle],
        title=f"{ranks.capitalize()} wait for each other in operations of different groups, "
        f"{circle[0].call.operation}",
        sentence=f"None of these ranks gets on: {clauses(told)}. Each comes to the operation of "
        "the other's group only after its own.",
        read=[
            f"rank {one.rank} has called {one.call.operation} with the group {one.call.group}, of "
            f"{_ranks(one)}"
            for one in circle
        ],
        unknown=(OTHER_THREADS, TIMEOUT),
        advice=_ONE_ORDER,
    )
    return circle_finding(id_, told_of, words)


def _ranks(one: Grouped) -> str:
    return ranks_told(list(one.call.members))


def _told(one: Grouped, other: Grouped, words: Words) -> str:
    """``rank 0 (process 7) in all_reduce at main.py:21 (load) of the group of ranks 0-1, for rank
    1``."""
    place = caller(one.thread)
    return (
        f"{words.process_name(one.thread.pid)} in {one.call.operation}{at(place)}"
        f"{callers_of(one.thread, place)}, of the group of {_ranks(one)}, for rank {other.rank}"
    )
