"""Threads or tasks wait for what a pool lends, and have all of it themselves."""

from collections.abc import Iterator, Mapping

from hangtui.analysis.cycles import Cycle, cycles_of
from hangtui.analysis.stillness import stillness_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.claims import claim
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.grounds import RING
from hangtui.findings.lookers import lasted_s
from hangtui.findings.needs import Needs
from hangtui.findings.pools import (
    POOLS,
    held,
    holds_of,
    lent_by,
    pool_of,
    position,
    taken,
    unaccounted,
    until_back,
)
from hangtui.findings.rings.pool_words import counts, sentence
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    Hold,
    NodeId,
    Part,
    Resource,
    Severity,
    Task,
    weakest,
)

ID = "pool-deadlock"
GROUND = RING
NEEDS = Needs(frozenset({Part.WAITS, Part.STILLNESS}))
HELP = """\
A pool of a library (connections, tokens, workers) is exhausted, and everybody who has an item of it
waits, in the end, for another item of the same pool, so nobody can give one back: a function that
has a connection called another one that asks for its own. It takes as many callers at a time as the
pool has items, so it happens under load and not in tests.

How it is known: the pool counts what is out; frames are inside a `with` whose end gives it back, or
the pool itself records who has it; and everything that is out is accounted for. Then it is an
error. If a part is only inferred, as when just a variable refers to the connection, it is a
warning. The waits may have a timeout, as in most pools: then each ends with a timeout error, and
this is an error only once several looks saw them in it for a second or more (`hangtui check`).

Two pools may be in it as well: whoever has something of one waits for the other, and the other way
round.

A member of a pool that waits until nothing of it is out any more (`Pool.join()`) is told here as
well: it waits for its own end.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each ring of waits through an exhausted pool."""
    words = words_of(capture, graph)
    if not any(resource.kind in POOLS for resource in capture.resources):
        return []
    # Of one that is lent on, what says who has it may be what is left of an earlier turn.
    full = {
        one.id
        for one in capture.resources
        if one.kind in POOLS and not _has_room(one) and one.id not in capture.given
    }
    edges = tuple(
        edge._replace(expires=False) if edge.target in full and not _joins(edge, words) else edge
        for edge in graph.edges
    )
    found = []
    for cycle in cycles_of(edges, stillness_of(capture)):
        resources = [one for node in cycle.nodes if (one := words.resource(node))]
        resource = next((one for one in resources if one.id in full), None)
        left = {edge.target for edge in cycle.edges if _joins(edge, words)}
        within = next((one for one in resources if one.kind in POOLS and one.id in left), None)
        members = words.actors(cycle.nodes)
        if within is not None and members:
            found.append(_joined_within(cycle, within, members, words))
        elif resource is not None and members:
            several = [one for one in resources if one.id in full]
            told = _across(cycle, several, members, words) if len(several) > 1 else None
            found.append(told or _finding(cycle, resource, members, words))
    return found


def _across(
    cycle: Cycle, pools: list[Resource], members: list[Actor], words: Words
) -> Finding | None:
    """A ring through several pools: each has of one what another one waits for. None: a wait in it
    may end by a timeout."""
    if any(wait.expires for one in members for wait in words.graph.waits_of(one.id)):
        return None
    complete = all(one.exhausted and not unaccounted(one) for one in pools)
    certainty = weakest((cycle.certainty, *([] if complete else [Certainty.INFERRED])))
    sure = certainty.supports_claim
    names = joined([words.actor_name(one) for one in members[:NAMES_LISTED]])
    if len(members) > NAMES_LISTED:
        names = counted(len(members), members[0].id.kind)
    clauses = []
    for member in members[:NAMES_LISTED]:
        wait = words.graph.wait_of(member.id)
        pool = pool_of(wait, words) if wait else None
        goal = f"for {lent_by(pool)}{held(pool, words)}" if pool else wait and words.goal(wait)
        clauses.append(f"{words.actor_name(member)} waits at {position(member)} {goal}")
    kinds = listed(list(dict.fromkeys(one.name or one.label for one in pools)))
    end = "Neither can go on" if len(members) == 2 else "None of them can go on"
    places = listed(list(dict.fromkeys(map(position, members))))
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=certainty,
        title=(
            f"{claim(sure=sure)}: {names} wait for what {len(pools)} "
            f"pools lend ({kinds}), and have it from one another"
        ),
        sentence=f"{'; '.join(clauses)}. {end}.{words.loops(members)}",
        threads=tuple(ref(thread) for thread in words.carriers(members)),
        tasks=tuple(member.id for member in members if isinstance(member, Task)),
        subject=members[0].id,
        resources=tuple(node for node in cycle.nodes if words.actor(node) is None),
        evidence=(
            *(words.reading(edge) for edge in cycle.edges[: 4 * NAMES_LISTED]),
            *map(counts, pools),
            stood_still(members, words),
        ),
        unknown=tuple(line for pool in pools for line in _unknown(cycle, pool, words)),
        advice=(
            (
                f"Do not wait for one pool with something of another one, as at {places}: hand the "
                "work on from outside of both, or ask for them in one order everywhere."
            ),
        ),
    )


