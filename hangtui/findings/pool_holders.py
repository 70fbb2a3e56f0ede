"""Who has what a pool lends, and what these do now, in sentences."""

from collections.abc import Iterator

from hangtui.analysis.wakers import coming
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, counted
from hangtui.findings.pools import holds_of, position, taken
from hangtui.findings.stack_queries import does, way_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import told_end
from hangtui.model import Resource, Task, TaskState, Thread


def told_holders(resource: Resource, words: Words) -> Iterator[str]:
    """A sentence for each of the first of them: ``feed has one (at a.py:3) and waits ...``."""
    holds = holds_of(resource, words)
    if threads := threads_of_holders(resource, words):
        # What the tasks do themselves is the same for all: they wait for these threads.
        several = len(holds) > 1
        who = counted(len(holds), "task") if several else words.name(next(iter(holds)))
        has = (
            "have one each and wait for what threads do for them"
            if several
            else "has one and waits for what a thread does for it"
        )
        now = [does(thread, words) for thread in threads[:NAMES_LISTED]]
        yield f"{who} {has}: {clauses(now, len(threads))}."
        return
    for holder, hold in list(holds.items())[:NAMES_LISTED]:
        at = taken(hold)
        since = f" (at {at})" if at else ""
        actor = words.actor(holder)
        behind = told_end([actor] if actor and len(holds) == 1 else [], words)
        does_now = _does(actor, words, alone=not behind)
        yield f"{words.name(holder)} has one{since} and {does_now}.{behind}"
    if len(holds) > NAMES_LISTED:
        yield f"{len(holds) - NAMES_LISTED} more have one."


def threads_of_holders(resource: Resource, words: Words) -> list[Thread]:
    """The threads that run a call for each of the tasks that have something of a pool; empty: not
    all who have are tasks of that kind."""
    holds = holds_of(resource, words)
    found = [_runs_for(words.actor(one), words) for one in holds]
    threads = [thread for thread in found if thread is not None]
    return threads if len(threads) == len(holds) else []


def _runs_for(actor: Actor | None, words: Words) -> Thread | None:
    """The thread that alone could end a task's wait: it runs a call for it."""
    wait = words.graph.wait_of(actor.id) if isinstance(actor, Task) else None
    if wait is None or words.graph.holders_of(wait.target):
        return None
    wakers = coming(words.graph, wait.target, way_of(wait, words))
    candidates = {one.candidate for one in wakers}
    found = words.actor(candidates.pop()) if len(candidates) == 1 else None
    return found if isinstance(found, Thread) else None


def _does(actor: Actor | None, words: Words, *, alone: bool) -> str:
    """What somebody who has one does now; *alone*: what it waits for is not followed."""
    if actor is None:
        return "is not known any more"
    if isinstance(actor, Thread):
        return does(actor, words, alone=alone).removeprefix(f"{words.thread_name(actor)} ")
    wait = words.graph.wait_of(actor.id)
    at = f" at {position(actor)}" if position(actor) else ""
    if wait is not None:
        holders = words.graph.holders_of(wait.target)
        # Who moved since may have been given it already.
        open_end = (
            alone and wait.stable and not (holders or wait.expires or words.actor(wait.target))
        )
        end = ", and nothing records who would end that" if open_end else ""
        return f"waits{at} {words.goal(wait)}{end}"
    match actor.state:
        case TaskState.RUNNING:
            return f"runs{at}"
        case TaskState.READY:
            return f"is ready to go on{at}"
        case TaskState.WAITING:
            if not actor.awaits:
                return f"waits{at}, for what is not known"
            return doing(actor, words).removeprefix(f"{words.actor_name(actor)} ")
