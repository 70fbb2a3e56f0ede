"""When a ring of which a part is only inferred can end no more, whichever way that part is read.

Who took a plain lock or a unit of a semaphore is inferred where it was taken by ``acquire()``. But
where each thread of the process waits, without an end, for what only another one of them can give,
nobody is left to release it, whoever took it; and where all frames were searched, and nobody's
refer to a semaphore but those of the ring's members, nobody can come to do so. And which thread has
the other end of a connection is inferred where several could; but if all of them wait for each
other, none of them sends anything. And where one waits with the GIL and all others need it first,
none of them gives anything back.
"""

from collections.abc import Collection, Sequence

from hangtui.analysis.waitgraph import Cycle, Edge, Relation
from hangtui.analysis.wakers import coming
from hangtui.findings.backlog import unaccepted
from hangtui.findings.beyond_doubt import nobody_will, signals_for, waking_but_ending
from hangtui.findings.inert import all_waits, has_no_source, wait_inside
from hangtui.findings.rings.gil_needed import needing_it
from hangtui.findings.stack_queries import stood_s, wait_for_ever
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.unseen_children import unseen_children
from hangtui.findings.words import Actor, Words
from hangtui.model import CouldWake, NodeId, NodeKind, Process, Task, TaskState, Thread

WHY_NEVER = "whoever has it: nobody is left in the process who could end the wait"
_TAKEN = (NodeKind.LOCK, NodeKind.SEMAPHORE)


def never_ends(cycle: Cycle, members: Sequence[Actor], words: Words) -> bool:
    """Whether a ring is known to be one for good although a hold in it is inferred."""
    threads = [one for one in members if isinstance(one, Thread)]
    pids = {node.pid for node in cycle.nodes}
    inferred = [edge for edge in cycle.edges if not edge.evidence.certainty.supports_claim]
    if not threads:
        return _loop_stands([one for one in members if isinstance(one, Task)], inferred, words)
    if len(threads) < len(members):
        return False
    if any(edge.source.kind is NodeKind.SOCKET for edge in inferred):
        own = {thread.pid for thread in threads}
        return len(own) == 1 and _all_wait_for_themselves(own.pop(), inferred, words)
    if len(pids) > 1:
        return False
    if _all_need_the_gil(threads, inferred, words):
        return True
    if any(
        edge.relation is not Relation.HELD_BY or edge.source.kind not in _TAKEN for edge in inferred
    ):
        return False
    (process,) = (one for one in words.capture.processes if one.pid in pids)
    waits = [(one, wait) for one in threads if (wait := words.graph.wait_of(one.id))]
    signals = signals_for(process, waits, words)
    if not nobody_will(process, threads, words, signals):
        return False
    return all_wait(process, words, signals) or all(
        _known_to_them_alone(edge.source, threads, words) for edge in inferred
    )


def _all_need_the_gil(threads: Sequence[Thread], inferred: Sequence[Edge], words: Words) -> bool:
    """Whether one of them keeps the GIL and stands at the only thing of which a holder is inferred,
    which nobody gives back without the GIL, whoever has it."""
    for thread in threads:
        process, wait = words.capture.process(thread.pid), words.graph.wait_of(thread.id)
        if process is None or wait is None or wait.expires:
            continue
        if {edge.source for edge in inferred} == {wait.target} and needing_it(
            thread, wait, process, words
        ):
            return process.steady is True and stood_s(thread, words) >= STILL_S
    return False


def _loop_stands(tasks: Sequence[Task], inferred: Sequence[Edge], words: Words) -> bool:
    """Whether the event loop of *tasks*, whose thread is the only one, has nothing that could wake
    it: then no task gives back what one of them waits for, whoever has it."""
    capture = words.capture
    loops = {(task.pid, task.loop) for task in tasks}
    found = [one for one in capture.event_loops if (one.pid, one.address) in loops]
    process = capture.process(found[0].pid) if len(loops) == len(found) == 1 else None
    if process is None or len(process.threads) != 1:
        return False
    (loop,), (thread,) = found, process.threads
    taken = all(
        edge.relation is Relation.HELD_BY and edge.source.kind in _TAKEN for edge in inferred
    )
    waiting = all(task.state is TaskState.WAITING for task in words.tasks_of(loop))
    nothing = has_no_source(loop, 0) and loop.tid == thread.tid and waiting
    return taken and nothing and nobody_will(process, [thread], words, waking_but_ending(process))


