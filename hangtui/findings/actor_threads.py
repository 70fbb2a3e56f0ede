"""Actors of Ray whose threads for methods are inside of methods that wait for what another method
would do: that call stays queued, and never begins if these are all threads that the actor has."""

from collections.abc import Mapping, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.stack_queries import wait_for_ever
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes, told_written
from hangtui.model import Certainty, NodeId, NodeKind, Process, Thread

_POOL = "ray::core::BoundedExecutor"
"""In the name of the C++ function with which each thread of an actor begins that runs methods,
where it has several, or runs them in groups: all of them are started with the actor."""
_TITLE = "ray::"
"""How the kernel's name of such a thread begins: that of the process, unlike Ray's own threads."""


def stuck_actors(words: Words) -> Mapping[NodeId, list[Edge]]:
    """The actors all of whose threads for methods wait for what only another of their methods would
    do, each with the holds of those threads."""
    holds: dict[NodeId, list[Edge]] = {}
    for resource in words.capture.resources:
        if resource.kind is NodeKind.ACTOR:
            holds[resource.id] = list(words.graph.holders_of(resource.id))
    return {
        actor: those
        for actor, those in holds.items()
        if those and all_taken(those, words) and _wait_for_methods(those, words)
    }


def ended_by(waits: Sequence[Edge], words: Words) -> list[str]:
    """The functions of the program that would end *waits*: ``Mailbox.put (main.py:24)``."""
    known = (words.resource(wait.target) for wait in waits)
    return list(dict.fromkeys(end for one in known if one is not None for end in one.enders))


def never_begun(holds: Sequence[Edge], words: Words) -> str:
    """Which functions of the program would let those go on who are to answer, if nobody runs one:
    an actor whose threads all wait begins no other call."""
    told: dict[str, None] = {}
    for hold in holds:
        thread = words.thread(hold.target)
        wait = wait_for_ever(thread, words) if thread else None
        if thread is None or wait is None or words.graph.holders_of(wait.target):
            return ""
        if coming(words.graph, wait.target, words.method(wait)):
            return ""
        told[told_written(words.resource(wait.target), thread, words)] = None
    ends = "".join(told)
    actor = any(hold.source.kind is NodeKind.ACTOR for hold in holds)
    if not ends or not actor:
        return ends
    many = len({hold.target for hold in holds}) > 1
    if free := _free(holds, words):
        threads = f"{free} more thread{'s' if free > 1 else ''}"
        return (
            f" Nobody is seen on the way to let {'them' if many else 'it'} go on.{ends} The actor "
            f"has {threads} for its methods, so that another call of it would begin."
        )
    all_of_them = "these are all the threads" if many else "this is the only thread"
    return (
        f" Nobody is seen on the way to let {'them' if many else 'it'} go on.{ends} If "
        f"{all_of_them} that the actor has for its methods (max_concurrency), such a call stays "
        "queued and never begins."
    )


def _wait_for_methods(holds: Sequence[Edge], words: Words) -> bool:
    """Whether each of those threads waits for what nobody comes to, and what ends that is in other
    methods of the actor's own class alone."""
    inside = {one.holder: one.function for one in words.capture.holds if one.function}
    for hold in holds:
        thread = words.thread(hold.target)
        wait = wait_for_ever(thread, words) if thread else None
        resource = words.resource(wait.target) if wait else None
        cls = inside.get(hold.target, "").rpartition(".")[0]
        if wait is None or resource is None or not cls or not nobody_comes(wait, words):
            return False
        if not resource.enders or not all(one.startswith(f"{cls}.") for one in resource.enders):
            return False
    return True


def all_taken(holds: Sequence[Edge], words: Words) -> bool:
    """Whether those who run an actor's methods now are all the threads that it has for that."""
    pids = {hold.target.pid for hold in holds}
    process = words.capture.process(pids.pop()) if len(pids) == 1 else None
    if process is None or process.incomplete:
        return False
    running = {hold.target for hold in holds}
    if all(hold.evidence.certainty is Certainty.PROVEN for hold in holds):
        return len(running) == 1  # in its main loop, one at a time
    pool = [thread for thread in process.threads if _runs_methods(thread)]
    return {thread.id for thread in pool} == running and not _unclear(process, pool)


def _free(holds: Sequence[Edge], words: Words) -> int:
    """How many threads for methods an actor has that run none, as far as these are known."""
    pids, running = {hold.target.pid for hold in holds}, {hold.target for hold in holds}
    process = words.capture.process(pids.pop()) if len(pids) == 1 else None
    pool = {one.id for one in (process.threads if process else ()) if _runs_methods(one)}
    return len(pool - running) if running <= pool else 0


def _runs_methods(thread: Thread) -> bool:
    return any(_POOL in (frame.function or "") for frame in thread.native_stack or ())


def _unclear(process: Process, pool: Sequence[Thread]) -> bool:
    """Whether another thread may be one of those, which was not seen from its beginning on."""
    others = (one for one in process.threads if one not in pool and one.tid != one.pid)
    return any(
        not one.native_stack and not one.python_stack and (one.comm or "").startswith(_TITLE)
        for one in others
    )
