"""Which workers of Ray could run a task: those with nothing to do, and those that keep what they
were given while they wait for tasks themselves; and what Ray's scheduler writes of the rest."""

import re
from collections.abc import Iterator, Sequence

from hangtui.analysis.places import application_index
from hangtui.dataclass import dataclass
from hangtui.findings.actors import REMOTE
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, counted, listed
from hangtui.findings.outside.cluster_waits import (
    awaits_cluster,
    is_stuck,
    package_of_wait,
)
from hangtui.findings.stack_queries import at, at_own_line, name_of
from hangtui.findings.thresholds import BUSY_SHARE, NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Pid, Process, PythonFrame, RayNode, Thread

_WORKER = "/ray/_private/worker.py"
_LOOP = "main_loop"
_TITLE = "ray::"
_NAMED = 8
_STARTING = "default_worker.py"
"""What the program of a worker is called until it has joined its node (`setproctitle`)."""
_OFFER = re.compile(r"--static_resource_list=.*?\b(CPU,\d+)(?:\.0)?(?:,.*?\b(GPU,\d+))?")
"""What Ray's node gives its raylet at its start: ``CPU,8,GPU,2``."""


@dataclass(frozen=True, slots=True)
class Keeper:
    """A worker that has something of its node, and runs nothing with it."""

    process: Process
    name: str
    """Its actor's class, or its task's function."""
    waits: bool
    """It waits for the cluster itself; else it has nothing to do."""
    where: str = ""
    """At which line of the application it waits."""
    is_task: bool = False
    """It runs a task, which keeps what it has until it returns; else it is an actor."""
    stuck: bool = False
    """It waited for a second or more for what nobody has begun."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Those that were captured."""

    resting: tuple[Process, ...]
    """They have nothing to do."""
    keeping: tuple[Thread, ...]
    """Actors that wait for tasks. Unlike a task, an actor keeps its CPUs while it waits."""
    serving: tuple[Pid, ...]
    """They run something, and do not wait for tasks as an actor."""
    starting: bool
    """One has yet to join its node."""
    offers: tuple[str, ...]
    """``raylet (process 12) has 8 CPUs``."""
    scheduler: RayNode | None
    """What the one wrote last that has most tasks which no node can take, or can take now."""
    written: tuple[str, ...]
    """What each wrote, as evidence."""
    keepers: tuple[Keeper, ...] = ()
    """Those who have what is used up of a cluster of one node, if all of them are captured, and
    none does anything but wait."""
    quiet: bool = False
    """Several looks saw those with nothing to do stay so."""

    @property
    def closed(self) -> bool:
        """Whether all of them wait for what needs that, and nobody else who was captured ran
        anything."""
        own = {keeper.process.pid for keeper in self.keepers}
        others = any(pid not in own for pid in self.serving)
        stuck = all(keeper.stuck for keeper in self.keepers)
        rests = self.quiet and not others and not self.starting
        return bool(self.keepers) and stuck and rests

    @property
    def none_free(self) -> bool:
        """Whether those that are there are seen to run no task."""
        return bool(self.resting or self.keeping) and not self.starting

    @property
    def exhausted(self) -> str | None:
        """What of the cluster is used up, if all that runs there waits for tasks that want of it:
        ``2.0/2.0 CPU``. Only of a cluster of one node is known who has it."""
        node = self.scheduler
        if node is None or node.nodes != 1 or not node.waiting or not node.used_up:
            return None
        others = self.resting or self.serving or self.starting
        return listed(list(node.used_up)) if self.keeping and not others else None

    def keeps_from(self, thread: Thread, words: Words) -> bool:
        """Whether a thread waits for one thing alone of Ray's, which nobody runs, while Ray's
        scheduler has what no node can take, or what those keep who wait."""
        graph = words.graph
        waits = [wait for wait in graph.waits_of(thread.id) if wait.target.kind in REMOTE]
        alone = len(waits) == 1 and not graph.holders_of(waits[0].target)
        of_ray = alone and package_of_wait(waits[0], words) == "ray"
        stuck = self.infeasible is not None or self.exhausted is not None
        return of_ray and self.none_free and stuck

    def evidence(self, words: Words) -> Iterator[str]:
        """What is seen of the workers that could run a task, and what their node has."""
        for process in self.resting[:NAMES_LISTED]:
            what = "stands in its main loop: it is given no task"
            yield f"process {process.pid} ({process.title}) {what}"
        for thread in self.keeping[:NAMES_LISTED]:
            who = words.thread_name(thread)
            yield f"{who} runs a method of an actor, and waits for tasks itself"
        for offer in self.offers[:NAMES_LISTED]:
            yield f"{offer}, as its command line says"
        yield from self.written[:NAMES_LISTED]

    @property
    def none_to_come(self) -> bool:
        """Whether Ray's autoscaler says of all that is asked for that it has no such node."""
        asked = self.scheduler
        return asked is not None and bool(asked.demands) and asked.refused == asked.demands

    @property
    def infeasible(self) -> str | None:
        """``2 tasks or actors that ask for what no node of the cluster has``, by the scheduler."""
        if self.scheduler is None or not self.scheduler.infeasible:
            return None
        many = self.scheduler.infeasible
        ask = "asks" if many == 1 else "ask"
        demands = f": {listed(list(self.scheduler.demands))}" if self.scheduler.demands else ""
        who = f"{counted(many, 'task')} or {'actor' if many == 1 else 'actors'}"
        return f"{who} that {ask} for what no node of the cluster has{demands}"


