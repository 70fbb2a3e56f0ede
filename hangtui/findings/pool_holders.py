"""Who has what a pool lends, and what these do now, in sentences."""

from collections.abc import Iterator

from hangtui.findings.on_the_way import doing
from hangtui.findings.pools import holds_of, position, taken
from hangtui.findings.stack_queries import does
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import told_end
from hangtui.model import Resource, TaskState, Thread


def told_holders(resource: Resource, words: Words) -> Iterator[str]:
    """A sentence for each of the first of them: ``feed has one (at a.py:3) and waits ...``."""
    holds = holds_of(resource, words)
    for holder, hold in list(holds.items())[:NAMES_LISTED]:
        at = taken(hold)
        since = f" (at {at})" if at else ""
        actor = words.actor(holder)
        behind = told_end([actor] if actor and len(holds) == 1 else [], words)
        does_now = _does(actor, words, alone=not behind)
        yield f"{words.name(holder)} has one{since} and {does_now}.{behind}"
    if len(holds) > NAMES_LISTED:
        yield f"{len(holds) - NAMES_LISTED} more have one."


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
