"""Waits followed one behind the other, from one that waits to who could end that, and so on."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.across import far_end
from hangtui.findings.by_two_ways import by_two_ways
from hangtui.findings.doing import doing
from hangtui.findings.enders import (
    DIRECT,
    HAS_OTHER_END,
    HOLDS,
    NOBODY,
    Enders,
    enders_across,
    enders_of,
    of_a_pool,
)
from hangtui.findings.english import joined
from hangtui.findings.pipe_ends import told_gone
from hangtui.findings.pool_workers import calls_back, for_workers
from hangtui.findings.resources import missing_at
from hangtui.findings.senders import done_there
from hangtui.findings.stack_queries import way_of
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, Task, Thread

_LINKS = 8
"""Waits that are followed, one behind the other."""


class Onward(NamedTuple):
    """Who could end a wait, what that one waits for, and so on."""

    text: str
    """Sentences that follow on others; empty: not known."""
    told: frozenset[NodeId]
    """Who was told of, with the one that waits first."""
    known: bool
    """Whether it comes to somebody who has or could end what another one of them waits for, or to
    one who waits for something from outside."""
    back: bool = False
    """Whether it leads back to the one that waits first."""


def onward(waits: NodeId, words: Words) -> Onward:
    """Follows the waits from the thread or task *waits* on."""
    text, told, known, back = "", [waits], _outside(waits, words), ""
    for _ in range(_LINKS):
        wait = words.graph.wait_of(told[-1])
        following = enders_of(wait, words) if wait else NOBODY
        if not following.actors:
            following = enders_across(told[-1], words)
        new = [actor for actor in following.actors if actor.id not in told]
        if not new:
            back = _led_back(following, told, words)
            text += back
            text += _arrived(wait, words) if wait else ""
            break
        followed = len(new) == 1 and bool(_after(new[0], words).actors)
        clauses = joined([doing(actor, words, alone=not followed) for actor in new])
        how = following.how
        if following.has and wait is not None:
            name = words.actor_name(new[0])
            target = words.name(wait.target)
            if target.endswith(f" of {name}"):
                how = DIRECT
            else:
                how = f"{name} {following.has} {target}{following.taken}, and "
                clauses = clauses.removeprefix(f"{name} ")
        text += f" {how}{clauses}.{told_gone(wait, words) if wait else ''}"
        told += [actor.id for actor in new]
        known = known or _outside(new[0].id, words) or how != DIRECT
        known = known or any(isinstance(one, Thread) and for_workers(one, words) for one in new)
        if len(new) > 1:
            break
    met = [actor for node in told if (actor := words.actor(node))]
    return Onward(f"{text}{by_two_ways(met, words)}", frozenset(told), known, bool(back))


def whose(waits: NodeId, words: Words) -> str:
    """``; owner holds it, and sleeps at a.py:9 (own)``, or ``; only owner could end that, and
    sleeps ...``: the one by whom *waits* goes on; empty: that is not known, or they are several."""
    wait = words.graph.wait_of(waits)
    following = enders_of(wait, words) if wait else NOBODY
    if not following.actors and (across := enders_across(waits, words)).actors:
        now = doing(across.actors[0], words)
        process = words.process_name(across.actors[0].pid)
        return f"; {HAS_OTHER_END.format(process)}: there {now}"
    single = len(following.actors) == 1 and following.how != DIRECT
    if not single:
        return ""
    actor, holds = following.actors[0], following.has == HOLDS
    if of_a_pool(words.actor(waits)) and not holds and not calls_back(actor):
        return ""
    name = words.actor_name(actor)
    who = f"{name} {following.has} it" if following.has else f"only {name} could end that"
    there = done_there(actor, words)
    beyond = f"; at the other end {doing(there, words)}" if there is not None else ""
    return f"; {who}, and {doing(actor, words).removeprefix(f'{name} ')}{beyond}"


def _outside(node: NodeId, words: Words) -> bool:
    """Whether a task awaits the clock, or data, as its words tell."""
    actor = words.actor(node)
    return isinstance(actor, Task) and bool(actor.awaits) and words.graph.wait_of(node) is None


def _after(actor: Actor, words: Words) -> Enders:
    wait = words.graph.wait_of(actor.id)
    following = enders_of(wait, words) if wait else NOBODY
    return following if following.actors else enders_across(actor.id, words)


def _led_back(following: Enders, told: Sequence[NodeId], words: Words) -> str:
    """`` So it comes back to task serve: none of them goes on before another one does.``, of a
    chain whose last waits for the first, and in which nobody takes what comes, unless it is over
    connections; empty: it does not lead back."""
    back = [actor for actor in following.actors if actor.id == told[0]]
    if not back or len(told) < 2:
        return ""
    waits = [wait for one in told if (wait := words.graph.wait_of(one))]
    rests = any(wait.expires or way_of(wait, words) == "get" for wait in waits)
    if rests and not any(far_end(one, words) for one in told):
        return ""
    name = words.actor_name(back[0])
    return f" So it comes back to {name}: none of them goes on before another one does."


def _arrived(wait: Edge, words: Words) -> str:
    """How many are at a barrier, as a sentence; empty: it is none, or that is not known."""
    resource = words.resource(wait.target)
    if resource is None or not missing_at(resource):
        return ""
    one = resource.waiting == 1
    seen = ""
    if resource.wakers_known and not coming(words.graph, wait.target, way_of(wait, words)):
        seen = ", and nobody is seen on the way"
    return (
        f" {resource.waiting} of the {resource.size} parties of {words.name(wait.target)} "
        f"{'waits' if one else 'wait'} there{seen}."
    )
