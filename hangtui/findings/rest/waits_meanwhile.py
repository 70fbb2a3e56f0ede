"""Who waits in a process of which some threads get on, for what one of those has or alone would
end, or for a lock of one that stays where it is."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.enders import enders
from hangtui.findings.looked import polled_by
from hangtui.findings.on_the_way import whose
from hangtui.findings.stack_queries import below_application
from hangtui.findings.suspended import suspended
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Process, Task, Thread, thread_id

_MOST_TASKS = 50
"""Suspended tasks that are looked at for who could end their waits."""
_LOCKS = (NodeKind.LOCK, NodeKind.RLOCK)


class Behind(NamedTuple):
    """Who waits while others go on."""

    actor: Actor
    text: str
    """What it does."""
    joins: bool
    """It waits only for another one to end: most main threads do."""
    unset: bool = False
    """It is a task that waits for a future which the program itself sets."""
    kept: bool = False
    """It waits for a lock of one that stays where it is."""


def behind_those(process: Process, ran: list[Thread], words: Words) -> list[Behind]:
    """Who waits below a line of the application, without an end, for what one of those that ran
    has, or alone would end; of the tasks of their event loops, too, and which of these poll."""
    moves = {thread.id for thread in ran}
    waiting: list[Actor] = [
        thread
        for thread in process.threads
        if thread.id in words.lasting and below_application(thread)
    ]
    waiting += [
        task
        for task in suspended(process, words)[:_MOST_TASKS]
        if thread_id(task.pid, task.loop_tid or 0) in moves
    ]
    told = []
    for actor in waiting:
        wait = words.graph.wait_of(actor.id)
        others = enders(wait, words) if wait and not wait.expires else []
        if wait and any(isinstance(one, Task) or one.id in moves for one in others):
            joins = words.actor(wait.target) is not None
            owner = whose(actor.id, words)
            set_by = _set_by(wait, words) if isinstance(actor, Task) and not owner else ""
            text = f"{doing(actor, words, alone=not owner)}{owner}{set_by}"
            told.append(Behind(actor, text, joins, bool(set_by)))
        elif wait is None and isinstance(actor, Task) and polled_by(actor.id, words):
            told.append(Behind(actor, doing(actor, words), joins=False))
        elif wait and (kept := _kept_by(wait, others, words)):
            told.append(Behind(actor, f"{doing(actor, words)}; {kept}", joins=False, kept=True))
    return told


def _kept_by(wait: Edge, others: Sequence[Actor], words: Words) -> str:
    """What the thread does that has the lock which is waited for, if that waits below a line of the
    application as well, at the same place in every look; else nothing."""
    held = {hold.target for hold in words.graph.holders_of(wait.target)}
    owner = others[0] if len(others) == 1 and wait.target.kind in _LOCKS else None
    if not isinstance(owner, Thread) or owner.id not in held or not below_application(owner):
        return ""
    seen = words.progress.get(owner.id)
    return doing(owner, words) if seen is not None and seen.same_line else ""


def waits_first(ran: list[Thread], behind: Sequence[Behind], words: Words) -> Behind | None:
    """The one of *behind* of which is told rather than of those that *ran*: a task for a future
    that the program alone sets, where nothing but event loops goes on, or who waits for a lock of
    one that stays where it is."""
    return _unset(ran, behind, words) or next((one for one in behind if one.kept), None)


def _unset(ran: list[Thread], behind: Sequence[Behind], words: Words) -> Behind | None:
    """The first task that waits for a future of the program's own, if all that ran are threads of
    event loops."""
    looped = {thread_id(one.pid, one.tid) for one in words.capture.event_loops if one.tid}
    if not looped.issuperset(one.id for one in ran):
        return None
    return next((one for one in behind if one.unset), None)


def _set_by(wait: Edge, words: Words) -> str:
    """``, which Slots.release (main.py:25) would set``, of a future that one line alone of the
    program's sets, as far as can be seen; empty: there are several, or none is known."""
    if wait.target.kind is not NodeKind.FUTURE:
        return ""
    calls = {(one.call_function, one.call_line) for one in words.graph.wakers_of(wait.target)}
    (function, line) = calls.pop() if len(calls) == 1 else (None, None)
    return f", which {function} ({short_path(line)}) would set" if function and line else ""


def suspended_first(process: Process, words: Words) -> list[Behind]:
    """The task that tells most of those that wait, not by the clock, in a process whose event loops
    are all that ran: whatever made these tick, it may be what the program waits for."""
    waiting = (one for one in telling_tasks(process, words) if one.sleep is None)
    first = next(waiting, None)
    return [Behind(first, doing(first, words), joins=False)] if first else []
