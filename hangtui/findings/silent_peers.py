"""Tasks that await data of a peer, and what the kernel tells of that connection: whether it is
silent, or something has come just now."""

from hangtui.findings.english import listed
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Ends, Task, Watched, thread_id


def silent_s(task: Task, words: Words) -> float:
    """For how long *task* has waited at least for an answer over the one connection that it reads
    from, and that no edge of the graph tells of; 0: that is not known."""
    one = None if words.graph.wait_of(task.id) else _connection(task, words)
    traffic = one.traffic if one is not None and not is_own(one) else None
    if traffic is None or task.sends or traffic.accepted or not traffic.sent_last:
        return 0.0
    return traffic.sent_s or 0.0


def asked_s(task: Task, words: Words) -> float:
    """For how long the client of the request that *task* has in hand has heard nothing since it
    asked, as the kernel tells; 0: that is not known, or the functions of the server tell of it."""
    for one in words.capture.watched if task.answers else ():
        traffic = one.traffic
        if one.thread.pid == task.pid and one.leads_to(task.answers) and traffic:
            asked = traffic.accepted and traffic.sent_last is False
            return traffic.received_s or 0.0 if asked else 0.0
    return 0.0


def who_is_silent(task: Task, words: Words) -> str:
    """``process 12``: who has the other end open, if that task waits so; empty: not known."""
    one = _connection(task, words) if silent_s(task, words) >= STILL_S else None
    return listed([words.process_name(pid) for pid in sorted(one.peers)]) if one else ""


def just_heard(task: Task, words: Words) -> bool:
    """Whether something has come within a second over the connection that *task* waits for: it is
    in another wait by now, which looks the same."""
    one = _connection(task, words)
    ago = one.traffic.received_s if one is not None and one.traffic else None
    return ago is not None and ago < STILL_S


def _connection(task: Task, words: Words) -> Watched | None:
    """The one that *task* waits for something to come over, which its event loop watches."""
    wait = words.graph.wait_of(task.id)
    resource = words.resource(wait.target) if wait is not None else None
    ends = resource.ends if resource is not None else task.ends
    if ends is None or task.loop_tid is None:
        return None
    loop = thread_id(task.pid, task.loop_tid)
    mine = (one for one in words.capture.watched if one.thread == loop)
    found = [one for one in mine if one.ends is not None and _same(one.ends, ends)]
    return found[0] if len(found) == 1 else None


def _same(one: Ends, other: Ends) -> bool:
    local = one.local is None or other.local is None or one.local == other.local
    return local and one.remote == other.remote
