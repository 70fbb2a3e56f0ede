"""Who has what tasks and threads of an event loop wait for, or would end that, as the clause of a
sentence."""

from collections.abc import Sequence

from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.english import joined
from hangtui.findings.stack_queries import at_own_line, way_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups.mutual_wait_words import only_by_these
from hangtui.findings.words import Actor, Words


def who_has(alike: Sequence[Actor], wait: Edge | None, words: Words) -> str:
    """``, which reader (taken at app.py:7) has``: what they wait for, all in the same way."""
    holds = words.graph.holders_of(wait.target) if wait else ()
    themselves = {one.id for one in alike}
    own = "it itself" if len(alike) == 1 else "they themselves"
    holders = list(
        dict.fromkeys(
            _holder(own, hold, None)
            if hold.target in themselves
            else _holder(words.name(hold.target), hold, words.actor(hold.target))
            for hold in holds
        )
    )
    if not holders:
        return only_by(wait, words) if wait else ""
    more = len(holders) - NAMES_LISTED
    few = [*holders[:NAMES_LISTED], f"{more} more"] if more > 0 else holders
    several = len(holders) > 1 or holders[0].startswith("they ")
    return f", which {joined(few)} {'have' if several else 'has'}"


def only_by(wait: Edge, words: Words) -> str:
    """``, which only task main could put into (news.put(), app.py:20)``: who is seen on the way to
    the call that ends a wait; empty: nobody, or that is not told of one alone."""
    wakers = coming(words.graph, wait.target, way_of(wait, words))
    candidates = list(dict.fromkeys(one.candidate for one in wakers))
    if len(candidates) != 1 or words.actor(candidates[0]) is None:
        return ""
    name = words.name(candidates[0])
    after = words.graph.comes_afterwards(wait.source, wait.target)
    own = ", and it itself only once that wait is over" if after else ""
    return only_by_these(name, wait, wakers[0], words) + own


def _holder(name: str, hold: Edge, now: Actor | None) -> str:
    """*now*: who it is, if it is to be told where that one stands."""
    where = hold.evidence.where
    if where:
        return f"{name} (taken at {short_path(where)})"
    place = at_own_line(now) if now else ""
    return f"{name} (now{place})" if place else name