def _all_wait_for_themselves(pid: int, inferred: Sequence[Edge], words: Words) -> bool:
    """Whether no thread of a process that has both ends of all its connections which are waited
    for could send anything: whichever of them has an end, all wait, without a timeout, for what
    only these same threads can do."""
    process = words.capture.process(pid)
    if process is None or any(edge.relation is not Relation.HELD_BY for edge in inferred):
        return False
    around = process.around
    if around is None or around.children is None or unseen_children(process, words.capture):
        return False  # a child may have inherited an end
    threads = process.threads
    waits = filter(None, (wait_for_ever(thread, words) for thread in threads))
    if around.forked_from is not None and any(unaccepted(wait, words) for wait in waits):
        return False  # who has made it may have the listening socket as well, and accept
    inside = all(one.is_python and _waits_inside(one, process, words) for one in threads)
    return inside and nobody_will(process, threads, words)


def _waits_inside(thread: Thread, process: Process, words: Words) -> bool:
    """Whether it waits, without an end, for what only threads of its own process can give."""
    if wait_inside(thread, process, words) is not None:
        return True
    wait = wait_for_ever(thread, words)
    holds = words.graph.holders_of(wait.target) if wait else ()
    sockets = wait is not None and wait.target.kind is NodeKind.SOCKET
    own = (hold.target.kind is NodeKind.THREAD and hold.target.pid == process.pid for hold in holds)
    return sockets and bool(holds) and all(own)


def all_wait(process: Process, words: Words, signals: tuple[str, ...] | None = None) -> bool:
    """Whether each thread of *process* waits for good for what only another one can give, nor does
    one of *signals* end that."""
    waits = all_waits(process, words)
    return bool(waits) and nobody_will(process, [thread for thread, _ in waits], words, signals)


def _known_to_them_alone(node: NodeId, members: Sequence[Thread], words: Words) -> bool:
    """Whether nobody but *members* is seen to refer to a semaphore."""
    resource = words.resource(node)
    if node.kind is not NodeKind.SEMAPHORE or resource is None or not resource.wakers_known:
        return False
    own = {one.id for one in members}
    return all(one.candidate in own for one in words.graph.wakers_of(node))


def may_be_given(cycle: Cycle, members: Sequence[Actor], words: Words) -> bool:
    """Whether somebody else may give what a ring of inferred holds waits for: units of a semaphore
    come from whoever refers to it, and need not come back from who took one."""
    own = {one.id for one in members}
    for edge in cycle.edges:
        sure = edge.evidence.certainty.supports_claim
        if sure or edge.relation is not Relation.HELD_BY:
            continue
        if edge.source.kind is not NodeKind.SEMAPHORE:
            continue
        if any(not _stuck(one.candidate, own, cycle, words) for one in _coming(edge, words)):
            return True
        others = (w.candidate for w in words.graph.wakers_of(edge.source))
        if any(one not in own and _works(words.actor(one)) for one in others):
            return True
    return False


def _coming(edge: Edge, words: Words) -> tuple[CouldWake, ...]:
    return coming(words.graph, edge.source, None)


def _stuck(actor: NodeId, own: Collection[NodeId], cycle: Cycle, words: Words) -> bool:
    """Whether it waits, without an end, in the ring or for something in it."""
    return actor in own or any(
        wait.target in cycle.nodes and not wait.expires for wait in words.graph.waits_of(actor)
    )


def _works(actor: Actor | None) -> bool:
    """Whether it may be on a way that was not seen: who sleeps comes to nothing but what was."""
    return actor is None or (isinstance(actor, Thread) and not actor.asleep)
