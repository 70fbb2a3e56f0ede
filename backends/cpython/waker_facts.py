"""Who could end waits for what nobody holds, in the words of the model."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.failed import FailedTask
from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.asked import Asked, asked_for, attribute_of, with_joining
from hangtui.backends.cpython.wakers.complements import KINDS, complements
from hangtui.backends.cpython.wakers.failed import add_failed
from hangtui.backends.cpython.wakers.frame_search import Found
from hangtui.backends.cpython.wakers.given_back import add_givers, add_gone
from hangtui.backends.cpython.wakers.later import LoopCall
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.cpython.wakers.own_items import joins_of, mark_in_hand
from hangtui.backends.cpython.wakers.search import Search
from hangtui.backends.cpython.wakers.sole import Sole
from hangtui.backends.cpython.wakers.sole_use import owners_in_waits, used_by_waits
from hangtui.backends.cpython.wakers.to_come import add_named, add_signals, add_timers
from hangtui.backends.cpython.wakers.unbegun import UnbegunCoroutines
from hangtui.backends.cpython.wakers.written import Lines
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.model import (
    Certainty,
    CouldWake,
    Evidence,
    Nearness,
    NodeId,
    NodeKind,
    Source,
    TaskState,
    Wait,
    thread_id,
)

_MAX_NAME = 120
_NEAR = tuple(Nearness)
_COMES = (Nearness.IN, Nearness.AHEAD)
_TASKS = (NodeKind.TASK, NodeKind.GREENLET)
_SERVERS = ("/socketserver.py", "/http/server.py", "/wsgiref/handlers.py")
_MOST_ASKED_AGAIN = 50
"""Of what is waited for, whether somebody does so still."""


class WakerResolver:
    """Finds who could end the waits of one process's threads and tasks."""

    def __init__(
        self,
        pid: int,
        python: PythonReader,
        gone_on: Callable[[Collection[NodeId]], set[NodeId]],
        timers: Sequence[LoopCall] = (),
    ) -> None:
        """*gone_on*: which of some tasks that were read in a wait are out of it by now; *timers*:
        of event loops."""
        self._timers = timers
        self._pid = pid
        self._python = python
        self._gone_on = gone_on

    def add(
        self,
        facts: Facts,
        tasks: Mapping[NodeId, tuple[Frame, ...]],
        others: Iterable[Other] = (),
        failed: Iterable[FailedTask] = (),
    ) -> None:
        """Add them, after all waits and holds are known.

        *tasks*: their frames; *others*: objects that stand for what is waited for; *failed*: tasks
        that have ended.
        """
        waits = self._ownerless(facts)
        entries = {task.id for task in facts.tasks if task.is_entry}
        if not any(self._asks(wait, entries, tasks) for wait in facts.waits):
            return
        asked = asked_for(waits, others)
        if not asked.wanted:
            return
        stacks = self._of_threads(facts, tasks)
        stacks.update(tasks)
        search = Search(self._python, asked.wanted)
        best: dict[tuple[NodeId, NodeId], CouldWake] = {}
        given: dict[NodeId, list[NodeId]] = {}  # what is taken, and who is seen to give it back
        runs = _running(facts)
        stuck = {(wait.waiter, wait.target) for wait in waits}
        for found in search.run(stacks, asked.stuck):
            if (runs.get(found.candidate), asked.nodes[found.target]) in stuck:
                continue  # its frames are those of the thread that waits
            if found.call:
                given.setdefault(asked.nodes[found.target], []).append(found.candidate)
            if asked.nodes[found.target].kind is NodeKind.LOCK:
                continue  # who would release it need not be who has it
            fact = self._fact(asked.nodes[found.target], found, stacks)
            known = best.get((fact.resource, fact.candidate))
            if known is None or _NEAR.index(fact.nearness) < _NEAR.index(known.nearness):
                best[fact.resource, fact.candidate] = fact
        add_givers(facts, given, stuck)
        mark_in_hand(best, search.own_items(stacks, joins_of(best, asked.stuck)))
        # Who ended a wait while they were looked for, and has ended itself, was not found.
        over = self._over(waits, {node for node, _ in best})
        facts.could_wake += (one for one in best.values() if one.resource not in over)
        self._add_unbegun(facts, asked, stacks)
        add_failed(facts, asked, search, failed)
        if search.whole and self._all_stacks():
            nodes = {
                address: node
                for address, node in asked.nodes.items()
                if node in facts.resources and node not in over and node.kind is not NodeKind.LOCK
            }
            # The frames of a task that runs are on the stack of its thread.
            standing = {one: stack for one, stack in stacks.items() if one not in runs}
            # Who merely refers to it may come to one of the functions that would, and is in none.
            near = {o.resource for o in best.values() if o.nearness in _COMES}
            attributes = {
                address: attribute
                for address, node in nodes.items()
                if (attribute := attribute_of(facts.resources[node].name))
            }
            written = search.written(standing, with_joining(asked.stuck, facts.waits), attributes)
            self._add_known(facts, nodes, near, asked, search, standing, written)
            kept = {hold.resource for hold in facts.holds} | given.keys()
            taken = [wait for wait in waits if wait.target not in kept]
            again = self._python.loops.only_takes
            add_gone(facts, taken, search, standing, written, self._python.tracked, again)

    def _add_known(
        self,
        facts: Facts,
        nodes: Mapping[int, NodeId],
        found: Collection[NodeId],
        asked: Asked,
        search: Search,
        stacks: Mapping[NodeId, tuple[Frame, ...]],
        written: Mapping[int, Lines],
    ) -> None:
        """Say of *nodes* by address that all who could end their waits are known; of those that are
        not among what was *found*, whose code would."""
        alone = self._alone(facts, asked, stacks)
        queues = search.own_queues(stacks, asked.stuck)
        for address, node in nodes.items():
            one = facts.resources[node]
            only = one.unshared or (address in alone and address == node.address)
            lines = written.get(address)
            facts.resources[node] = replace(
                one,
                wakers_known=True,
                unshared=only,
                enders=lines.enders if lines and node not in found else (),
                ending_code=lines.enders if lines else (),
                enders_loop=bool(lines and lines.loops and node not in found),
                called_back=lines.called_back if lines else (),
                alike=lines.alike if lines and not lines.enders and node not in found else (),
                own_queue=queues.get(address),
            )
        add_named(facts, nodes, asked.stuck, search, stacks)
        left = {address: node for address, node in nodes.items() if node not in found}
        add_signals(facts, left, search, self._python)
        add_timers(facts, left, search, self._timers)

    def _over(self, waits: Sequence[Wait], found: Collection[NodeId]) -> set[NodeId]:
        """What of *found* is not waited for any more by one of the first tasks that did."""
        first: dict[NodeId, NodeId] = {}
        for wait in waits:
            if wait.target in found and wait.waiter.kind is NodeKind.TASK and not wait.expires:
                first.setdefault(wait.target, wait.waiter)
        asked = list(first.items())[:_MOST_ASKED_AGAIN]
        gone = self._gone_on([waiter for _, waiter in asked])
        return {target for target, waiter in asked if waiter in gone}

    def _add_unbegun(
        self, facts: Facts, asked: Asked, stacks: Mapping[NodeId, tuple[Frame, ...]]
    ) -> None:
        objects, frames = self._python.objects, self._python.frames
        containers = Containers(objects, self._python.codes)
        every = (frame for stack in stacks.values() for frame in stack)
        try:
            found = UnbegunCoroutines(objects, frames, containers).of(asked.wanted, every)
        except BudgetSpentError:
            return
        for address, unbegun in found.items():
            node = asked.nodes[address]
            if node in facts.resources:
                facts.resources[node] = replace(facts.resources[node], unbegun=unbegun)

    def _of_threads(
        self, facts: Facts, tasks: Mapping[NodeId, tuple[Frame, ...]]
    ) -> dict[NodeId, tuple[Frame, ...]]:
        """The stacks of threads without the frames of tasks that wait below a nested run of their
        loop: these go on with their task."""
        waiting = [task.id for task in facts.tasks if task.state is TaskState.WAITING]
        theirs = {frame.slots for one in waiting for frame in tasks.get(one, ())}
        return {
            thread_id(self._pid, tid): tuple(one for one in stack if one.slots not in theirs)
            for tid, stack in self._python.stacks.items()
        }

    def _alone(
        self, facts: Facts, asked: Asked, stacks: Mapping[NodeId, tuple[Frame, ...]]
    ) -> frozenset[int]:
        frames, python = (frame for stack in stacks.values() for frame in stack), self._python
        try:
            besides = used_by_waits(facts, stacks, asked.wanted, python)
            owners = owners_in_waits(facts, stacks, asked.wanted, python)
            return Sole(python.objects).of(asked.wanted, frames, besides, owners)
        except BudgetSpentError:
            return frozenset()

    def _ownerless(self, facts: Facts) -> list[Wait]:
        """The waits for what nobody is surely known to hold."""
        held = {hold.resource for hold in facts.holds if hold.evidence.certainty.supports_claim}
        return [
            wait
            for wait in facts.waits
            if wait.target.pid == self._pid
            and wait.target.kind in KINDS
            and wait.target not in held
            and complements(wait)
            and (wait.target.kind is not NodeKind.LOCK or self._untaken(wait, facts))
        ]

    def _untaken(self, wait: Wait, facts: Facts) -> bool:
        """Whether no stack shows who has a lock, as it does for a lock of threads."""
        return wait.waiter.kind in _TASKS or all(
            hold.resource != wait.target for hold in facts.holds
        )

    def _asks(
        self, wait: Wait, entries: Collection[NodeId], tasks: Mapping[NodeId, tuple[Frame, ...]]
    ) -> bool:
        """Whether it is a question who ends a wait: not for workers that wait for work, in the one
        function of the application that they have, which no package has called. *entries*: tasks
        that a program began with."""
        waiter = wait.waiter
        if waiter.pid != self._pid or wait.target.kind is NodeKind.GIL:
            return False
        takes = wait.target.kind is NodeKind.QUEUE and (wait.method or wait.operation) == "get"
        if not takes or waiter.tid == waiter.pid or waiter in entries:
            return True
        stack = tasks.get(waiter) or self._python.stacks.get(waiter.tid or 0, ())
        own = [i for i, one in enumerate(stack) if not one.in_library and not one.installed]
        if any(_calls(frame) for frame in stack[max(own, default=0) + 1 :]):
            return True
        return sum(stack[i].code.bare_name != "run" for i in own) > 1

    def _all_stacks(self) -> bool:
        """Whether the frames of every Python thread were read."""
        python = self._python
        return not python.unknown_states and python.threads.keys() <= python.stacks.keys()

    def _fact(
        self, node: NodeId, found: Found, stacks: dict[NodeId, tuple[Frame, ...]]
    ) -> CouldWake:
        where = place_of(stacks.get(found.candidate, ()))
        evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, _text(found), where)
        return CouldWake(
            node,
            found.candidate,
            found.complement,
            found.nearness,
            evidence,
            found.call,
            found.line,
            call_function=found.within,
            gives_back=found.gives_back,
        )


def _running(facts: Facts) -> dict[NodeId, NodeId]:
    """By tasks that run, the threads that run them."""
    running = (task for task in facts.tasks if task.state is TaskState.RUNNING)
    return {task.id: thread_id(task.pid, task.loop_tid) for task in running if task.loop_tid}


def _calls(frame: Frame) -> bool:
    """Whether a frame is of a package, or of a server of the standard library, which calls the
    application for each request: that is no worker's function."""
    return frame.installed or frame.code.filename.endswith(_SERVERS)


def _text(found: Found) -> str:
    within = f" in {found.within}" if found.within else ""
    line = f" ({found.line}{within})" if found.line else ""
    if found.nearness is Nearness.IN:
        return f"it is inside {found.call}()"
    if found.nearness is Nearness.AFTER:
        return f"its code reaches {found.call}(){line} once its own wait for that is over"
    if found.nearness is Nearness.AHEAD:
        return f"its code reaches {found.call}(){line} if it goes on"
    if found.call:
        return f"its code reaches {found.call}(){line}, on what it takes from elsewhere so far"
    return "its frames refer to it"
