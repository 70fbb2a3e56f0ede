"""Who waits for a lock that the first one holds, which waits itself for what nobody is seen to
bring: whoever was to bring it may be that one."""

from hangtui.findings.english import counted
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.stack_queries import below_application
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import NodeId, Task


def short_kept(first: NodeId, words: Words) -> str:
    """``; task listen waits for Bot.turn, which task main holds``, of a task that waits with such a
    lock; empty: it holds none, or somebody comes to end its wait."""
    holder, wait = words.actor(first), words.graph.wait_of(first)
    if not isinstance(holder, Task) or wait is None or wait.expires:
        return ""
    if wait.target.kind in PYTHON_LOCKS or not nobody_comes(wait, words):
        return ""
    for hold in words.graph.held_by(first):
        if hold.source.kind not in PYTHON_LOCKS or not hold.evidence.certainty.supports_claim:
            continue
        waiting = words.actors(one.source for one in words.graph.waiters_of(hold.source))
        own = [one for one in waiting if below_application(one)]
        if own:
            more = f" and {counted(len(own) - 1, 'other')}" if own[1:] else ""
            waits = f"{words.actor_name(own[0])}{more} wait{'' if more else 's'}"
            return (
                f"; {waits} for {words.name(hold.source)}, which {words.actor_name(holder)} holds"
            )
    return ""
