"""Whether a chain of waits leads from one thread to another."""

from hangtui.findings.words import Words
from hangtui.model import LoopState, NodeId, NodeKind, Task, process_id, thread_id

_MOST_STEPS = 50


def leads_back(start: NodeId, goal: NodeId, words: Words) -> bool:
    """Whether who waits at *start* waits, in the end, for *goal*, without another way on: each step
    is a wait for one thing, which one thread or task can end and which does not end by itself."""
    node, seen = start, set[NodeId]()
    while node not in seen and len(seen) < _MOST_STEPS:
        seen.add(node)
        waits = words.graph.waits_of(node)
        if len(waits) != 1 or waits[0].expires or not waits[0].stable:
            return False
        target = waits[0].target
        if target == process_id(goal.pid) and goal == thread_id(goal.pid, goal.pid):
            return True  # a process ends with its main thread
        holders = [hold.target for hold in words.graph.holders_of(target)]
        nodes = [target] if words.actor(target) else holders
        if len(nodes) != 1:
            return False
        node = nodes[0]
        if node == goal:
            return True
    return False


def run_by(thread: NodeId, words: Words) -> list[Task]:
    """The tasks whose event loop *thread* runs, and which it is inside of none of: what it has, one
    of them has, or a callback. One that sleeps for ever, as libraries have it, has nothing."""
    loops = words.capture.event_loops if thread.kind is NodeKind.THREAD else ()
    idle = (
        one
        for one in loops
        if one.tid is not None
        and one.state is LoopState.IDLE
        and thread_id(one.pid, one.tid) == thread
    )
    tasks = [task for loop in idle for task in words.tasks_of(loop)]
    return [task for task in tasks if not (task.sleep and task.sleep.for_ever)] or tasks
