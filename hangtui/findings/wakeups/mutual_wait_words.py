"""The words for a ring of waits that nobody holds: who waits, who could, what is not known."""

from hangtui.analysis.places import application_index, frame_at, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import WakerRing, comes_to_it
from hangtui.findings.claims import reserve
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.queued import is_queued
from hangtui.findings.resources import taken_at
from hangtui.findings.stack_queries import below_application, callers
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.wakeups.told_to_end import told_to_end
from hangtui.findings.words import Actor, Words
from hangtui.model import CouldWake, Nearness, NodeId, NodeKind, Task

_CLOSES = frozenset({"close", "aclose"})


def sentence(
    ring: WakerRing, members: list[Actor], words: Words, *, closed: bool, sure: bool
) -> str:
    waits = {wait.source: wait for wait in ring.waits}
    told = [_clause(waits[member.id], ring, words) for member in members[:NAMES_LISTED]]
    start = reserve(sure=sure)
    ends = {1: "It cannot go on", 2: "Neither can go on"}
    end = ends.get(len(members), "None of them can go on")
    others = "all others of the process wait as well" if closed else "nobody else is seen to do it"
    if not closed and have_items(ring):
        who = "it has one" if len(members) == 1 else "each has one"
        others = f"{who} of these items in hand, and reports it only after that"
    if gives_back(ring):
        others = f"{_of_its_own(ring, len(members))}; {others}"
    pid = members[0].id.pid
    if closed and any(one.sleeps_for_ever for one in words.capture.tasks if one.pid == pid):
        others += ", or do nothing but sleep again and again"
    return f"{start}{clauses(told, len(members))}. {end}: {others}.{words.loops(members)}"


def _of_its_own(ring: WakerRing, count: int) -> str:
    """What each has that others wait for, and gives back only after its own wait."""
    who = "it" if count == 1 else "each"
    if all(wait.target.kind is NodeKind.CONDITION for wait in ring.waits):
        return f"{who} is inside of a with whose end would notify, and wants to enter another first"
    return f"{who} has one already, which the end of a with gives back"


def _clause(wait: Edge, ring: WakerRing, words: Words) -> str:
    actor = words.actor(wait.source)
    ended = told_to_end(actor, words) if isinstance(actor, Task) else ""
    return f"{_waits(wait, actor, ring, words)}{ended}"


def _waits(wait: Edge, actor: Actor | None, ring: WakerRing, words: Words) -> str:
    who = words.actor_name(actor) if actor else words.name(wait.source)
    clause = f"{who}{_awaited_by(actor, ring, words)} {words.waiting(wait, _caller(actor, wait))}"
    holds = [hold for hold in ring.holds if hold.source == wait.target]
    if holds:
        names = joined([words.name(hold.target) for hold in holds])
        verb = "holds" if len(holds) == 1 else "hold"
        if words.is_future(wait.target):
            verb = "has to set" if len(holds) == 1 else "are to set"
        why = f": {holds[0].evidence.text}" if is_queued(holds[0]) else ""
        return f"{clause}, which {names} {verb}{''.join(map(taken_at, holds[:1]))}{why}"
    wakers = [one for one in ring.wakers if one.resource == wait.target]
    if not wakers:
        return clause
    names = joined([words.name(one.candidate) for one in wakers[:NAMES_LISTED]])
    return clause + only_by_these(names, wait, wakers[0], words)


def _caller(actor: Actor | None, wait: Edge) -> str:
    """``, called from app.py:20 (send)``: who of the application called the line that waits, of a
    task; empty: nobody, or that line is not known."""
    if not isinstance(actor, Task):
        return ""
    index, stack = frame_at(actor, wait.evidence.where), actor.python_stack or ()
    if index is not None and package_of(stack[index]):
        index = application_index(stack)  # the place names that line already
    return callers(actor, index, 1) if index is not None else ""


