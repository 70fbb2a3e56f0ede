"""What the screens read: the captures taken, what follows from each, and what is selected."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property

from hangtui.analysis.states import ThreadState, task_state
from hangtui.analysis.thread_history import Course, follow
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Diagnosis, diagnose
from hangtui.findings.loops import terms_for
from hangtui.findings.roles import roles_of
from hangtui.findings.unseen_children import unseen_children
from hangtui.model import (
    Capture,
    Finding,
    LoopState,
    Notice,
    Process,
    Progress,
    Resource,
    Task,
    Thread,
    Wait,
    thread_id,
)
from hangtui.rank_classes import RankClass, rank_classes
from hangtui.tui.units import Group, Unit, groups, spoken_of

HISTORY = 200
"""How many captures are kept; automatic refreshing would else fill the memory."""


@dataclass(frozen=True, eq=False)
class CaptureView:
    """A capture and everything derived from it, once."""

    diagnosis: Diagnosis
    course: Course
    """What this capture and those before it tell of its threads."""
    mistakes: tuple[Notice, ...] = ()
    """What went wrong while it was derived."""
    _groups: dict[int | None, tuple[Group, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, capture: Capture, before: "CaptureView | None" = None) -> "CaptureView":
        """Derive it; *before* is the capture that was taken before this one."""
        course = follow(capture, before.course if before else None)
        if course.progress:
            capture = replace(capture, progress=course.progress)
        try:
            return cls(diagnose(capture), course)
        except Exception as error:  # noqa: BLE001  what was read must be seen, whatever follows
            text = f"{type(error).__name__}: {error}"
            notice = Notice("analysis", f"waits and findings are missing, because of a bug: {text}")
            unknown = dict.fromkeys(course.threads, ThreadState.UNKNOWN)
            return cls(Diagnosis(capture, WaitGraph(), unknown), course, (notice,))

    @property
    def capture(self) -> Capture:
        """What was read."""
        return self.diagnosis.capture

    @property
    def graph(self) -> WaitGraph:
        """Who waits for whom."""
        return self.diagnosis.graph

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, worst first."""
        return self.diagnosis.findings

    @property
    def states(self) -> Mapping[str, ThreadState]:
        """What each thread does, by its node id."""
        return self.diagnosis.states

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is missing, and why."""
        return self.mistakes + self.capture.notices

    @property
    def threads(self) -> Mapping[str, Thread]:
        """The threads by their node ids."""
        return self.course.threads

    @cached_property
    def progress(self) -> Mapping[str, Progress]:
        """What threads did over the last few captures, by their node ids."""
        return {one.thread: one for one in self.capture.progress}

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """The tasks by their node ids."""
        return {task.id: task for task in self.capture.tasks}

    @cached_property
    def resources(self) -> Mapping[str, Resource]:
        """The resources by their node ids."""
        return {one.id: one for one in self.capture.resources}

    @cached_property
    def wait_facts(self) -> Mapping[tuple[str, str], Wait]:
        """What was read of each wait, by who waits and what for."""
        return {(wait.waiter, wait.target): wait for wait in self.capture.waits}

    @cached_property
    def idle_loops(self) -> Mapping[str, int]:
        """The threads whose event loops have nothing to run, and how many tasks each has: what
        such a thread waits for is what these wait for."""
        counts = Counter((task.pid, task.loop) for task in self.capture.tasks)
        return {
            thread_id(loop.pid, loop.tid): count
            for loop in self.capture.event_loops
            if loop.tid is not None and loop.state is not LoopState.BUSY
            if (count := counts[loop.pid, loop.address])
        }

    @cached_property
    def task_functions(self) -> Mapping[str, int]:
        """How many tasks run each function."""
        return Counter(task.function or task.name for task in self.capture.tasks)

    @cached_property
    def loop_units(self) -> str:
        """What these loops run: tasks or greenlets."""
        return terms_for(self.capture.tasks, self.capture).unit

    @cached_property
    def infers(self) -> bool:
        """Whether something that is shown of who waits for whom is inferred."""
        sure = (edge.evidence.certainty.supports_claim for edge in self.graph.edges)
        return bool(self.capture.could_wake) or not all(sure)

    @cached_property
    def rank_classes(self) -> Mapping[int, RankClass]:
        """The classes of the ranks of jobs, by the PIDs of their processes."""
        return {pid: one for one in rank_classes(self.diagnosis) for pid in one.pids}

    @cached_property
    def roles(self) -> Mapping[int, str]:
        """What processes are in something of several, by their PIDs: ``rank 3``, ``ray::Cart``."""
        return roles_of(self.capture)

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """All that has a row, by node id; of one that is there twice, the thread or task."""
        others = (one.unit for group in self.groups_of(None) for one in group.placed)
        return {one.id: one for one in others} | dict(self.threads) | dict(self.tasks)

    def groups_of(self, pid: int | None) -> tuple[Group, ...]:
        """What has a row, by process, those of the first finding first; of process *pid* only."""
        if pid not in self._groups:
            first = spoken_of(next(iter(self.findings_of(pid)), None))
            alike = {of: len(one.processes) for of, one in self.rank_classes.items()}
            self._groups[pid] = groups(self.diagnosis, first, alike, pid)
        return self._groups[pid]

    def units_of(self, pid: int | None) -> tuple[Unit, ...]:
        """The same without the groups."""
        return tuple(one.unit for group in self.groups_of(pid) for one in group.placed)

    def state_of(self, unit: Unit) -> ThreadState:
        """What somebody does."""
        if isinstance(unit, Thread):
            return self.states.get(unit.id, ThreadState.UNKNOWN)
        return task_state(unit, self.graph) if isinstance(unit, Task) else unit.state

    @cached_property
    def by_interest(self) -> tuple[Thread, ...]:
        """All threads, those that somebody should look at first."""
        return tuple(sorted(self.capture.threads(), key=self.interest))

    @cached_property
    def stopped_ms(self) -> float:
        """How long this capture kept its targets stopped."""
        return max((process.stopped_for_ms or 0.0 for process in self.capture.processes), default=0)

    def findings_of(self, pid: int | None) -> tuple[Finding, ...]:
        """The findings that speak of a process; None: all."""
        if pid is None:
            return self.findings
        return tuple(f for f in self.findings if any(ref.pid == pid for ref in f.threads))

    def interest(self, thread: Thread) -> tuple[int, bool, int, int]:
        """A sort key: the worst state first, the main thread before its siblings."""
        state = self.states.get(thread.id, ThreadState.UNKNOWN)
        return state.rank, thread.tid != thread.pid, thread.pid, thread.tid

    def worst_of(self, process: Process) -> ThreadState | None:
        """The most interesting state among a process's threads."""
        states = [self.states[thread.id] for thread in process.threads if thread.id in self.states]
        return min(states, key=lambda state: state.rank, default=None)


