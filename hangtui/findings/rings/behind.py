"""Who only waits behind the members of a ring."""

from collections import Counter
from collections.abc import Sequence

from hangtui.analysis.places import library_frame, package_of
from hangtui.analysis.waitgraph import Cycle
from hangtui.analysis.wakers import coming
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.exits import exit_of
from hangtui.findings.pool_workers import clients_of, serves_pool
from hangtui.findings.services import of_library
from hangtui.findings.stack_queries import at_own_line, below_application, does, way_of
from hangtui.findings.words import Words
from hangtui.model import NodeId, Task, TaskState


def behind(cycle: Cycle, them: str, words: Words) -> str:
    """`` 1 more thread waits behind them: poller.``, or nothing."""
    victims = [node for node in words.graph.behind(cycle) if _is_victim(node, words)]
    members = filter(None, map(words.thread, cycle.nodes))
    clients = dict.fromkeys(one.id for thread in members for one in clients_of(thread, words))
    victims += [node for node in clients if node not in (*victims, *cycle.nodes)]
    for_them = _told_for(cycle, victims, words)
    if not victims:
        return for_them
    inside = {node.pid for node in cycle.nodes}
    inside = set() if len(inside) > 1 or _in_library(cycle, words) else inside
    names = listed([_named(node, words, placed=node.pid not in inside) for node in victims])
    kinds = Counter(node.kind.value for node in victims)
    who = joined([counted(number, f"more {kind}") for kind, number in kinds.items()])
    verb = "waits" if len(victims) == 1 else "wait"
    return f" {who} {verb} behind {them}: {names}.{for_them}"


def _told_for(cycle: Cycle, victims: Sequence[NodeId], words: Words) -> str:
    """`` MainThread waits at app.py:9 (ask) for jobs, which only worker is on the way to end.``:
    the first thread below a line of the application that waits for what only a member, or the
    thread that runs its loop, is seen to come to; empty: none does."""
    members = words.actors(cycle.nodes)
    known = {*cycle.nodes, *(one.id for one in words.carriers(members))}
    for process in (words.capture.process(pid) for pid in {one.pid for one in members}):
        for thread in process.threads if process else ():
            wait = words.lasting.get(thread.id)
            if wait is None or thread.id in known or thread.id in victims:
                continue
            comers = coming(words.graph, wait.wait.target, way_of(wait.wait, words))
            who = {one.candidate for one in comers} - {thread.id}
            if len(who) == 1 and who <= known and below_application(thread):
                name = words.name(next(iter(who)))
                return f" {does(thread, words)}, which only {name} is seen on the way to end."
    return ""


def _is_victim(node: NodeId, words: Words) -> bool:
    """Not a task whose frames are on a member's stack, which is the member; nor a thread that a
    library runs for itself, as those that watch for the end of others."""
    thread, actor = words.thread(node), words.actor(node)
    if isinstance(actor, Task):
        return actor.state is not TaskState.RUNNING
    return thread is None or not (of_library(thread, words) or serves_pool(thread))


def _in_library(cycle: Cycle, words: Words) -> bool:
    """Whether a member is inside of an installed package, or of what that called in the standard
    library: so the ring may be all of that one's."""
    stacks = [one.python_stack or () for one in words.actors(cycle.nodes)]
    inner = [next((f for f in stack if not library_frame(f)), None) for stack in stacks]
    return any(frame is not None and package_of(frame) is not None for frame in inner)


def _named(node: NodeId, words: Words, *, placed: bool) -> str:
    """Its name; of one in another process, or behind a ring inside of a package or through several
    processes, also the application's line."""
    thread, name = words.thread(node), words.name(node)
    if thread is None:
        return name
    if exit_of(thread) is not None:
        return f"{name}, in the interpreter's exit"
    return f"{name}{at_own_line(thread)}" if placed else name