def only_by_these(names: str, wait: Edge, one: CouldWake, words: Words) -> str:
    """``, which only task main could put into (news.put(), app.py:20)``; who closes it puts nothing
    in and takes nothing out, but ends the wait."""
    if one.call and one.call.rpartition(".")[2] in _CLOSES:
        return f", a wait that only {names} could end{by_call(one)}"
    return f", which only {names} could {act(wait, words)}{by_call(one)}"


def _awaited_by(actor: Actor | None, ring: WakerRing, words: Words) -> str:
    """``, for which task main waits at app.py:20 (main),``: who of the application waits for a task
    that has no line of it; empty: it has one, or that is not told of one alone."""
    if not isinstance(actor, Task) or below_application(actor):
        return ""
    edges = [one for one in words.graph.waiters_of(actor.id) if one.source not in ring.actors]
    callers = [(one, words.actor(one.source)) for one in edges]
    own = [
        (one, at)
        for edge, one in callers
        if one and (at := words.position(one, edge.evidence.where))
    ]
    return f", for which {words.actor_name(own[0][0])} waits {own[0][1]}," if len(own) == 1 else ""


def by_call(one: CouldWake) -> str:
    """`` (self.ready.notify(), app.py:20)``."""
    if one.call is None:
        return ""
    return f" ({one.call}(), {one.call_place})" if one.call_line else f" ({one.call}())"


def waker(one: CouldWake, words: Words) -> str:
    evidence = one.evidence
    claim = f"{words.name(one.candidate)} could end waits for {words.name(one.resource)}"
    return f"{claim}: {evidence.text} ({evidence.certainty}, {evidence.source})"


def unknown(ring: WakerRing, words: Words, *, sure: bool) -> list[str]:
    if sure:
        return []
    targets = dict.fromkeys(one.resource for one in ring.wakers)
    lines = [
        f"whether only {joined(_candidates(target, ring, words))} can end a wait for "
        f"{words.name(target)}: that is inferred from what stacks and code refer to"
        for target in targets
    ]
    members = set(ring.actors)
    others = dict.fromkeys(
        one.candidate
        for target in targets
        for one in words.graph.wakers_of(target)
        if one.candidate not in members and not comes_to_it(one)
    )
    if others:
        names = listed([words.name(one) for one in others])
        refer = "refers" if len(others) == 1 else "refer"
        lines.append(
            f"whether code that is not seen on their stacks uses it: {names} {refer} to it"
        )
    return lines


def _candidates(target: NodeId, ring: WakerRing, words: Words) -> list[str]:
    found = dict.fromkeys(one.candidate for one in ring.wakers if one.resource == target)
    return [words.name(one) for one in found][:NAMES_LISTED]


def gives_back(ring: WakerRing) -> bool:
    """Whether each of them has one of what it waits for, and gives it back only after that."""
    return {one.candidate for one in ring.wakers if one.gives_back} >= set(ring.actors)


def have_items(ring: WakerRing) -> bool:
    """Whether each of them waits until a queue is done of which it has an item itself: whoever else
    goes on, nobody reports that one."""
    return {one.candidate for one in ring.wakers if one.in_hand} >= set(ring.actors)


def has_all_parties(ring: WakerRing, words: Words) -> bool:
    """Whether one of them waits at a barrier for as many more as are on their way to it in the
    ring, nobody else is, and the others wait for what one has: the barrier is made for these, and
    whoever else there is does not come to it."""
    ways = [one for one in ring.wakers if one.resource.kind is NodeKind.BARRIER]
    at = {one.resource for one in ways}
    resource = words.resource(next(iter(at))) if len(at) == 1 else None
    if resource is None or resource.size is None or resource.waiting is None:
        return False
    coming = {one.candidate for one in ways}
    held = {hold.source for hold in ring.holds}
    rest = {wait.target for wait in ring.waits} - at
    wakers = words.graph.wakers_of(resource.id)
    anybody = {one.candidate for one in wakers if one.nearness is not Nearness.REFERS}
    if not anybody <= coming | set(ring.actors):
        return False
    return rest <= held and len(coming) == resource.size - resource.waiting
