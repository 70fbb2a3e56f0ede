"""Actors of a cluster that wait for each other's answers, or one for its own."""

from hangtui.analysis.waitgraph import Cycle, Edge, Relation
from hangtui.findings.english import joined
from hangtui.findings.rings.behind import behind
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words, ref
from hangtui.model import Finding, NodeKind, Severity

ABOUT_ACTORS = """\
An actor of Ray answers one call after another. If two of them call each other and wait for the
answer, neither gets to the other's call; nor does one that waits for a method of its own. The
reference that `ray.get` or `ray.wait` waits for holds the id of the actor that has to give the
result, and each worker knows the id of its own actor. A worker that runs methods in its main thread
runs one at a time: with more at once, or with groups, Ray runs all of them in other threads. A
result that has come stays: whoever waits for the same one at the last reading as at the first has
waited all that time, though its thread wakes up once a second.
"""
"""Part of the pages of both rules that tell of rings."""


def actor_ring(identifier: str, cycle: Cycle, members: list[Actor], words: Words) -> Finding:
    """What a ring of *members* that leads through an actor means."""
    sure, alone = cycle.certainty.supports_claim, len(members) == 1
    what = f"{'' if sure else 'Possible '}{'self-' if alone else ''}deadlock".capitalize()
    names = joined([words.actor_name(member) for member in members[:NAMES_LISTED]])
    goal = "waits for an answer of its own" if alone else "wait for each other's answers"
    clauses = [_clause(member, cycle, words) for member in members[:NAMES_LISTED]]
    end = "It can never go on." if alone else "None of them can go on."
    return Finding(
        id=identifier,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=cycle.certainty,
        title=f"{what}: {names} {goal}",
        sentence=(
            f"{'; '.join(clauses)}. An actor runs one method at a time. {end}"
            f"{behind(cycle, 'it' if alone else 'them', words)}"
        ),
        tells_victims=bool(behind(cycle, "them", words)),
        threads=tuple(ref(thread) for thread in words.carriers(members)),
        subject=members[0].id,
        resources=tuple(node for node in cycle.nodes if words.actor(node) is None),
        evidence=(
            *(words.reading(edge) for edge in cycle.edges),
            (
                "each waited for the same result at the first reading and at the last; a result "
                "that has come stays"
            ),
            "none of these waits has a timeout",
            *(line for member in members[:NAMES_LISTED] if (line := words.stack_of(member))),
        ),
        advice=(
            (
                "Have one of the methods return the reference instead of its value, or make it "
                "async and await it: then the actor can answer others."
            ),
            (
                "Options(max_concurrency=2) lets an actor run two methods at once, in threads: "
                "then its state needs a lock."
            ),
        ),
    )


def _clause(member: Actor, cycle: Cycle, words: Words) -> str:
    waits = [edge for edge in cycle.edges if edge.source == member.id]
    return f"{words.actor_name(member)} " + " or ".join(
        words.waiting(wait) + _holder(wait, cycle, words) for wait in waits
    )


def _holder(wait: Edge, cycle: Cycle, words: Words) -> str:
    holds = [edge for edge in cycle.edges if edge.source == wait.target]
    if not holds or holds[0].relation is not Relation.HELD_BY:
        return ""
    name = words.name(holds[0].target)
    if wait.target.kind is NodeKind.ACTOR:
        itself = ", which is its own" if holds[0].target == wait.source else ""
        return itself or _running(holds[0], words)
    return f", which {name} holds"


def _running(hold: Edge, words: Words) -> str:
    for one in words.capture.holds:
        if (one.resource, one.holder) == (hold.source, hold.target) and one.function:
            return f", which runs {one.function}"
    return ""
