"""Who alone could end a wait: who is or has what is waited for, or is seen on the way to the call
that would end it."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming, meant
from hangtui.findings.across import answers_there, far_end
from hangtui.findings.backlog import unaccepted
from hangtui.findings.english import joined
from hangtui.findings.other_end import heard_from
from hangtui.findings.pipe_ends import elsewhere
from hangtui.findings.resources import PYTHON_LOCKS, taken_at
from hangtui.findings.senders import task_there
from hangtui.findings.stack_queries import POOL_FILES, way_of
from hangtui.findings.words import Actor, Words
from hangtui.model import CouldWake, Nearness, NodeId, NodeKind

_MOST = 3
"""With more who could end a wait, none of them is what it waits for."""
DIRECT = "In turn, "
"""Leads to who is what is waited for."""
_HAS = {
    NodeKind.FUTURE: "has to finish",
    NodeKind.PIPE: "has the other end of",
    NodeKind.SOCKET: "has the other end of",
    NodeKind.ACTOR: "runs a method of",
}
"""What a holder is to others than locks."""
HOLDS, _ACCEPTS = "holds", "has yet to accept"
_HAVE = {"has to finish": "have to finish", "has the other end of": "have the other end of"}
"""The same of several."""
HAS_OTHER_END = "{} has the other end of that connection"
"""Of a process."""


def of_a_pool(actor: Actor | None) -> bool:
    """Whether it waits for a result of multiprocessing's Pool: that is delivered by way of a table
    of all results, which the search for calls does not follow."""
    stack = (actor.python_stack if actor else None) or ()
    return any(frame.filename.endswith(POOL_FILES) for frame in stack)


def only(names: Sequence[str], wakers: Sequence[CouldWake], waiter: Actor | None) -> str:
    """``Only feeder is seen on the way to jobs.put() (app.py:20), which would end that``.

    *waiter*: who waits.
    """
    who = f"{joined(names)} {'is' if len(names) == 1 else 'are'} seen"
    other = ""
    if of_a_pool(waiter):
        other = " (or who else hands out results: the Pool has them in a table)"
    else:
        who = f"Only {who}"
    if all(one.nearness is Nearness.IN for one in wakers):
        return f"{who} doing what it waits for{other}"
    calls = joined(list(dict.fromkeys(map(called, wakers))))
    return f"{who} on the way to {calls}, which would end that{other}"


def called(one: CouldWake) -> str:
    """``jobs.put() (app.py:20)``."""
    line = f" ({one.call_place})" if one.call_line else ""
    return f"{one.call or one.complement}(){line}"


class Enders(NamedTuple):
    """Who has, is, or could end what is waited for."""

    actors: list[Actor]
    how: str
    """What leads to them, in words."""
    has: str = ""
    """What the only one has to do with it: ``holds``; empty: it is only on the way."""
    taken: str = ""
    """Where that one took it, in brackets; empty: it is no lock, or that is not known."""


NOBODY = Enders([], "")


def enders(wait: Edge, words: Words) -> list[Actor]:
    """Who alone could end a wait, as far as is known: who is or has what is waited for, else those
    who are seen on the way to the call that would end it."""
    return enders_of(wait, words).actors


def enders_of(wait: Edge, words: Words) -> Enders:
    """The same, with what leads to them; empty: it is not known, or they are too many."""
    awaited = words.actor(wait.target)
    if awaited is not None:
        return Enders([awaited], DIRECT)
    holds = words.graph.holders_of(wait.target)
    holders = [actor for hold in holds if (actor := words.actor(hold.target))]
    if wait.target.kind is NodeKind.PROCESS:
        return Enders(holders, DIRECT)  # it is those of its threads
    if holds:
        known = words.wait(wait)
        # Who can act is not always who has the connection in hand, as its frames show.
        hands: list[Actor] = [*words.threads(known.answering)] if known else []
        holders = hands if len(hands) == 1 and not unaccepted(wait, words) else holders
        if wait.target.kind is NodeKind.SOCKET and len(holders) == 1:
            holders = [task_there(holders[0], words)]
        alone = len(holders) == 1 and (len(holds) == 1 or bool(hands))
        sure = alone and holds[0].evidence.certainty.supports_claim
        has = _HAS.get(wait.target.kind, HOLDS if sure else "probably holds")
        has = _ACCEPTS if unaccepted(wait, words) else has
        every = len(holds) == len(holders)
        if every and wait.target.kind is NodeKind.PIPE:
            holders = elsewhere(wait, holders)
            alone = len(holders) == 1
        told = has in _HAVE and wait.target.kind is not NodeKind.SOCKET
        if every and told and 1 < len(holders) <= _MOST:
            who = joined([words.actor_name(one) for one in holders])
            return Enders(holders, f"{who} {_HAVE[has]} {words.name(wait.target)}: ")
        locked = sure and wait.target.kind in PYTHON_LOCKS
        taken = taken_at(holds[0], holders[0].python_stack or ()) if locked else ""
        return Enders(holders, "", has, taken) if alone else NOBODY
    wakers = coming(words.graph, wait.target, way_of(wait, words))
    if (address := heard_from(wait, words)) is not None:  # its transport sets that, not they
        wakers = tuple(one for one in wakers if not _hears(one.candidate, address, words))
    candidates = [words.actor(one) for one in dict.fromkeys(w.candidate for w in wakers)]
    actors = [actor for actor in candidates if actor is not None]
    if not wakers and wait.target.kind is NodeKind.SOCKET:
        return _at_the_end(wait, words)
    if not 0 < len(actors) == len(candidates) <= _MOST:
        return NOBODY
    names = [words.actor_name(actor) for actor in actors]
    return Enders(actors, f"{only(names, wakers, words.actor(wait.source))}: ")


def enders_across(node: NodeId, words: Words) -> Enders:
    """The only one who has the other end of the connection, in another process."""
    end, there = far_end(node, words), answers_there(node, words)
    if end is None or there is None:
        return NOBODY
    return Enders([there], f"{HAS_OTHER_END.format(words.process_name(end.pid))}: there, ")


def _hears(node: NodeId, address: str, words: Words) -> bool:
    """Whether one waits for what comes or leaves over the same connection as well."""
    wait = words.graph.wait_of(node)
    return wait is not None and heard_from(wait, words) == address


def _at_the_end(wait: Edge, words: Words) -> Enders:
    """The only one who has the other end of a stream of its own process, and comes to no write."""
    there = {one.candidate for one in meant(words.graph, wait.target, way_of(wait, words))}
    found = [actor for one in there if (actor := words.actor(one))]
    return Enders(found, "", _HAS[NodeKind.SOCKET]) if len(found) == len(there) == 1 else NOBODY
