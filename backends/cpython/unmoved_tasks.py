"""Tasks that stand still while the thread of their event loop goes on, as a loop does that ticks.

Until all tasks were read that thread may have run. Those few that matter are read once more in a
moment in which the kernel counts no run of it: what was told of them held then, all at once.
"""

import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.tasks import TaskReading
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.process.processes import counters
from hangtui.backends.process.thread_watch import unmoved
from hangtui.dataclass import dataclass
from hangtui.model import NodeId, TaskState, Wait, largest_stuck

_LOOKS = 25
"""How often they are read, for once that their thread did not run meanwhile."""
_PAUSE_S = 0.003
_LIMIT_S = 0.3
"""For how long: of a loop that never rests no moment will come."""
_FEW, _MOST = 50, 500
"""So many tasks that wait are all read once more, and so many that can only wake each other."""


@dataclass(frozen=True, slots=True)
class Known:
    """A task as it was read first."""

    task: TaskReading
    tid: int
    """Of the thread of its loop."""
    same: Callable[[TaskReading], bool]
    """Whether it waits now for what it did then."""


class UnmovedTasks:
    """Finds them in one process."""

    def __init__(self, pid: int, objects: Objects) -> None:
        self._pid = pid
        self._objects = objects

    def mark(self, facts: Facts, known: Mapping[NodeId, Known]) -> None:
        """Tell of tasks in *facts* that they stood still, as far as that was seen."""
        matter = self._matter(facts, known)
        still = self._still(matter) if matter else set()
        if still:
            facts.tasks[:] = [
                replace(task, still=True) if task.id in still else task for task in facts.tasks
            ]

    def _matter(self, facts: Facts, known: Mapping[NodeId, Known]) -> dict[NodeId, Known]:
        """Those that wait without an end: for each other, or all if they are few."""
        waits: dict[NodeId, list[Wait]] = {}
        for wait in facts.waits:
            if wait.waiter.pid == self._pid:
                waits.setdefault(wait.waiter, []).append(wait)
        ending = {one for one, all_ in waits.items() if any(wait.expires for wait in all_)}
        waiting = {
            node: one
            for node, one in known.items()
            if node in waits or _at_its_peer(one.task)
            if node not in ending and one.task.state is TaskState.WAITING
        }
        if len(waiting) <= _FEW:
            return waiting
        ways: dict[Hashable, list[Hashable]] = {
            node: [wait.target for wait in waits[node]] for node in waits.keys() - ending
        }
        for hold in facts.holds:
            ways.setdefault(hold.resource, []).append(hold.holder)
        together = {wait.waiter for all_ in waits.values() for wait in all_ if wait.together}
        stuck = largest_stuck(ways, together=together)
        found = {node: one for node, one in waiting.items() if node in stuck}
        return found if len(found) <= _MOST else {}

    def _still(self, matter: dict[NodeId, Known]) -> set[NodeId]:
        threads = sorted({one.tid for one in matter.values()})
        left = dict(matter)
        until = time.monotonic() + _LIMIT_S
        for look in range(_LOOKS):
            if look:
                time.sleep(_PAUSE_S)
            if time.monotonic() > until:
                break
            before = counters(self._pid, threads)
            self._objects.memory.forget()
            left = dict(self._same(left))
            after = counters(self._pid, threads)
            if not left:
                break
            rested = {tid for tid in threads if unmoved(before.get(tid), after.get(tid))}
            if rested.issuperset(one.tid for one in left.values()):
                return set(left)
        return set()

    def _same(self, some: Mapping[NodeId, Known]) -> Iterator[tuple[NodeId, Known]]:
        for node, one in some.items():
            try:
                with foreign_data():
                    if one.same(one.task):
                        yield node, one
            except (DamagedDataError, BudgetSpentError):
                continue


def _at_its_peer(task: TaskReading) -> bool:
    """Whether it awaits what another process does at the other end of a pipe or connection: that
    wait is told of once the other one was read, too."""
    awaited = task.awaited
    return awaited is not None and bool(awaited.transport) and not awaited.expires