def workers(words: Words) -> Workers:
    """Those of the capture."""
    processes = words.capture.processes
    nodes = [(one, one.around.ray_node) for one in processes if one.around and one.around.ray_node]
    resting = tuple(process for process in processes if _rests(process))
    keeping = tuple(thread for thread in words.capture.threads() if _keeps(thread, words))
    known = {process.pid for process in resting} | {thread.pid for thread in keeping}
    most = max((n for _, n in nodes), key=lambda n: (n.infeasible, n.waiting), default=None)
    return Workers(
        resting,
        keeping,
        tuple(one.pid for one in processes if one.pid not in known and _serves(one)),
        any(one.title == _STARTING for one in processes),
        tuple(offer for process in processes for offer in _offers(process)),
        most,
        tuple(
            f"raylet (process {process.pid}) wrote {node.age_s:.0f} s ago that it keeps "
            f"{node.infeasible} as infeasible, and {node.waiting} until others give resources back"
            for process, node in nodes
        ),
        tuple(_keepers(most, words)) if most else (),
        all(_stays(one, words) and _rested(one, words) for one in resting),
    )


def _keepers(node: RayNode, words: Words) -> list[Keeper]:
    """Who has what is used up; nobody if one of them does something, or was not captured."""
    kinds = {use.rpartition(" ")[2] for use in node.used_up}
    if node.nodes != 1 or not any(f"'{kind}'" in one for kind in kinds for one in node.demands):
        return []
    processes = {one.ns_pid or one.pid: one for one in words.capture.processes}
    found = []
    for use in node.uses:
        if kinds.isdisjoint(one.partition(":")[0] for one in use.what.split(", ")):
            continue
        process = processes.get(use.pid)
        if process is None:
            return []
        waiting = [one for one in process.threads if awaits_cluster(one, words)]
        waits = bool(waiting)
        if not (waits or (_rests(process) and _stays(process, words))):
            return []
        where = next(filter(None, map(at_own_line, waiting)), "")
        task = any(hold.source.kind is NodeKind.WORKER
                   for one in process.threads for hold in words.graph.held_by(one.id))  # fmt: skip
        stuck = any(is_stuck(one, words) for one in waiting)
        found.append(Keeper(process, use.name, waits, where, task, stuck))
    return found


def _stays(process: Process, words: Words) -> bool:
    """Whether several looks saw nothing of Python run there."""
    seen = (words.progress.get(thread.id) for thread in process.threads if thread.is_python)
    known = [one for one in seen if one is not None]
    return bool(known) and all(one.busy is None or one.busy < BUSY_SHARE for one in known)


