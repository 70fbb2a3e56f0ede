"""Ranks that wait for each other in both halves of a message, whose tags differ."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.findings.jobs import caller, jobs
from hangtui.findings.outside.rank_waits import waits
from hangtui.findings.roles import places_of
from hangtui.findings.stack_queries import at
from hangtui.findings.words import Words
from hangtui.model import Thread

WHY_TAGS = (
    "A message is through once a send and a recv with the same tag have met: neither gets on until "
    "a timeout of the group makes an error of that."
)
COMPARE_TAGS = (
    "Compare how many messages each of the two has sent and received before (steps, after a "
    "restart), and where the tags come from."
)


class Half(NamedTuple):
    """One half of a message, and who waits in it."""

    thread: Thread
    rank: int
    operation: str
    peer: int
    tag: int


def told_tags(sends: Half, receives: Half) -> str:
    """Who waits for whom with which tag, as a title."""
    return (
        f"Rank {sends.rank} sends to rank {receives.rank} with tag {sends.tag}"
        f"{at(caller(sends.thread))}, and rank {receives.rank} waits for a message of rank "
        f"{sends.rank} with tag {receives.tag}{at(caller(receives.thread))}: these never meet"
    )


def unmet_tags(words: Words) -> Iterator[tuple[Half, Half]]:
    """Pairs of who sends and who receives, each of whom names the other, with another tag."""
    places = places_of(words.capture)
    halves: dict[int, Half] = {}
    for one in words.capture.exchanges:
        thread, place = words.thread(one.thread), places.get(one.thread.pid)
        if thread is None or place is None or one.peer is None or one.tag is None:
            continue
        if waits(thread, words.progress.get(thread.id)):
            halves[thread.pid] = Half(thread, place.rank, one.operation, one.peer, one.tag)
    for ranks in jobs(words.capture):
        own = {half.rank: half for rank in ranks if (half := halves.get(rank.pid))}
        for half in own.values():
            other = own.get(half.peer)
            if half.operation != "send" or other is None or other.operation != "recv":
                continue
            if other.peer == half.rank and other.tag != half.tag:
                yield half, other
