"""Who is on the way to release a lock that another one may have taken, and goes on."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import at_own_work, goes_on, moves
from hangtui.findings.doing import doing
from hangtui.findings.inert import waits_for_work
from hangtui.findings.stack_queries import polls
from hangtui.findings.words import Actor, Words
from hangtui.model import Thread


def givers_going_on(wait: Edge, words: Words) -> list[Actor]:
    """Those whose code comes to release what is waited for, and that the clock, their own work or
    another's brings on: a session that was opened by one, and that another one closes."""
    resource = words.resource(wait.target)
    found = words.actors(resource.givers) if resource else []
    return [one for one in found if _gets_on(one, words)]


def short_givers(wait: Edge, words: Words) -> str:
    """``; writer is on the way to release it, and sleeps at app.py:9 (write)``, or nothing. Of
    those that do not go on only one that is alone is told, and does not wait for its next work."""
    found, resource = givers_going_on(wait, words), words.resource(wait.target)
    only = "" if found else "only "
    if not found and resource is not None and len(resource.givers) == 1:
        every = words.actors(resource.givers)
        found = [one for one in every if isinstance(one, Thread) and not waits_for_work(one)]
    if len(found) != 1:
        return f"; {len(found)} others are on the way to release it" if found else ""
    name = words.actor_name(found[0])
    does = doing(found[0], words).removeprefix(f"{name} ")
    return f"; {only}{name} is on the way to release it, and {does}"


def _gets_on(actor: Actor, words: Words) -> bool:
    if goes_on(actor, words):
        return True
    if not isinstance(actor, Thread):
        return False
    wait = words.graph.wait_of(actor.id)
    timed = wait is not None and wait.expires and not polls(actor, words)  # as threading.Timer
    return timed or moves(actor, words) or at_own_work(actor, words)
