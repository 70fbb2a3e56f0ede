"""What is said of those who have all of a pool and wait for it."""

from collections.abc import Iterator, Mapping

from hangtui.findings.english import joined
from hangtui.findings.pools import lent_by, lost, pool_of, position, taken
from hangtui.findings.stack_queries import held_by
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import Hold, NodeId, Resource


def sentence(
    members: list[Actor],
    resource: Resource,
    holds: Mapping[NodeId, Hold],
    words: Words,
    *,
    expires: bool,
) -> str:
    have = [f"{words.name(one)}{_since(hold)}" for one, hold in list(holds.items())[:NAMES_LISTED]]
    rest = len(holds) - len(have)
    have += [f"{rest} more"] if rest > 0 else []
    who = f"They have {_all(resource)} themselves: {joined(have)}." if have else ""
    if len(members) == 1 and len(holds) == 1:
        since = next(iter(holds.values()))
        who = f"It has {_all(resource)} itself{_since(since)}, and nobody else can give it back."
    ends = {1: "It cannot go on", 2: "Neither can go on"}
    end = ends.get(len(members), "None of them can go on")
    end += " before a timeout ends the wait with an error." if expires else "."
    waits = f"{'; '.join(_clauses(members, resource, words))}."
    return " ".join(filter(None, (waits, who, lost(resource), end))) + words.loops(members)


def _clauses(members: list[Actor], resource: Resource, words: Words) -> Iterator[str]:
    """Who waits where for what; those that do so at one place in few words."""
    what, seen = lent_by(resource), set[str]()
    for member in members[:NAMES_LISTED]:
        name, wait = words.actor_name(member), words.graph.wait_of(member.id)
        if wait is None:
            continue
        if pool_of(wait, words) != resource:
            yield f"{name} waits at {position(member)} {words.goal(wait)}{held_by(wait, words)}"
        elif position(member) in seen:
            yield f"so does {name}"
        else:
            yield f"{name} waits at {position(member)} for {what}"
            seen.add(position(member))
            what = f"another one of {resource.name}"


def _all(resource: Resource) -> str:
    return {1: "it", 2: "both"}.get(resource.size or 0, "all that is out")


def _since(hold: Hold) -> str:
    at = taken(hold)
    sure = hold.evidence.certainty.supports_claim
    return f" {'since' if sure else 'at'} {at}" if at else ""


def counts(resource: Resource) -> str:
    size = f" of {resource.size}" if resource.size is not None else ""
    package = f" ({resource.package})" if resource.package else ""
    waiting = f"; {resource.waiting} wait, by its own count" if resource.waiting else ""
    if resource.out is None:
        return f"it is not known how many {resource.name}{package} has out{waiting}"
    return (
        f"{resource.name}{package} counts {resource.out}{size} out, {resource.accounted} of which "
        f"are accounted for{waiting}"
    )
