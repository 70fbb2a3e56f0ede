"""Others that are inside of the code that would end a wait: those that wait for the same come to it
only once their own wait has ended; others have come past it, or wait there for something else."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
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
    past = {one: who for one in places if one not in taken and (who := past_it(one, actor, words))}
    idle = [one for one in places if one not in taken and one not in past]
    told = [f"{joined(idle)}, which nobody runs"] if idle else []
    for place in taken:
        names = named_inside([place], resource, actor, words)
        told.append(f"{place}, which {names} is inside of, to wait for the same")
    told += [f"{place}, which {words.actor_name(one)} is inside of, not on its way to that"
             for place, one in past.items() if words]  # fmt: skip
    return ", and in ".join(told)


def past_it(place: str, actor: Actor, words: Words | None) -> Actor | None:
    """Another one of the process of *actor*, to whose wait nobody is on the way, that is inside of
    code which would end that: it has come past it, or is kept from it; None: nobody is."""
    if words is None:
        return None
    everybody: list[Actor] = [*words.capture.threads(), *words.capture.tasks]
    others = (one for one in everybody if one.pid == actor.pid and one.id != actor.id)
    return next((one for one in others if is_inside(one, place)), None)


def short_past(places: Sequence[str], actor: Actor, words: Words) -> str:
    """``; print_letters (app.py:82) would end that, where task run_asgi waits at app.py:82
    (print_letters) for the result of Thread-2``, of the first of *places* that somebody is inside
    of; empty: nobody is inside of any."""
    for place in places:
        if one := past_it(place, actor, words):
            return f"; {place} would end that, inside of which {doing(one, words, alone=False)}"
    return ""


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
    inside = short_inside(places, resource, actor, words) or short_past(places, actor, words)
    return inside or told


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
