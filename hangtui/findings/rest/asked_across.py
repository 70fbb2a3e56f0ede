"""Whether a task waits for data from one in another process who waits for what nobody brings, or
for what leads back to the first."""

from hangtui.findings.across import far_end, user_there
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.enders import enders
from hangtui.findings.pools import waited_s
from hangtui.findings.senders import may_be_told
from hangtui.findings.stack_queries import at_work, below_application
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import brought_by_nobody
from hangtui.model import NodeId, NodeKind, Task, TaskState

_NO_ITEMS = frozenset({NodeKind.EVENT, NodeKind.LOCK, NodeKind.SEMAPHORE})
"""At the head of a loop they are no items that come: who serves there has read before."""
_LINKS = 8
"""Waits that are followed, one behind the other."""


def asked_across(node: NodeId, words: Words) -> bool:
    """Whether it does, all of them below lines of the application, for a second or more."""
    task, there = words.actor(node), user_there(node, words)
    if not isinstance(task, Task) or there is None or task.takes_next is not False:
        return False
    end = far_end(node, words)
    if (end is not None and end.expires) or waited_s(task, words) < STILL_S:
        return False
    met: list[Actor] = [task]
    following: Actor | None = there
    for _ in range(_LINKS):
        if following is None:
            break
        if following in met:
            return following is task and not at_work({one.pid for one in met}, words)
        met.append(following)
        if not _lasts(following, words):
            return _takes_next(following, task, words)
        following = _behind(following, words)
    return len(met) > 1 and _left(met[-1], words)


def _lasts(actor: Actor, words: Words) -> bool:
    """Whether it waits below a line of the application, and not for the clock or its next item."""
    wait, end = words.graph.wait_of(actor.id), far_end(actor.id, words)
    takes = actor.takes_next and (wait is None or wait.target.kind not in _NO_ITEMS)
    if takes or not below_application(actor) or goes_on(actor, words):
        return False
    if isinstance(actor, Task) and (actor.state is not TaskState.WAITING or actor.sleep):
        return False
    if (wait is None and end is None) or (wait and wait.expires) or (end and end.expires):
        return False
    return waited_s(actor, words) >= STILL_S


def _takes_next(peer: Actor, task: Task, words: Words) -> bool:
    """Whether *peer* waits for the next message of *task*, which waits for an answer: nothing is
    on its way, unless others have something to say there, or a timer of one of their loops does."""
    if not peer.takes_next or user_there(peer.id, words) is not task:
        return False
    if may_be_told(task, peer.pid, words) or at_work({task.pid, peer.pid}, words):
        return False
    loops = {(one.pid, one.loop_tid) for one in (task, peer) if isinstance(one, Task)}
    timed = any(one.timers for one in words.capture.event_loops if (one.pid, one.tid) in loops)
    return not timed and waited_s(task, words) >= STILL_S and waited_s(peer, words) >= STILL_S


def _behind(actor: Actor, words: Words) -> Actor | None:
    """The only one by whom its wait ends."""
    if (there := user_there(actor.id, words)) is not None:
        return there
    wait = words.graph.wait_of(actor.id)
    found = enders(wait, words) if wait is not None else []
    return found[0] if len(found) == 1 else None


def _left(actor: Actor, words: Words) -> bool:
    """Whether it waits for what nobody brings, and nobody of its process is at work."""
    wait = words.graph.wait_of(actor.id)
    return (
        wait is not None
        and not at_work({actor.pid}, words)
        and brought_by_nobody(wait, actor, words)
    )
