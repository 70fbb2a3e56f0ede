"""Actors of a cluster that wait for each other's answers, or one for its own."""

from hangtui.analysis.cycles import components
from hangtui.analysis.waitgraph import Cycle, Edge, Relation
from hangtui.findings.actor_threads import all_taken
from hangtui.findings.english import joined, listed
from hangtui.findings.rings.behind import behind
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words, ref
from hangtui.model import Certainty, Finding, NodeKind, Severity, weakest

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
_ONE_AT_A_TIME = " An actor runs one method at a time."
"""Of those that have their main thread alone for that."""
_IN_THREADS = (
    "Options(max_concurrency=2) lets an actor run two methods at once, in threads: then its state "
    "needs a lock."
)

_NOBODY_FREE = "whichever thread runs the call that is asked for: all that the actor has wait here"


def actor_ring(identifier: str, cycle: Cycle, members: list[Actor], words: Words) -> Finding:
    """What a ring of *members* that leads through an actor means."""
    never = not cycle.certainty.supports_claim and _nobody_free(cycle, words)
    if tighter := _asked_alone(cycle, words):
        cycle, members = tighter, words.actors(tighter.nodes)
    sure, alone = never or cycle.certainty.supports_claim, len(members) == 1
    what = f"{'' if sure else 'Possible '}{'self-' if alone else ''}deadlock".capitalize()
    names = joined([words.actor_name(member) for member in members[:NAMES_LISTED]])
    goal = "waits for an answer of its own actor" if alone else "wait for each other's answers"
    locks = [words.name(node) for node in cycle.nodes
             if node.kind is not NodeKind.ACTOR and words.actor(node) is None]  # fmt: skip
    goal += f", and for {listed(locks)}" if locks else ""
    clauses = [_clause(member, cycle, words) for member in members[:NAMES_LISTED]]
    end = "It can never go on." if alone else "None of them can go on."
    one_at_a_time = all(
        edge.evidence.certainty is Certainty.PROVEN
        for edge in cycle.edges
        if edge.source.kind is NodeKind.ACTOR
    )
    return Finding(
        id=identifier,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=cycle.certainty,
        title=f"{what}: {names} {goal}",
        sentence=(
            f"{'; '.join(clauses)}.{_ONE_AT_A_TIME if one_at_a_time else ''} {end}"
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
            *((_NOBODY_FREE,) if never else ()),
        ),
        never_ends=never,
        advice=(
            (
                "Have one of the methods return the reference instead of its value, or make it "
                "async and await it: then the actor can answer others."
            ),
            *(_IN_THREADS,) * one_at_a_time,
        ),
    )


def _nobody_free(cycle: Cycle, words: Words) -> bool:
    """Whether which thread has to answer is all that is not known, and each that the actor has for
    its methods waits, without a timeout, for what is in the ring: so none begins another call."""
    members = set(cycle.nodes)
    for edge in cycle.edges:
        actor = edge.source.kind is NodeKind.ACTOR
        if not edge.evidence.certainty.supports_claim and not actor:
            return False
    for node in (one for one in cycle.nodes if one.kind is NodeKind.ACTOR):
        holds = words.graph.holders_of(node)
        if not all_taken(holds, words):
            return False
        waits = [words.graph.waits_of(hold.target) for hold in holds]
        if not all(
            those and all(one.target in members and not one.expires for one in those)
            for those in waits
        ):
            return False
    return True


def _asked_alone(cycle: Cycle, words: Words) -> Cycle | None:
    """The ring without those of an actor's threads that run another method than the one that is
    asked for, and only wait behind it; None: they are not told apart, or all are in it."""
    asked = {edge.target: _asked(edge, words) for edge in cycle.edges
             if edge.target.kind is NodeKind.ACTOR}  # fmt: skip
    kept = [edge for edge in cycle.edges if edge.source not in asked
            or _method(edge, words) == asked[edge.source]]  # fmt: skip
    whole = len(cycle.nodes)
    left = next((one for one in components(kept) if 1 < len(one) < whole), None)
    if left is None:
        return None
    edges = tuple(edge for edge in kept if edge.source in left and edge.target in left)
    certainty = weakest(edge.evidence.certainty for edge in edges)
    return Cycle(tuple(node for node in cycle.nodes if node in left), edges, certainty)


def _asked(edge: Edge, words: Words) -> str:
    """``balance``, of who waits for an answer to ``ledger.balance()``."""
    wait = words.wait(edge)
    return ((wait and wait.asks) or "").partition("(")[0].rpartition(".")[2]


def _method(hold: Edge, words: Words) -> str:
    """``balance``, of who runs ``Ledger.balance``."""
    return next(
        (
            (one.function or "").rpartition(".")[2]
            for one in words.capture.holds
            if (one.resource, one.holder) == (hold.source, hold.target)
        ),
        "",
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
