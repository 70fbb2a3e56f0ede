"""Others that wait for the same, inside of the code that would end that: they come to it only once
their own wait has ended."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined, listed
from hangtui.findings.run_elsewhere import is_inside
from hangtui.findings.words import Actor, Words
from hangtui.model import Resource

_FEW = 2
"""Functions that a title has room for."""


def who_runs(
    places: Sequence[str], resource: Resource | None, actor: Actor, words: Words | None
) -> str:
    """``Pantry.unpin (pantry.py:42), which nobody runs, and in Pantry.put (pantry.py:30), which
    Thread-2 is inside of, to wait for the same``, of the code of *places* that would end a wait of
    *actor* for *resource*."""
    taken = [one for one in places if named_inside([one], resource, actor, words)]
    idle = [one for one in places if one not in taken]
    told = [f"{joined(idle)}, which nobody runs"] if idle else []
    for place in taken:
        names = named_inside([place], resource, actor, words)
        told.append(f"{place}, which {names} is inside of, to wait for the same")
    return ", and in ".join(told)


def short_inside(places: Sequence[str], resource: Resource, actor: Actor, words: Words) -> str:
    """``; Pantry.unpin (pantry.py:42) would end that, and nobody runs it, and so would Pantry.put
    (pantry.py:30), where Thread-2 waits for the same``; empty: nobody waits so."""
    taken = [one for one in places if named_inside([one], resource, actor, words)]
    if not taken:
        return ""
    where = (
        f"{joined(taken)}, where {named_inside(taken, resource, actor, words)} waits for the same"
    )
    idle = [one for one in places if one not in taken]
    them = "it" if len(idle) == 1 else "any of them"
    if not idle:
        return f"; only {where}, would end that"
    return f"; {joined(idle)} would end that, and nobody runs {them}, and so would {where}"


def short_unrun(places: Sequence[str], resource: Resource, actor: Actor, words: Words) -> str:
    """``; weights (app.py:51) would end that, and nobody runs it``, of a wait to which nobody is on
    the way; empty: no such code is known, or too much of it for a title."""
    if not 0 < len(places) <= _FEW:
        return ""
    them = "it" if len(places) == 1 else "any of them"
    told = f"; {joined(places)} would end that, and nobody runs {them}"
    return short_inside(places, resource, actor, words) or told


def named_inside(
    places: Iterable[str], resource: Resource | None, actor: Actor, words: Words | None
) -> str:
    """Who else waits for *resource*, inside of one of *places*: ``Thread-2``; empty: nobody."""
    if resource is None or words is None:
        return ""
    sources = dict.fromkeys(edge.source for edge in words.graph.waiters_of(resource.id))
    others = [words.actor(node) for node in sources if node != actor.id]
    known = list(places)
    inside = [one for one in others if one and any(is_inside(one, place) for place in known)]
    return listed([words.actor_name(one) for one in inside])


def short_same(waits: Sequence[Edge], words: Words) -> str:
    """``; all of them wait for Tray.changed, as does printer inside of take (tray.py:26), which
    would end that``, of several that wait for one and the same; empty: they do not."""
    if len(waits) < 2 or len({one.target for one in waits}) > 1:
        return ""
    target, actor = waits[0].target, words.actor(waits[0].source)
    told = f"; all of them wait for {words.name(target)}"
    resource = words.resource(target)
    if resource is None or actor is None:
        return told
    own = [one for one in resource.enders if is_inside(actor, one)]
    places = [one for one in resource.enders if one not in own]
    taken = [one for one in places if named_inside([one], resource, actor, words)]
    who = named_inside(taken, resource, actor, words)
    return f"{told}, as does {who} inside of {joined(taken)}, which would end that" if who else told