def _joins(edge: Edge, words: Words) -> bool:
    """Whether it waits until nothing of a pool is out any more."""
    return words.operation(edge) == "join"


def _joined_within(cycle: Cycle, resource: Resource, members: list[Actor], words: Words) -> Finding:
    """Who waits until all of a pool is back, and has some of it, or waits for who has."""
    sure = cycle.certainty.supports_claim
    names = joined([words.actor_name(one) for one in members[:NAMES_LISTED]])
    holds = holds_of(resource, words)
    who = joined([words.name(one) for one in holds if words.actor(one) in members])
    clauses = [
        f"{words.actor_name(one)} waits at {position(one)} {words.goal(wait)}"
        for one in members[:NAMES_LISTED]
        if (wait := words.graph.wait_of(one.id))
    ]
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=cycle.certainty,
        title=(
            f"{claim(sure=sure)}: {names} "
            f"{'waits' if len(members) == 1 else 'wait'} {until_back(resource)}, and "
            f"{'has one itself' if len(members) == 1 else f'{who} has one'}"
        ),
        sentence=(
            f"{'; '.join(clauses)}. {who} has a {resource.lends} of it, which comes back by "
            f"{resource.release or 'what gives it back'}: that never comes."
            f"{words.loops(members)}"
        ),
        threads=tuple(ref(thread) for thread in words.carriers(members)),
        tasks=tuple(member.id for member in members if isinstance(member, Task)),
        subject=members[0].id,
        resources=tuple(node for node in cycle.nodes if words.actor(node) is None),
        evidence=(
            *(words.reading(edge) for edge in cycle.edges[: 4 * NAMES_LISTED]),
            stood_still(members, words),
        ),
        advice=("Wait for the end of all from outside of the pool, in code that is none of its.",),
    )


def _has_room(resource: Resource) -> bool:
    """Whether it counts less out than it can lend: whoever waits is about to get one."""
    known = resource.size is not None and resource.out is not None
    return known and not resource.exhausted


def _finding(cycle: Cycle, resource: Resource, members: list[Actor], words: Words) -> Finding:
    holds = holds_of(resource, words)
    complete = resource.exhausted and unaccounted(resource) == 0
    certainty = weakest((cycle.certainty, *([] if complete else [Certainty.INFERRED])))
    sure = certainty.supports_claim
    carriers = words.carriers(members)
    names = joined([words.actor_name(one) for one in members[:NAMES_LISTED]])
    if len(members) > NAMES_LISTED:
        names = counted(len(members), members[0].id.kind)
    one = len(members) == 1
    what = f"{lent_by(resource)}, and {'has' if one else 'have'} "
    what += "all of it" if (resource.size or 0) > 1 else "it"
    expires = any(wait.expires for one in members for wait in words.graph.waits_of(one.id))
    lasted = min(lasted_s(one, words) for one in members)
    brief = expires and lasted < STILL_S
    what_it_is = claim(sure=sure)
    if brief:
        what_it_is += " until a timeout"
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure and not brief else Severity.WARNING,
        certainty=certainty,
        title=(
            f"{what_it_is}: {names} "
            f"{'waits' if one else 'wait'} for {what} {'itself' if one else 'themselves'}"
        ),
        sentence=sentence(members, resource, holds, words, expires=expires),
        threads=tuple(ref(thread) for thread in carriers),
        tasks=tuple(member.id for member in members if isinstance(member, Task)),
        subject=members[0].id,
        resources=tuple(node for node in cycle.nodes if words.actor(node) is None),
        evidence=(
            *(words.reading(edge) for edge in cycle.edges[: 4 * NAMES_LISTED]),
            counts(resource),
            stood_still(members, words),
            *(line for member in members[:NAMES_LISTED] if (line := words.stack_of(member))),
        ),
        unknown=tuple(_unknown(cycle, resource, words)),
        advice=tuple(_advice(members, resource, holds)),
    )


def _unknown(cycle: Cycle, resource: Resource, words: Words) -> list[str]:
    lines = [
        f"whether {words.name(edge.target)} has one of {resource.name}: that is inferred, not read"
        for edge in cycle.edges
        if edge.source == resource.id and not edge.evidence.certainty.supports_claim
    ]
    count = unaccounted(resource)
    return [*lines, *([f"who has the other {count}"] if count else [])]


def _advice(
    members: list[Actor], resource: Resource, holds: Mapping[NodeId, Hold]
) -> Iterator[str]:
    places = list(dict.fromkeys(filter(None, map(taken, holds.values()))))
    inner = list(dict.fromkeys(map(position, members)))
    what, how = resource.lends or "item", f" ({resource.release})" if resource.release else ""
    if len(members) > 1 and places and inner and places != inner:
        yield (
            f"Pass the {what} that was taken at {listed(places)} on to {listed(inner)}, or give "
            f"it back first{how}: nobody may ask for a second {what} while holding one."
        )
    else:
        yield f"Give the first {what} back before asking for the next one{how}."
    if len(members) > 1:
        yield (
            "A larger pool only postpones it: it comes back with as many callers as there are "
            f"{what}s."
        )
