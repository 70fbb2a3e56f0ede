"""Which threads could wake an event loop of their process: who waits for its tasks, for work or for
what only others could do, cannot."""

from collections.abc import Collection

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.housekeepers import keeps_house
from hangtui.findings.inert import has_no_source, wait_inside, waits_for_work
from hangtui.findings.outside.traffic import own_ends
from hangtui.findings.stack_queries import kind_of, stood_s, wait_for_ever
from hangtui.findings.standstill import standstill
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import EventLoop, NodeId, NodeKind, Process, Task, Thread, thread_id


def cannot_wake(thread: Thread, loop: EventLoop, process: Process, words: Words) -> bool:
    """Whether it can do nothing before another one goes on, none of which can either."""
    if not thread.blocked or not thread.is_python:
        return False
    return (
        waits_for_loop(thread, loop, words)
        or wait_inside(thread, process, words) is not None
        or waits_for_own_child(thread, words)
        or keeps_house(thread)
    )


def waits_for_own_child(thread: Thread, words: Words) -> bool:
    """Whether it waits for the end of a process, which does not end before its own one goes on."""
    wait = wait_for_ever(thread, words)
    ends = wait is not None and wait.target.kind is NodeKind.PROCESS
    return ends and bool(standstill([thread.pid], words))


def waits_for_loop(thread: Thread, loop: EventLoop, words: Words) -> bool:
    """Whether it waits for what only tasks of the loop are to deliver, for the thread that runs it
    to end or to bring its result, or for work."""
    if waits_for_work(thread):
        return True
    own = {task.id for task in words.tasks_of(loop)}
    runs = thread_id(loop.pid, loop.tid) if loop.tid is not None else None
    waits = words.graph.waits_of(thread.id)
    return bool(waits) and all(
        not wait.expires and (_ends_by(wait, own, words.graph) or _awaits_thread(wait, runs, words))
        for wait in waits
    )


def _awaits_thread(wait: Edge, runs: NodeId | None, words: Words) -> bool:
    """Whether only the thread *runs* can end a wait, by its end or by a result that it has to
    bring."""
    if runs is None or kind_of(wait, words) not in (NodeKind.THREAD, NodeKind.FUTURE):
        return False
    return runs != wait.source and _ends_by(wait, {runs}, words.graph)


def _ends_by(wait: Edge, own: Collection[NodeId], graph: WaitGraph) -> bool:
    """Whether only tasks among *own* can end a wait."""
    if wait.target in own:
        return True
    holders = graph.holders_of(wait.target)
    return bool(holders) and all(
        hold.target in own and hold.evidence.certainty.supports_claim for hold in holders
    )


def left_undone(node: NodeId, words: Words) -> bool:
    """Whether it is a task that waits for what only functions of the program would do which nobody
    runs, below an event loop without a timer, a connection or a signal: of all threads that run
    Python none can wake that; what native threads do, which have none, is not known."""
    wait, task = words.graph.wait_of(node), words.actor(node)
    resource = words.resource(wait.target) if wait else None
    if wait is None or wait.expires or not isinstance(task, Task) or resource is None:
        return False
    thread = words.thread(thread_id(task.pid, task.loop_tid or 0))
    process = words.capture.process(task.pid)
    loops = [one for one in words.capture.event_loops if one.pid == task.pid]
    if thread is None or process is None or len(loops) != 1 or waking_signals(process) != ():
        return False
    others = [one for one in process.threads if one.is_python and one is not thread]
    return (
        bool(resource.enders)
        and nobody_comes(wait, words)
        and has_no_source(loops[0], own_ends(thread.id, words.capture))
        and stood_s(thread, words) >= STILL_S
        and all(cannot_wake(one, loops[0], process, words) for one in others)
    )