def _rested(process: Process, words: Words) -> bool:
    """Whether every look saw it with nothing to do."""
    loops = [t for t in process.threads if any(map(_is_loop, (t.python_stack or ())[:1]))]
    seen = [words.progress.get(thread.id) for thread in loops]
    return bool(seen) and all(one is not None and one.same_stack for one in seen)


def cluster_at_work(words: Words) -> bool:
    """Whether a worker of Ray that was captured is about to start, something of Python runs in one,
    or one waits for the cluster itself: what that waits for may be about to start."""
    there = workers(words)
    return there.starting or any(
        _serves(one)
        and (not _stays(one, words) or any(awaits_cluster(t, words) for t in one.threads))
        for one in words.capture.processes
    )


def nobody_at_work(words: Words) -> str:
    """`` Nobody in its cluster is at work for that: ...``, as far as the workers of Ray that were
    captured and what its scheduler wrote tell it; else nothing."""
    there = workers(words)
    node = there.scheduler
    if node is None or node.infeasible or node.waiting or node.demands or there.serving:
        return ""
    if not there.resting or there.starting or not all(_stays(one, words) for one in there.resting):
        return ""
    names = dict.fromkeys(one.title.removeprefix(_TITLE) for one in there.resting)
    who = "the only worker of Ray" if len(there.resting) == 1 else "all workers of Ray"
    have = "has" if len(there.resting) == 1 else "have"
    held = list(_held_tasks(there.resting, words))
    wait = f"or {'waits' if have == 'has' else 'wait'} with what was begun, " if held else ""
    return (
        f" As far as can be seen, nobody in its cluster is at work for that: {who} that "
        f"{'was' if have == 'has' else 'were'} captured ({listed(list(names)[:_NAMED])}) {have} "
        f"nothing to do, {wait}and its scheduler has nothing to place."
        f"{f' What was begun: {clauses(held[:NAMES_LISTED])}.' if held else ''}"
    )


def _held_tasks(resting: Sequence[Process], words: Words) -> Iterator[str]:
    """What tasks of the application wait for in workers whose main thread has nothing to do: the
    calls of an asynchronous actor run in another one."""
    pids = {process.pid for process in resting}
    told = dict[str, str]()
    for task in words.capture.tasks:
        stack = task.python_stack or ()
        own = application_index(stack)
        if task.id.pid in pids and own is not None:
            told.setdefault(
                f"{task.id.pid}{at(stack[own])}",
                f"in {words.process_name(task.id.pid)}, {doing(task, words)}",
            )
    yield from told.values()


def _rests(process: Process) -> bool:
    stacks = (thread.python_stack or () for thread in process.threads)
    return any(_is_loop(frame) for stack in stacks for frame in stack[:1])


def _serves(process: Process) -> bool:
    """Whether it is a worker of Ray, whatever it does."""
    stacks = (thread.python_stack or () for thread in process.threads)
    return any(_is_loop(frame) for stack in stacks for frame in stack)


def _is_loop(frame: PythonFrame) -> bool:
    return frame.filename.endswith(_WORKER) and name_of(frame) == _LOOP


def _keeps(thread: Thread, words: Words) -> bool:
    graph = words.graph
    runs = any(hold.source.kind is NodeKind.ACTOR for hold in graph.held_by(thread.id))
    return runs and any(
        wait.target.kind is NodeKind.WORKER and not graph.holders_of(wait.target)
        for wait in graph.waits_of(thread.id)
    )


def _offers(process: Process) -> Iterator[str]:
    if process.title == "raylet":
        for word in process.cmdline:
            if found := _OFFER.match(word):
                parts = (one.split(",") for one in found.groups() if one)
                have = " and ".join(f"{n} {what}{'' if n == '1' else 's'}" for what, n in parts)
                yield f"raylet (process {process.pid}) has {have}"
