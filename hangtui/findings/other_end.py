"""Who is at the other end of a connection of asyncio: tasks of the same process, by the addresses
of both ends, or another process."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import listed
from hangtui.findings.pools import position, waited_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.two_ends import ends_of
from hangtui.findings.words import Actor, Words
from hangtui.model import FIRST_TASK, NodeId, NodeKind, Task, Watched, thread_id


def at_other_end(wait: Edge, words: Words) -> list[Task]:
    """The tasks that wait there for something to come; empty: none do, or that is not known."""
    ends = ends_of(words.resource(wait.target))
    if ends is None:
        return []
    found: dict[NodeId, Task] = {}
    for other in words.capture.waits:
        there = ends_of(words.resource(other.target))
        if other.waiter.pid == wait.source.pid and there and there.meets(ends):
            actor = words.actor(other.waiter)
            if isinstance(actor, Task):
                found[actor.id] = actor
    return list(found.values())


def hears_itself(node: NodeId, words: Words) -> bool:
    """Whether it is the task that the program began with, and waits over a second for what a task
    of the same process has to send, while that waits for what comes from it: over a connection of
    a library, or to agree on keys."""
    task, wait = words.actor(node), words.graph.wait_of(node)
    if not isinstance(task, Task) or task.name != FIRST_TASK or wait is None or wait.expires:
        return False
    # Who listens to a plain stream may well rest in that; nobody rests in a handshake.
    if wait.target.kind is NodeKind.SOCKET and words.operation(wait) != "handshake":
        return False
    return bool(at_other_end(wait, words)) and waited_s(task, words) >= STILL_S


def told_other_end(tasks: list[Task], words: Words) -> str:
    """`` The other end of that connection is in this process, too: there task serve, at main.py:12
    (serve), waits for something to come as well.``; empty for no tasks."""
    if not tasks:
        return ""
    names = [f"{words.actor_name(one)}, at {position(one)}," for one in tasks[:NAMES_LISTED]]
    names += [""] * (len(tasks) - len(names))
    verb = "waits" if len(tasks) == 1 else "wait"
    return (
        " The other end of that connection is in this process, too: there "
        f"{listed(names)} {verb} for something to come as well."
    )


def hears_own(node: NodeId, words: Words) -> bool:
    """Whether it is a task that waits for what comes over a connection which its own process alone
    has the other end of."""
    wait = words.graph.wait_of(node)
    resource = words.resource(wait.target) if wait else None
    ends = resource.ends if resource else None
    found = [
        one for one in words.capture.watched if one.thread.pid == node.pid and one.ends == ends
    ]
    return ends is not None and bool(found) and all(one.peers == (node.pid,) for one in found)


def told_sender(wait: Edge, words: Words) -> str:
    """`` Only the other end of that connection, open in process 12, could send that.``, of who
    waits for something to come over one that leads out of its process; empty: it waits for
    something else."""
    if heard_from(wait, words) is None or at_other_end(wait, words):
        return ""
    names = who_is_there(wait, words)
    where = f", open in {names}," if names else ""
    return f" Only the other end of that connection{where} could send that."


def who_is_there(wait: Edge, words: Words) -> str:
    """``process 12``: who has the other end open of the connection from which a task waits for
    what comes next; empty: that is not known, or it waits for something else."""
    address = heard_from(wait, words)
    pids = {
        pid
        for one in words.capture.watched
        if address and one.thread.pid == wait.source.pid and one.leads_to(address)
        for pid in one.peers
    }
    return listed([words.process_name(pid) for pid in sorted(pids)]) if pids else ""


def heard_from(wait: Edge, words: Words) -> str | None:
    """``10.0.0.1:80``, where the connection leads to from which a task waits for what comes next;
    None: it waits for something else."""
    resource = words.resource(wait.target)
    beside = resource is not None and resource.kind is not NodeKind.SOCKET
    return resource.ends.remote if resource and resource.ends and beside else None


def databases_work(actors: Sequence[Actor], words: Words) -> bool:
    """Whether each of them waits for the answer of a database, and as many sessions at the other
    ends of these connections execute a statement: what those take is the database's time."""
    works = {one.pid for one in words.capture.database_sessions if one.works}
    ends = [_far_ends(actor, words) & works for actor in actors]
    return bool(ends) and all(ends) and len(frozenset().union(*ends)) >= len(actors)


def _far_ends(actor: Actor, words: Words) -> set[int]:
    """PIDs of those who have the other ends of the connections that it may wait for."""
    wait = words.graph.wait_of(actor.id)
    address = heard_from(wait, words) if wait else None
    holds = words.graph.holders_of(wait.target) if wait else ()
    heard = [
        one
        for one in words.capture.watched
        if address and one.thread.pid == actor.pid and one.leads_to(address)
    ]
    return {hold.target.pid for hold in holds} | {pid for one in heard for pid in one.peers}


def held_elsewhere(node: NodeId, words: Words) -> Watched | None:
    """The connection that a task or greenlet alone waits for, and whose other end one process has
    open, which is another one: nobody but that can send anything, or close it. None: not so."""
    task = words.actor(node)
    if not isinstance(task, Task) or task.loop_tid is None or not task.awaits:
        return None
    loop = thread_id(task.pid, task.loop_tid)
    found = [one for one in words.capture.watched if one.thread == loop]
    found = [one for one in found if task.awaits in (one.name, f"the {one.name}")]
    alone = len(found) == 1 and len(found[0].peers) == 1 and found[0].accepted
    return found[0] if alone and found[0].peers[0] != task.pid else None


def has_both_ends(node: NodeId, words: Words) -> bool:
    """Whether a task awaits data of a pipe or connection whose other end nobody but its own process
    has open: all that its event loop watches leads into that process."""
    task = words.actor(node)
    if not isinstance(task, Task) or not task.awaits_data or task.loop_tid is None:
        return False
    loop = thread_id(task.pid, task.loop_tid)
    known = next((one for one in words.capture.inward if one.thread == loop), None)
    return known is not None and not known.accepts and known.ends == (task.pid,)
