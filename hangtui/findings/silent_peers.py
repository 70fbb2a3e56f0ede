"""Tasks that await data of a peer, over a connection that the graph does not know as what they wait
for: whether it is silent, and who has its other end."""

import re

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import listed
from hangtui.findings.other_end import heard_from, leads_to
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Task, Watched, thread_id

_FROM = re.compile(r"data from (\S+) \(")


def silent_s(task: Task, words: Words) -> float:
    """For how long *task* has waited for an answer at least, by the kernel's account; 0: that is
    not known.

    Which of several connections to one address is its own cannot be told. So all tasks that await
    data from there have to wait as long: no fewer connections than tasks are silent.
    """
    due = _silent(task, words)
    asking = [one for one in words.capture.tasks if _asks_there(one, task)]
    if not due or len(due) < len(asking):
        return 0.0
    return min(one.traffic.sent_s or 0.0 for one in due if one.traffic)


def who_is_silent(task: Task, words: Words) -> str:
    """``process 12``: who has the other end open, if that task waits so; empty: not known."""
    if not silent_s(task, words):
        return ""
    pids = {pid for one in _silent(task, words) for pid in one.peers}
    return listed([words.process_name(pid) for pid in sorted(pids)]) if pids else ""


def just_heard(task: Task, words: Words) -> bool:
    """Whether something has come within a second over each connection that *task* may wait for: it
    is in another wait by now, which looks the same."""
    wait = words.graph.wait_of(task.id)
    address = _of_wait(wait, words) if wait is not None else _address(task)
    if address is None or task.loop_tid is None:
        return False
    loop = thread_id(task.pid, task.loop_tid)
    found = [one for one in words.capture.watched if one.thread == loop]
    known = [one.traffic for one in found if leads_to(one, address)]
    return bool(known) and all(
        one is not None and one.received_s is not None and one.received_s < STILL_S for one in known
    )


def _of_wait(wait: Edge, words: Words) -> str | None:
    """``10.0.0.1:80``, where the connection leads to that is waited for, or what comes over it."""
    resource = words.resource(wait.target)
    if resource is None or resource.kind is not NodeKind.SOCKET or not resource.name:
        return heard_from(wait, words)
    return resource.name.rpartition(" to ")[2] or None


def _silent(task: Task, words: Words) -> list[Watched]:
    """The connections of its loop to where it asks that have been silent since something was sent
    there, a second ago or more."""
    address = _address(task)
    if address is None or task.loop_tid is None or words.graph.wait_of(task.id) is not None:
        return []
    loop = thread_id(task.pid, task.loop_tid)
    return [
        one
        for one in words.capture.watched
        if one.thread == loop and leads_to(one, address) and _is_due(one)
    ]


def _is_due(one: Watched) -> bool:
    traffic = one.traffic
    if traffic is None or traffic.accepted or is_own(one) or not traffic.sent_last:
        return False
    return (traffic.sent_s or 0.0) >= STILL_S


def _asks_there(one: Task, task: Task) -> bool:
    return (
        (one.pid, one.loop, _address(one)) == (task.pid, task.loop, _address(task))
        and not one.takes_next
        and not one.subscribes
    )


def _address(task: Task) -> str | None:
    """``10.0.0.1:80``, where the data is to come from; None: it awaits something else."""
    found = _FROM.match(task.awaits or "")
    return found[1] if found else None
