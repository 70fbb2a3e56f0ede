"""Who has what tasks and threads beside an event loop wait for, as the clause of a sentence."""

from collections.abc import Sequence

from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words


def who_has(alike: Sequence[Actor], wait: Edge | None, words: Words) -> str:
    """``, which reader (taken at app.py:7) has``: what they wait for, all in the same way."""
    holds = words.graph.holders_of(wait.target) if wait else ()
    themselves = {one.id for one in alike}
    own = "it itself" if len(alike) == 1 else "they themselves"
    holders = list(
        dict.fromkeys(
            _holder(own if hold.target in themselves else words.name(hold.target), hold)
            for hold in holds
        )
    )
    if not holders:
        return ""
    more = len(holders) - NAMES_LISTED
    few = [*holders[:NAMES_LISTED], f"{more} more"] if more > 0 else holders
    several = len(holders) > 1 or holders[0].startswith("they ")
    return f", which {joined(few)} {'have' if several else 'has'}"


def _holder(name: str, hold: Edge) -> str:
    where = hold.evidence.where
    return f"{name} (taken at {short_path(where)})" if where else name
