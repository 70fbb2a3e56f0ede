"""Of the tasks that wait in a stalled event loop, those that are told, and in which order."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.pools import POOLS
from hangtui.findings.stack_queries import below_application, way_of
from hangtui.findings.wakeups.event_loop_advice import undone_queue
from hangtui.findings.wakeups.for_whom import waiting_behind
from hangtui.findings.wakeups.nobody_left_advice import joined_queue
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Task

_MOST_ROOTS = 100


def told_first(tasks: list[Task], words: Words) -> list[Task]:
    """The tasks that do not just wait for other ones: those that wait for a pool first, or those
    that wait until all that was put into a queue is done, if nobody works on that; later those that
    wait for what another one of them has or would bring, and last those that a library runs for
    itself."""
    ids = {task.id for task in tasks}
    waits = {task.id: words.graph.waits_of(task.id) for task in tasks}
    ends = [task for task in tasks if not any(wait.target in ids for wait in waits[task.id])]
    kinds = kinds_of(wait for task in ends for wait in waits[task.id])
    undone = undone_queue(ends, words) if NodeKind.QUEUE in kinds else None
    first = roots(ends, words)
    ends.sort(
        key=lambda task: (
            not (below_application(task) or waiting_behind(task, words)),
            task.id not in first,
        )
    )
    if undone is None and kinds.isdisjoint(POOLS):
        return ends or tasks
    ends.sort(
        key=lambda task: (
            not any(wait.target.kind in POOLS for wait in waits[task.id]),
            undone is not None and joined_queue(task, words) != undone,
        )
    )
    return ends or tasks


def roots(tasks: Sequence[Task], words: Words) -> set[NodeId]:
    """Those that wait for nothing that another one of *tasks* has, or that only such would bring;
    of too many to look at, all."""
    ids = {task.id for task in tasks}
    if len(tasks) > _MOST_ROOTS:
        return ids
    behind = set[NodeId]()
    for task in tasks:
        for wait in words.graph.waits_of(task.id):
            having = {hold.target for hold in words.graph.holders_of(wait.target)}
            wakers = coming(words.graph, wait.target, way_of(wait, words))
            having |= {one.candidate for one in wakers}
            if having - {task.id} and having <= ids:
                behind.add(task.id)
    return ids - behind


def kinds_of(waits: Iterable[Edge]) -> set[NodeKind]:
    """What is waited for: thousands may wait for the same."""
    return {target.kind for target in {wait.target for wait in waits}}
