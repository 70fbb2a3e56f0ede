"""What has rows on the screens: threads, the tasks and greenlets that they run, and the processes
and sessions of databases that they wait for; in the order in which somebody should look at them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby

from hangtui.analysis.states import ThreadState, task_state
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Diagnosis
from hangtui.model import (
    Capture,
    DatabaseSession,
    Finding,
    NodeId,
    NodeKind,
    Task,
    Thread,
    process_id,
    thread_id,
)
from hangtui.model.surroundings import Child

_MOST_CHILDREN = 50
_ENDED = "ZX"


@dataclass(frozen=True, slots=True)
class Outsider:
    """A process that was not looked into: a child, or a session of a database."""

    id: NodeId
    pid: int
    name: str
    state: ThreadState
    goal: str = ""
    """What it waits for, in words."""
    who: str = ""
    """Who has its other end."""


Unit = Thread | Task | Outsider


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit and its place among the others."""

    unit: Unit
    first: bool = False
    """The first finding speaks of it."""
    below: bool = False
    """It is run by the thread above."""


@dataclass(frozen=True, slots=True)
class Group:
    """The units of a process."""

    pid: int
    title: str
    placed: tuple[Placed, ...] = field(default=())


def spoken_of(finding: Finding | None) -> frozenset[NodeId]:
    """The units that a finding is about."""
    if finding is None:
        return frozenset()
    threads = {thread_id(one.pid, one.tid) for one in finding.threads}
    of_tasks = {NodeId(one) for one in finding.tasks}
    subject = {finding.subject} if finding.subject else set()
    return frozenset(threads | of_tasks | {process_id(pid) for pid in finding.processes} | subject)


def groups(
    diagnosis: Diagnosis,
    first: frozenset[NodeId],
    alike: Mapping[int, int],
    pid: int | None = None,
) -> tuple[Group, ...]:
    """The units of process *pid*, None: of all, by process; those of *first* come first, and of
    them the process that the fewest are like (*alike*: how many, of those that are known)."""
    capture = diagnosis.capture
    order = _Order(diagnosis, first, alike)
    found = []
    by_carrier = _by_carrier(capture.tasks)
    for process in capture.chosen(pid):
        placed = list(order.placed(process.threads, by_carrier.get(process.pid, {})))
        placed += [Placed(one, one.id in first) for one in _children(diagnosis, process.pid)]
        found.append(Group(process.pid, process.title, tuple(placed)))
    found.sort(key=order.of_group)
    return (*found, *_sessions(capture, pid, first))


class _Order:
    def __init__(
        self, diagnosis: Diagnosis, first: frozenset[NodeId], alike: Mapping[int, int]
    ) -> None:
        self._graph, self._states, self._first = diagnosis.graph, diagnosis.states, first
        self._alike = alike

    def placed(
        self, threads: Iterable[Thread], tasks: Mapping[int | None, Sequence[Task]]
    ) -> Iterator[Placed]:
        """Threads, each with its tasks below it."""
        known = {thread.tid for thread in threads}
        homeless = [task for tid, ones in tasks.items() if tid not in known for task in ones]
        for thread in sorted(threads, key=lambda one: self._of_carrier(one, tasks)):
            yield Placed(thread, thread.id in self._first)
            for task in sorted(tasks.get(thread.tid, ()), key=self._of_task):
                yield Placed(task, task.id in self._first, below=True)
        yield from (Placed(task, task.id in self._first) for task in homeless)

    def _of_carrier(
        self, thread: Thread, tasks: Mapping[int | None, Sequence[Task]]
    ) -> tuple[bool, int, bool, int]:
        own = tasks.get(thread.tid, ()) if tasks else ()
        named = thread.id in self._first or any(task.id in self._first for task in own)
        state = self._states.get(thread.id, ThreadState.UNKNOWN)
        rank = min([state.rank, *(task_state(one, self._graph).rank for one in own)])
        return not named, rank, thread.tid != thread.pid, thread.tid

    def _of_task(self, task: Task) -> tuple[bool, int, str, int]:
        state = task_state(task, self._graph)
        return task.id not in self._first, state.rank, task.function or "", task.address

    def of_group(self, group: Group) -> tuple[bool, int, int, int]:
        """The process that somebody should look at first."""
        ranks = [
            self._states.get(one.unit.id, ThreadState.UNKNOWN).rank
            for one in group.placed
            if isinstance(one.unit, Thread)
        ]
        named = any(one.first for one in group.placed)
        return not named, self._alike.get(group.pid, 1), min(ranks, default=99), group.pid


def _by_carrier(tasks: Sequence[Task]) -> dict[int, dict[int | None, list[Task]]]:
    found: dict[int, dict[int | None, list[Task]]] = {}
    for task in tasks:
        found.setdefault(task.pid, {}).setdefault(task.loop_tid, []).append(task)
    return found


def _children(diagnosis: Diagnosis, pid: int) -> Iterator[Outsider]:
    """Children that were not looked at: those that somebody waits for, and those that ended."""
    capture = diagnosis.capture
    process = capture.process(pid)
    around = process.around if process else None
    children = {one.pid: one for one in (around.children if around else None) or ()}
    awaited = {
        edge.target.pid
        for thread in (process.threads if process else ())
        for edge in diagnosis.graph.waits_of(thread.id)
        if edge.target.kind is NodeKind.PROCESS
    }
    ended = {one.pid for one in children.values() if one.state in _ENDED}
    outside = [one for one in awaited | ended if capture.process(one) is None]
    for child in sorted(outside)[:_MOST_CHILDREN]:
        yield _child(child, children.get(child), diagnosis)


def _child(pid: int, child: Child | None, diagnosis: Diagnosis) -> Outsider:
    if child is None:
        return Outsider(
            process_id(pid), pid, diagnosis.graph.label(process_id(pid)), ThreadState.UNKNOWN
        )
    if child.state in _ENDED:
        goal = "its parent to fetch its status"
        return Outsider(process_id(pid), pid, f"child {child.name}", ThreadState.ZOMBIE, goal)
    goal = f"the end of {child.syscall}()" if child.syscall else ""
    state = ThreadState.RUN if child.state == "R" else ThreadState.WAIT
    return Outsider(process_id(pid), pid, f"child {child.name}", state, goal)


def _sessions(capture: Capture, pid: int | None, first: frozenset[NodeId]) -> Iterator[Group]:
    """The sessions of database servers, those that wait first."""
    asked = [one for one in capture.database_sessions if pid is None or pid in _clients(one)]
    asked.sort(key=lambda one: (one.server, not one.waits, not one.rests_in_transaction, one.pid))
    for server, ones in groupby(asked, key=lambda one: one.server):
        placed = tuple(Placed(_session(one), process_id(one.pid) in first) for one in ones)
        yield Group(server, "PostgreSQL", placed)


def _clients(one: DatabaseSession) -> set[int | None]:
    return {one.client, *(node.pid for node in one.waiters)}


def _session(one: DatabaseSession) -> Outsider:
    state = ThreadState.LOCK if one.waits else ThreadState.SLEEP
    goal = one.activity
    if one.waits:
        goal = f"a lock in {one.database} ({one.activity})"
    elif one.rests_in_transaction:
        goal = f"its client ({one.activity})"
    who = f"client {one.client}" if one.client and not one.waits else ""
    return Outsider(process_id(one.pid), one.pid, f"session {one.pid}", state, goal, who)
