"""Twisted as one of the schedulers: its flows as tasks, and where they and threads wait for each
other."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.futures import RawTask
from hangtui.backends.cpython.aio.locks import TaskHold
from hangtui.backends.cpython.aio.loop_timers import left
from hangtui.backends.cpython.aio.loops import Loop
from hangtui.backends.cpython.aio.names import names_of
from hangtui.backends.cpython.aio.registry import MAX_TASKS
from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.greenlets.found import Found
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.twisted.deferreds import Deferreds
from hangtui.backends.cpython.twisted.ends import Ends, called_by_its_waiter
from hangtui.backends.cpython.twisted.flows import Flow, Flows
from hangtui.backends.cpython.twisted.holds import Holds, Wanted
from hangtui.backends.cpython.twisted.pools import Pools, Work
from hangtui.backends.cpython.twisted.reactors import LIBRARY, Reactors
from hangtui.backends.cpython.twisted.requests import Requests
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Source,
    TaskState,
    label_of,
    resource_id,
    task_id,
    thread_id,
)

_DEFER = "twisted.internet.defer"
_BASES = (
    (_DEFER, "_CancellationStatus", "flow"),
    (_DEFER, "DeferredLock", "lock"),
    (_DEFER, "DeferredSemaphore", "semaphore"),
    (_DEFER, "DeferredQueue", "queue"),
    (_DEFER, "Deferred", "deferred"),
    ("twisted.internet.base", "ReactorBase", "reactor"),
    ("twisted._threads._team", "Team", "team"),
    ("twisted.web.server", "Request", "request"),
)
_RESOURCES = (
    ("lock", NodeKind.LOCK, "{}", "acquire"),
    ("semaphore", NodeKind.SEMAPHORE, "a token of {}", "acquire"),
    ("queue", NodeKind.QUEUE, "an item of {}", "get"),
)
"""What each has, in ``waiting``, for those that wait for it."""
_NOTES = {NodeKind.QUEUE: "a queue has no owner: anybody may put something into it"}
IN_THREAD = "twisted.internet.threads.deferToThread"
_BLOCKS = "blockingCallFromThread"
_FROM_THREAD = f"twisted.internet.threads.{_BLOCKS}"


class TwistedScheduler:
    """Reads Twisted in one process; without it this costs next to nothing."""

    library = LIBRARY
    stand_ins: Mapping[int, NodeId] = {}
    others: Sequence[Other] = ()

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        objects, frames = python.objects, python.frames
        containers = Containers(objects, python.codes)
        self._containers = containers
        self._deferreds = Deferreds(objects, containers)
        self._flows = Flows(objects, frames, containers, self._deferreds)
        self._reactors = Reactors(objects, frames, containers, python.stacks)
        self._pools = Pools(objects, frames, containers, python.stacks)
        self._holds = Holds(python.blocks, python.traces, self._deferreds)
        self._found: Mapping[str, list[int]] = {}
        self._work: dict[int, Work] = {}
        self._by_deferred: dict[int, int] = {}
        self._running: Sequence[Flow] = ()
        self._ends = Ends(python, containers, self._deferreds)
        self._requests = Requests(objects, frames, containers, self._deferreds, python.codes)

    def readings(self) -> Iterator[AsyncReading]:
        """One for the process's oldest interpreter, if a thread of it runs a reactor."""
        modules = {name: self._python.module(name) for name in {one for one, _, _ in _BASES}}
        bases = {kind: role for name, one, role in _BASES if (kind := modules[name].get(one, 0))}
        if "reactor" not in bases.values() or "flow" not in bases.values():
            return
        lists = self._python.tracked()
        if not lists.kept:
            return
        self._found = Found(self._python.objects, lists, bases).by_role
        self._python.objects.memory.forget()  # that took long: what is told is of one moment
        loops = list(self._reactors.all(self._found["reactor"]))
        if loops:
            with foreign_data():
                yield self._read(loops[0], torn=lists.torn)

    def _read(self, loop: Loop, *, torn: bool) -> AsyncReading:
        self._work = self._pools.work(self._found["team"])
        flows: dict[int, Flow] = {}
        for address in self._found["flow"][:MAX_TASKS]:
            with suppress(DamagedDataError), foreign_data():
                if flow := self._flows.at(address):
                    flows[address] = flow
        self._by_deferred = {flow.deferred: flow.address for flow in flows.values()}
        self._running = list(flows.values())
        resources = self._resources()
        tasks = {one.address: self._task(one, loop, resources) for one in flows.values()}
        holds: list[TaskHold] = []
        names: dict[int, str] = {}
        answering: Mapping[int, str] = {}
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            holds = self._held(tasks)
            names = self._names(tasks)
            requests = self._found.get("request", ())
            answering = self._requests.answered_by(self._running, requests)
            owes = self._requests.left_open(self._running, requests, self._found["deferred"])
            loop = replace(loop, owes=owes)
        tasks = {
            at: replace(called_by_its_waiter(task, names), answers=answering.get(at, ""))
            for at, task in tasks.items()
        }
        truncated = torn or len(self._found["flow"]) > MAX_TASKS
        return AsyncReading(tasks, {loop.address: loop}, holds, names, truncated)

    def _resources(self) -> dict[int, Awaited]:
        """What Deferreds wait in."""
        objects, found = self._python.objects, {}
        for role, kind, text, operation in _RESOURCES:
            for one in self._found[role]:
                listed = objects.attributes(one).get("waiting", 0)
                title = self._containers.type_title(one)
                awaited = Awaited(
                    text,
                    f"the {title.rpartition('.')[2]} has its Deferred among those that wait",
                    kind,
                    one,
                    title,
                    certainty=Certainty.CERTAIN,
                    note=_NOTES.get(kind),
                    operation=operation,
                )
                for deferred in self._containers.sequence(listed) if listed else ():
                    found[deferred] = awaited
        return found

    def _task(self, flow: Flow, loop: Loop, resources: Mapping[int, Awaited]) -> TaskReading:
        raw = RawTask(flow.address, loop.address, flow.generator, None, flow.awaited)
        awaited = self._awaited(self._deferreds.last(flow.awaited), resources)
        until = (loop.timed or {}).get(flow.awaited)
        if until is None:
            until = (loop.timed or {}).get(self._deferreds.last(flow.awaited))
        if until is not None:
            if awaited.kind is NodeKind.FUTURE and awaited.type_name != IN_THREAD:
                awaited = Awaited(f"a timer ({left(until)})", expires=True)
            text = f"{awaited.text} ({left(until)})" if awaited.kind else awaited.text
            awaited = replace(awaited, text=text, expires=True)
        own = next((one for one in flow.frames if not one.installed and not one.in_library), None)
        return TaskReading(
            raw, TaskState.WAITING, flow.frames, awaited, where=own.place if own else None
        )

    def _awaited(self, deferred: int, resources: Mapping[int, Awaited]) -> Awaited:
        """What a Deferred that has not fired waits for."""
        if deferred in resources:
            return resources[deferred]
        if deferred in self._by_deferred:
            text = "its Deferred fires when that one has ended"
            return Awaited("task", text, tasks=(self._by_deferred[deferred],))
        inner = (self._deferreds.last(one) for one in self._deferreds.members(deferred))
        if members := [self._by_deferred[one] for one in inner if one in self._by_deferred]:
            text = "its DeferredList has them among those that are to fire"
            return Awaited("all of", text, tasks=tuple(members), together=True)
        if work := self._work.get(deferred):
            return Awaited(
                "{}",
                "its Deferred fires with the result",
                NodeKind.FUTURE,
                deferred,
                IN_THREAD,
                label=f"result of {work.function}()",
                operation="result",
            )
        return Awaited(
            "{} to fire",
            "it has a callback on that Deferred",
            NodeKind.FUTURE,
            deferred,
            "twisted.internet.defer.Deferred",
            operation="await",
        )

    def _held(self, tasks: Mapping[int, TaskReading]) -> list[TaskHold]:
        locks = (NodeKind.LOCK, NodeKind.SEMAPHORE)
        waits = {
            task.address: task.awaited
            for task in tasks.values()
            if task.awaited and task.awaited.kind in locks
        }
        wanted = {
            one.address: Wanted(one.kind, one.type_name) for one in waits.values() if one.kind
        }
        stacks = {task.address: task.frames for task in tasks.values()}
        awaited = {task: one.address for task, one in waits.items()}
        if not wanted:
            return []
        given_back = self._holds.given_back(wanted, self._running, awaited)
        return [*given_back, *self._holds.of(wanted, stacks, awaited)]

    def _names(self, tasks: Mapping[int, TaskReading]) -> dict[int, str]:
        awaited = [task.awaited for task in tasks.values() if task.awaited]
        wanted = {one.address for one in awaited if one.address and not one.label}
        stacks = [task.frames for task in tasks.values()]
        objects, frames = self._python.objects, self._python.frames
        return names_of(wanted, stacks, objects, frames) if wanted else {}

    # -- threads --------------------------------------------------------------------------------

    def join(self, facts: Facts, reading: AsyncReading) -> None:
        """Who does in threads what flows wait for, and which flows threads wait for."""
        awaited = {task.awaited.address for task in reading.tasks.values() if task.awaited}
        for deferred, work in self._work.items():
            if deferred in awaited:
                self._runs(facts, deferred, work)
        facts.could_wake += self._ends.wakers(self._pid, self._running, reading, self._work)
        blocked = dict(self._pools.blocked())
        if not blocked:
            return
        put = self._deferreds.put_into(self._found["deferred"])
        loops = list(reading.loops.values())
        for tid, queue in blocked.items():
            if queue in put:
                self._blocked(facts, tid, queue, self._deferreds.last(put[queue]))
            elif found := self._pools.asked(queue, loops):
                self._asks(facts, tid, queue, *found)

    def same(self, task: TaskReading) -> bool:
        """Whether a flow that was read before waits now, at the same place, for the same thing."""
        flow = self._flows.at(task.address)
        return flow is not None and (flow.awaited, flow.frames) == (task.raw.awaited, task.frames)

    def _runs(self, facts: Facts, deferred: int, work: Work) -> None:
        if work.tid is not None:
            node = resource_id(NodeKind.FUTURE, self._pid, deferred)
            text = f"this thread runs {work.function}() for it"
            facts.add_hold(Hold(node, thread_id(self._pid, work.tid), self._proven(text)))

    def _asks(self, facts: Facts, tid: int, queue: int, function: str, loop: Loop) -> None:
        """A thread waits for what a reactor is to call next."""
        node = resource_id(NodeKind.FUTURE, self._pid, queue)
        if self._waits_instead(facts, tid, queue, node):
            self._name_result(facts, node, function, _FROM_THREAD)
            if loop.tid is not None:
                text = "it has not made that call yet, and only this thread runs the reactor"
                facts.add_hold(Hold(node, thread_id(self._pid, loop.tid), self._proven(text)))

    def _blocked(self, facts: Facts, tid: int, queue: int, deferred: int) -> None:
        """A thread waits for a Deferred, rather than for the queue that gets its result."""
        if deferred in self._by_deferred:
            flow = task_id(self._pid, self._by_deferred[deferred])
            self._waits_instead(facts, tid, queue, flow)
            return
        node = resource_id(NodeKind.FUTURE, self._pid, deferred)
        if self._waits_instead(facts, tid, queue, node):
            work = self._work.get(deferred)
            if work is None:
                self._name_result(facts, node, None, f"{_DEFER}.Deferred")
            else:
                self._name_result(facts, node, work.function, IN_THREAD)
                self._runs(facts, deferred, work)

    def _waits_instead(self, facts: Facts, tid: int, queue: int, target: NodeId) -> bool:
        """Make a thread that waits for *queue* wait for *target*; whether it did."""
        thread = thread_id(self._pid, tid)
        node = resource_id(NodeKind.QUEUE, self._pid, queue)
        waits = enumerate(facts.waits)
        mine = (at for at, one in waits if (one.waiter, one.target) == (thread, node))
        index = next(mine, None)
        if index is None:
            return False
        wait = facts.waits[index]
        evidence = replace(wait.evidence, text=f"{_BLOCKS}: it waits for the result")
        facts.waits[index] = replace(
            wait, target=target, evidence=evidence, operation="result", call=_BLOCKS
        )
        if not any(one.target == node for one in facts.waits):
            facts.resources.pop(node, None)
        return True

    def _name_result(
        self, facts: Facts, node: NodeId, function: str | None, type_name: str
    ) -> None:
        name = f"result of {function}()" if function else "a Deferred"
        resource = Resource(
            node,
            NodeKind.FUTURE,
            label_of(name, type_name),
            self._pid,
            node.address or 0,
            name=name,
            type_name=type_name,
        )
        facts.resources.setdefault(node, resource)

    def _proven(self, text: str) -> Evidence:
        return Evidence(Source.CPYTHON, Certainty.PROVEN, text)