@dataclass(frozen=True)
class Session:
    """All captures of this sitting and the selection."""

    views: tuple[CaptureView, ...] = ()
    index: int = -1
    thread: str | None = None
    """Node id of the selected thread, or of what else was chosen among those: a task, a child."""
    process: int | None = None
    """PID whose threads are shown; None: those of all processes."""
    chosen: bool = False
    """The user has selected something; until then the selection follows what is worst."""

    @property
    def current(self) -> CaptureView | None:
        """The capture on the screen."""
        return self.views[self.index] if self.views else None

    @property
    def leaves_children_out(self) -> bool:
        """Whether a process of the present capture has children which it did not look at."""
        capture = self.current.capture if self.current else None
        return capture is not None and any(unseen_children(p, capture) for p in capture.processes)

    @property
    def selected(self) -> Thread | None:
        """The selected thread, if the present capture has it and it is one."""
        view = self.current
        return view.threads.get(self.thread) if view and self.thread else None

    @property
    def unit(self) -> Unit | None:
        """What is selected, if the present capture has it."""
        view = self.current
        return view.units.get(self.thread) if view and self.thread else None

    @property
    def stopped_ms(self) -> float:
        """How long all captures together kept their targets stopped."""
        return sum(view.stopped_ms for view in self.views)

    def arrived(self, view: CaptureView, *, grows: bool) -> "Session":
        """With *view* as the newest capture; it *grows* from the newest one so far."""
        kept = self.views[:-1] if grows else self.views
        views = (*kept, view)[-HISTORY:]
        at_end = not self.views or self.index == len(self.views) - 1
        index = len(views) - 1 if at_end else min(self.index, len(views) - 1)
        return replace(self, views=views, index=index).settled()

    def step(self, distance: int) -> "Session":
        """At an earlier or later capture."""
        index = min(max(self.index + distance, 0), len(self.views) - 1)
        return replace(self, index=index).settled()

    def with_thread(self, thread: str) -> "Session":
        """With another thread selected by the user."""
        return replace(self, thread=thread, chosen=True)

    def with_process(self, pid: int | None) -> "Session":
        """With the threads of another process shown."""
        return replace(self, process=pid, thread=None, chosen=True).settled()

    def units_shown(self) -> tuple[Unit, ...]:
        """What has a row for the selected process, in the order of the rows."""
        return self.current.units_of(self.process) if self.current else ()

    def vanished(self) -> tuple[Process, ...]:
        """The processes that the capture before had, and this one has not."""
        if self.current is None or self.index % len(self.views) == 0:
            return ()
        before = self.views[self.index % len(self.views) - 1].capture
        return tuple(p for p in before.processes if self.current.capture.process(p.pid) is None)

    def settled(self) -> "Session":
        """With a selection that exists in the present capture."""
        if (view := self.current) is None:
            return self
        process, thread = self.process, self.thread
        if process is not None and view.capture.process(process) is None:
            process = None
        if not self.chosen or thread not in view.units:
            shown = view.groups_of(process)
            placed = [one for group in shown[:1] for one in group.placed]
            # Of a finding on tasks these are what to look at, not the thread that runs them.
            best = next((one for one in placed if one.first and one.below), None)
            chosen = best or next(iter(placed), None)
            thread = chosen.unit.id if chosen else thread
        return replace(self, process=process, thread=thread)
