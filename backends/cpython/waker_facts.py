"""Who could end waits for what nobody holds, in the words of the model."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.complements import KINDS, complements, of_end
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.cpython.wakers.search import Found, Search
from hangtui.backends.cpython.wakers.sole import Sole
from hangtui.backends.cpython.wakers.unbegun import UnbegunCoroutines
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Complement,
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

_MAX_TARGETS = 200
"""Objects that are waited for and looked for in one process."""
_NEAR = tuple(Nearness)
_MOST_ASKED_AGAIN = 50
"""Of what is waited for, whether somebody does so still."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for: by the addresses of what is waited for, and of what stands for it."""

    wanted: dict[int, dict[str, Complement]]
    nodes: dict[int, NodeId]
    stuck: set[tuple[NodeId, int]]
    """Who waits for what for good."""


def _asked(waits: Sequence[Wait], others: Iterable[Other]) -> _Asked:
    asked = _Asked({}, {}, set())
    by_target: dict[NodeId, list[Wait]] = {}
    for wait in waits:
        address = wait.target.address
        by_target.setdefault(wait.target, []).append(wait)
        if address is not None:
            _ask(asked, address, wait, complements(wait))
    for other in others:
        for wait in by_target.get(other.resource, ()):
            _ask(asked, other.address, wait, of_end(wait) if other.is_end else complements(wait))
    return asked


def _ask(asked: _Asked, address: int, wait: Wait, names: Mapping[str, Complement]) -> None:
    if address in asked.wanted or len(asked.wanted) < _MAX_TARGETS:
        asked.wanted.setdefault(address, {}).update(names)
        asked.nodes[address] = wait.target
    if not wait.expires:
        asked.stuck.add((wait.waiter, address))


class WakerResolver:
    """Finds who could end the waits of one process's threads and tasks."""

    def __init__(
        self, pid: int, python: PythonReader, gone_on: Callable[[Collection[NodeId]], set[NodeId]]
    ) -> None:
        """*gone_on*: which of some tasks that were read in a wait are out of it by now."""
        self._pid = pid
        self._python = python
        self._gone_on = gone_on

    def add(
        self,
        facts: Facts,
        tasks: Mapping[NodeId, tuple[Frame, ...]],
        others: Iterable[Other] = (),
    ) -> None:
        """Add them, after all waits and holds are known.

        *tasks*: their frames; *others*: objects that stand for what is waited for.
        """
        waits = self._ownerless(facts)
        if not any(_asks(wait) for wait in facts.waits if wait.waiter.pid == self._pid):
            return
        asked = _asked(waits, others)
        if not asked.wanted:
            return
        stacks = self._of_threads(facts, tasks)
        stacks.update(tasks)
        search = Search(self._python, asked.wanted)
        best: dict[tuple[NodeId, NodeId], CouldWake] = {}
        for found in search.run(stacks, asked.stuck):
            fact = self._fact(asked.nodes[found.target], found, stacks)
            known = best.get((fact.resource, fact.candidate))
            if known is None or _NEAR.index(fact.nearness) < _NEAR.index(known.nearness):
                best[fact.resource, fact.candidate] = fact
        # Who ended a wait while they were looked for, and has ended itself, was not found.
        over = self._over(waits, {node for node, _ in best})
        facts.could_wake += (one for one in best.values() if one.resource not in over)
        self._add_unbegun(facts, asked, stacks)
        if search.whole and self._all_stacks():
            alone = self._alone(asked, stacks)
            told = {node for node, _ in best} | over
            written = search.written(frame for stack in stacks.values() for frame in stack)
            for address, node in asked.nodes.items():
                if node in facts.resources and node not in over:
                    one = facts.resources[node]
                    only = one.unshared or (address in alone and address == node.address)
                    idle = written.get(address, ()) if node not in told else ()
                    one = replace(one, wakers_known=True, unshared=only, enders=idle)
                    facts.resources[node] = one

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
        self, facts: Facts, asked: _Asked, stacks: Mapping[NodeId, tuple[Frame, ...]]
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

    def _alone(self, asked: _Asked, stacks: Mapping[NodeId, tuple[Frame, ...]]) -> frozenset[int]:
        frames = (frame for stack in stacks.values() for frame in stack)
        try:
            return Sole(self._python.objects).of(asked.wanted, frames)
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
        ]

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
        )


def _asks(wait: Wait) -> bool:
    """Whether it is a question who ends a wait: not for workers that wait for work."""
    takes = wait.target.kind is NodeKind.QUEUE and (wait.method or wait.operation) == "get"
    is_main = wait.waiter.tid == wait.waiter.pid
    return wait.target.kind is not NodeKind.GIL and (not takes or is_main)


def _text(found: Found) -> str:
    line = f" ({found.line})" if found.line else ""
    if found.nearness is Nearness.IN:
        return f"it is inside {found.call}()"
    if found.nearness is Nearness.AHEAD:
        return f"its code reaches {found.call}(){line} if it goes on"
    if found.call:
        return f"its code reaches {found.call}(){line}, on what it takes from elsewhere so far"
    return "its frames refer to it"
