"""What to change where nothing can wake an event loop."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.ended import failure_advice, failures
from hangtui.findings.loops import terms_of
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import way_of
from hangtui.findings.wakeups import loop_tasks
from hangtui.findings.wakeups.for_whom import of_application
from hangtui.findings.wakeups.never_given import kept, open_elsewhere, unbegun
from hangtui.findings.wakeups.nobody_left_advice import done_for_all, joined_queue
from hangtui.findings.words import Words
from hangtui.model import EventLoop, NodeId, Task


def advice(loop: EventLoop, tasks: list[Task], words: Words) -> str:
    """Of its *tasks*, those that do not just wait for other ones."""
    who = loop_tasks.names(of_application(tasks, words), words)
    undone = undone_queue(tasks, words)
    for task, wait, other in open_elsewhere(tasks, words):
        return (
            f"Close what {words.actor_name(other)} has of the other end of "
            f"{words.name(wait.target)} before it waits for {words.actor_name(task)}: "
            "`async with` around no more than what starts the others."
        )
    for one in unbegun(tasks, words):
        if one.begun:
            return (
                f"Let {one.function}() do so in a `finally`, and close it where it is left before "
                "its end (contextlib.aclosing(), contextlib.closing()): what stands behind a "
                "`yield` is not run if nobody asks for the next item."
            )
        return (
            f"Await {one.function}(), or make a task of it, before what it brings is awaited: the "
            "call alone does nothing."
        )
    for task, _, ends in kept(tasks, words):
        return (
            f"Close {ends} before {words.actor_name(task)} waits at the other end, as by leaving "
            "`async with` of it: only when the last one is closed does the other end know that "
            "nothing more comes."
        )
    if undone is None:
        waits = [wait.target for task in tasks for wait in words.graph.waits_of(task.id)]
        for ended in failures(words.resource(target) for target in waits):
            return failure_advice(ended)
    if undone is not None:
        taking = (words.actor(one.source) for one in _taking(undone, words))
        return done_for_all(words.name(undone), next((position(one) for one in taking if one), ""))
    return (
        "Find who should have set, released or put what is awaited, and why that never happened "
        f"(an exception, an early return, a wrong key), or bound the wait of {who} with "
        f"{terms_of(loop).timeout}."
    )


def undone_queue(tasks: Sequence[Task], words: Words) -> NodeId | None:
    """The queue whose end is waited for while all others of *tasks* wait for its next item."""
    joined = {task.id: queue for task in tasks if (queue := joined_queue(task, words))}
    queues = set(joined.values())
    others = [task.id for task in tasks if task.id not in joined]
    taking = {wait.source for queue in queues for wait in _taking(queue, words)}
    return min(queues) if len(queues) == 1 and others and taking.issuperset(others) else None


def _taking(queue: NodeId, words: Words) -> Iterator[Edge]:
    """The waits for an item of a queue."""
    return (one for one in words.graph.waiters_of(queue) if way_of(one, words) == "get")
