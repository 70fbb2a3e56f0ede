"""Pools of `concurrent.futures` whose workers are greenlets, all of which wait for what is queued
behind them."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Task

_FILE = "concurrent/futures/thread.py"


def greenlet_pools(words: Words) -> dict[tuple[int, str], list[Task]]:
    """The greenlets that work for each pool, by process and name: they are called ``PREFIX_0``,
    ``PREFIX_1``, ..."""
    pools: dict[tuple[int, str], list[Task]] = {}
    for task in words.capture.tasks:
        if task.kind is NodeKind.GREENLET and _works(task):
            name = task.name or task.label
            prefix = name.rpartition("_")[0] or name
            pools.setdefault((task.pid, prefix), []).append(task)
    return pools


def _works(task: Task) -> bool:
    return any(
        frame.function == "_worker" and frame.filename.endswith(_FILE)
        for frame in task.python_stack or ()
    )


def queued_behind(workers: Sequence[Task], words: Words) -> list[Edge]:
    """The waits of *workers* for tasks that are queued for them alone; empty: one of them does not
    wait so."""
    own = {one.id for one in workers}
    waits = []
    for worker in workers:
        wait = words.graph.wait_of(worker.id)
        if wait is None or wait.expires or not wait.stable:
            return []
        holders = {hold.target for hold in words.graph.holders_of(wait.target)}
        if wait.target.kind is not NodeKind.FUTURE or holders != own:
            return []
        waits.append(wait)
    return waits


def told_as_starved(members: Sequence[Actor], words: Words) -> bool:
    """Whether a ring is one of greenlets that are all the workers of a pool."""
    own = {one.id for one in members}
    return any(
        {worker.id for worker in workers} == own and queued_behind(workers, words)
        for workers in greenlet_pools(words).values()
    )
