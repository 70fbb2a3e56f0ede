"""The words for those who are seen on the way to the call that would end a wait, and for what they
wait for in turn."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.analysis.places import application_index, line_and_function, package_of, program_frame
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming, meant
from hangtui.findings.across import far_end, user_there
from hangtui.findings.backlog import unaccepted
from hangtui.findings.by_two_ways import by_two_ways
from hangtui.findings.english import joined
from hangtui.findings.handled import after_error, tries_again
from hangtui.findings.library_waits import retries_within
from hangtui.findings.looked import looked_there, polled_by
from hangtui.findings.other_end import heard_from
from hangtui.findings.package_queries import entered_again, package_entry
from hangtui.findings.pipe_ends import elsewhere, told_gone
from hangtui.findings.pool_workers import calls_back, for_workers
from hangtui.findings.resources import PYTHON_LOCKS, missing_at, taken_at
from hangtui.findings.senders import done_there, task_there
from hangtui.findings.stack_queries import POOL_FILES, at, does, held_by, name_of, polls, way_of
from hangtui.findings.words import Actor, Words
from hangtui.model import CouldWake, Nearness, NodeId, NodeKind, Task, Thread, thread_id

_MOST = 3
"""With more who could end a wait, none of them is what it waits for."""
_SLEEPS = ("sleep", "__iter__")
_MOMENT = ("sleep (0.", "sleep (due now", "a timer (0.", "a timer (due now")
"""What a task is said to await that goes on in less than a second; in the end, at least."""
_DIRECT = "In turn, "
_HAS = {
    NodeKind.FUTURE: "has to finish",
    NodeKind.PIPE: "has the other end of",
    NodeKind.SOCKET: "has the other end of",
    NodeKind.ACTOR: "runs a method of",
}
"""What a holder is to others than locks."""
_HOLDS, _ACCEPTS = "holds", "has yet to accept"
_HAVE = {"has to finish": "have to finish", "has the other end of": "have the other end of"}
"""The same of several."""
_HAS_OTHER_END = "{} has the other end of that connection"
_LINKS = 8
"""Waits that are followed, one behind the other."""


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


def doing(actor: Actor, words: Words, *, alone: bool = True) -> str:
    """What a thread or task does, in one clause: ``task main awaits sleep (3 s left)``; *alone*:
    nothing else is said of it, as `does` has it."""
    if isinstance(actor, Thread):
        return f"{does(actor, words, alone=alone)}{for_workers(actor, words)}"
    name = words.actor_name(actor)
    wait = words.graph.wait_of(actor.id)
    if wait is not None:
        does_so = words.waiting(wait)
        package = own_package(actor)
        if package and does_so.startswith("waits at "):
            does_so = f"waits, in {package}, {does_so.removeprefix('waits ')}"
        return f"{name} {does_so}{held_by(wait, words) if alone else ''}"
    moment = actor.sleep is None or _sleeps_for_a_moment(actor)
    polled = polled_by(actor.id, words) if moment else None
    if polled or (actor.awaits and _ticks(actor, words)):
        stack = actor.python_stack or ()
        where = at(program_frame(stack))
        if polled:
            entry = package_entry(actor)  # told as where it is inside
            others = [frame for frame in stack if frame is not entry]
            looks = looked_there(polled, others, program_frame(stack))
            again = entered_again(actor)
            return f"{name} waits{where}{_inside(actor)} by polling {looks}{again}"
        verb = "sleeps" if _sleeps_for_a_moment(actor) else "waits"
        inside = _inside(actor) or ","
        return f"{name} {verb} again and again{where}{inside} each time for less than a second"
    if actor.awaits:
        where = at(program_frame(actor.python_stack or ()))
        what, _, left = actor.awaits.partition(" (")
        if what == "sleep" or (actor.sleep is not None and what == "a timer"):
            between = between_tries(actor, words)
            return f"{name} sleeps{where}{f' ({left}' if left else ''}{between}"
        return f"{name} awaits {actor.awaits}{where}"
    position = words.position(actor)
    return f"{name} is suspended{f' {position}' if position else ''}"


def between_tries(task: Task, words: Words) -> str:
    """`` between calls of fetch (rates.py:4)``, or `` between two tries (nats's ...)``, of a task
    that sleeps; empty: it is not known to try something again."""
    stack = task.python_stack or ()
    library = retries_within(stack[: application_index(stack)])
    tries = tries_again(task.id, words) or (f"between two tries ({library})" if library else "")
    return f" {tries}{'' if not library else after_error(task.id, words)}" if tries else ""


def own_package(task: Task) -> str | None:
    """The package of a task that a library runs for itself; None: the application is below it."""
    frames = task.python_stack or ()
    if application_index(frames) is not None:
        return None
    return next((known for frame in reversed(frames) if (known := package_of(frame))), None)


def _inside(task: Task) -> str:
    """``, in taskiq (task.py:103 (AsyncTaskiqTask.wait_result)),``: where a package was called."""
    entry = package_entry(task)
    if entry is None or name_of(entry) in _SLEEPS:
        return ""
    return f", in {package_of(entry)} ({line_and_function(entry)}),"


def _ticks(task: Task, words: Words) -> bool:
    """Whether a task sleeps for a moment, and its loop came back to the same lines in each look."""
    if not _sleeps_for_a_moment(task) or task.loop_tid is None:
        return False
    thread = words.thread(thread_id(task.pid, task.loop_tid))
    return thread is not None and polls(thread, words)


def _sleeps_for_a_moment(task: Task) -> bool:
    """Whether it sleeps for less than a second, in the end at least; one whose time is over has no
    timer any more that would tell how much is left."""
    total = task.sleep.total_s if task.sleep else None
    if total is not None:
        return total < 1
    return (task.awaits or "").startswith(_MOMENT)


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
        following = _next(wait, words) if wait else _NOBODY
        if not following.actors:
            following = _across(told[-1], words)
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
                how = _DIRECT
            else:
                how = f"{name} {following.has} {target}{following.taken}, and "
                clauses = clauses.removeprefix(f"{name} ")
        text += f" {how}{clauses}.{told_gone(wait, words) if wait else ''}"
        told += [actor.id for actor in new]
        known = known or _outside(new[0].id, words) or how != _DIRECT
        known = known or any(isinstance(one, Thread) and for_workers(one, words) for one in new)
        if len(new) > 1:
            break
    met = [actor for node in told if (actor := words.actor(node))]
    return Onward(f"{text}{by_two_ways(met, words)}", frozenset(told), known, bool(back))


def whose(waits: NodeId, words: Words) -> str:
    """``; owner holds it, and sleeps at a.py:9 (own)``, or ``; only owner could end that, and
    sleeps ...``: the one by whom *waits* goes on; empty: that is not known, or they are several."""
    wait = words.graph.wait_of(waits)
    following = _next(wait, words) if wait else _NOBODY
    if not following.actors and (across := _across(waits, words)).actors:
        now = doing(across.actors[0], words)
        process = words.process_name(across.actors[0].pid)
        return f"; {_HAS_OTHER_END.format(process)}: there {now}"
    single = len(following.actors) == 1 and following.how != _DIRECT
    if not single:
        return ""
    actor, holds = following.actors[0], following.has == _HOLDS
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


def enders(wait: Edge, words: Words) -> list[Actor]:
    """Who alone could end a wait, as far as is known: who is or has what is waited for, else those
    who are seen on the way to the call that would end it."""
    return _next(wait, words).actors


def _after(actor: Actor, words: Words) -> "_Next":
    wait = words.graph.wait_of(actor.id)
    following = _next(wait, words) if wait else _NOBODY
    return following if following.actors else _across(actor.id, words)


class _Next(NamedTuple):
    """Who has, is, or could end what is waited for."""

    actors: list[Actor]
    how: str
    """What leads to them, in words."""
    has: str = ""
    """What the only one has to do with it: ``holds``; empty: it is only on the way."""
    taken: str = ""
    """Where that one took it, in brackets; empty: it is no lock, or that is not known."""


_NOBODY = _Next([], "")


def _next(wait: Edge, words: Words) -> _Next:
    awaited = words.actor(wait.target)
    if awaited is not None:
        return _Next([awaited], _DIRECT)
    holds = words.graph.holders_of(wait.target)
    holders = [actor for hold in holds if (actor := words.actor(hold.target))]
    if wait.target.kind is NodeKind.PROCESS:
        return _Next(holders, _DIRECT)  # it is those of its threads
    if holds:
        known = words.wait(wait)
        # Who can act is not always who has the connection in hand, as its frames show.
        hands: list[Actor] = [*words.threads(known.answering)] if known else []
        holders = hands if len(hands) == 1 and not unaccepted(wait, words) else holders
        if wait.target.kind is NodeKind.SOCKET and len(holders) == 1:
            holders = [task_there(holders[0], words)]
        alone = len(holders) == 1 and (len(holds) == 1 or bool(hands))
        sure = alone and holds[0].evidence.certainty.supports_claim
        has = _HAS.get(wait.target.kind, _HOLDS if sure else "probably holds")
        has = _ACCEPTS if unaccepted(wait, words) else has
        every = len(holds) == len(holders)
        if every and wait.target.kind is NodeKind.PIPE:
            holders = elsewhere(wait, holders)
            alone = len(holders) == 1
        told = has in _HAVE and wait.target.kind is not NodeKind.SOCKET
        if every and told and 1 < len(holders) <= _MOST:
            who = joined([words.actor_name(one) for one in holders])
            return _Next(holders, f"{who} {_HAVE[has]} {words.name(wait.target)}: ")
        locked = sure and wait.target.kind in PYTHON_LOCKS
        taken = taken_at(holds[0], holders[0].python_stack or ()) if locked else ""
        return _Next(holders, "", has, taken) if alone else _NOBODY
    wakers = coming(words.graph, wait.target, way_of(wait, words))
    if (address := heard_from(wait, words)) is not None:  # its transport sets that, not they
        wakers = tuple(one for one in wakers if not _hears(one.candidate, address, words))
    candidates = [words.actor(one) for one in dict.fromkeys(w.candidate for w in wakers)]
    actors = [actor for actor in candidates if actor is not None]
    if not wakers and wait.target.kind is NodeKind.SOCKET:
        return _at_the_end(wait, words)
    if not 0 < len(actors) == len(candidates) <= _MOST:
        return _NOBODY
    names = [words.actor_name(actor) for actor in actors]
    return _Next(actors, f"{only(names, wakers, words.actor(wait.source))}: ")


def _hears(node: NodeId, address: str, words: Words) -> bool:
    """Whether one waits for what comes or leaves over the same connection as well."""
    wait = words.graph.wait_of(node)
    return wait is not None and heard_from(wait, words) == address


def _across(node: NodeId, words: Words) -> _Next:
    """The only one who has the other end of the connection, in another process."""
    end, there = far_end(node, words), user_there(node, words)
    if end is None or there is None:
        return _NOBODY
    return _Next([there], f"{_HAS_OTHER_END.format(words.process_name(end.pid))}: there, ")


def _led_back(following: _Next, told: Sequence[NodeId], words: Words) -> str:
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


def _at_the_end(wait: Edge, words: Words) -> _Next:
    """The only one who has the other end of a stream of its own process, and comes to no write."""
    there = {one.candidate for one in meant(words.graph, wait.target, way_of(wait, words))}
    found = [actor for one in there if (actor := words.actor(one))]
    return _Next(found, "", _HAS[NodeKind.SOCKET]) if len(found) == len(there) == 1 else _NOBODY


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
