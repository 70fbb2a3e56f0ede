"""Actors of Ray with ``async`` methods: which task runs which call, and which task, or which thread
by a future of a reference, waits for which.

Each call is a task of an event loop. The worker keeps its future until it is done, and who awaits a
reference waits for a future that keeps the reference.
"""

from collections.abc import Iterator
from dataclasses import replace

from hangtui.backends.cpython.aio.bridges import Bridges
from hangtui.backends.cpython.aio.tasks import AsyncReader
from hangtui.backends.cpython.ray import ids
from hangtui.backends.cpython.ray.worker import Worker
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import Certainty, Evidence, Hold, NodeKind, Source, Wait, task_id

_AWAIT, _RESULT = "await", "Future.result"
_WAITERS = (NodeKind.TASK, NodeKind.THREAD)


class Calls:
    """Reads it of one process."""

    def __init__(self, pid: int, python: PythonReader, worker: Worker) -> None:
        self._pid = pid
        self._python = python
        self._worker = worker

    def add(self, facts: Facts) -> None:
        """Add which calls tasks wait for and run; nothing of what cannot be read."""
        facts.waits[:] = [self._for_a_call(wait, facts) or wait for wait in facts.waits]
        awaited = {wait.waiter: wait.target for wait in facts.waits if wait.call == _AWAIT}
        for index, task in enumerate(facts.tasks):
            if task.id in awaited:
                label = facts.resources[awaited[task.id]].label
                facts.tasks[index] = replace(task, awaits=f"a result of {label}")
        try:
            with foreign_data():
                for hold, name in self._holds(facts):
                    facts.resources[hold.resource] = ids.resource(hold.resource, name, self._pid)
                    facts.add_hold(hold)
        except DamagedDataError:
            return

    # -- waits ----------------------------------------------------------------------------------

    def _for_a_call(self, wait: Wait, facts: Facts) -> Wait | None:
        """What waits for a future that keeps a reference; None: it is no such wait."""
        node, future = wait.target, wait.target.address
        own = node.kind is NodeKind.FUTURE and node.pid == self._pid
        if not own or future is None or wait.waiter.kind not in _WAITERS:
            return None
        try:
            with foreign_data():
                objects = self._python.objects
                reference = objects.attributes(future).get("object_ref", 0)
                task = ids.read_id(objects, reference, "ObjectRef")
        except DamagedDataError:
            return None
        actor = ids.actor_of(task)
        target = ids.actor_node(actor)
        facts.resources.setdefault(target, ids.resource(target, ids.label(actor), self._pid))
        call = _AWAIT if wait.waiter.kind is NodeKind.TASK else _RESULT
        text = f"it waits for a future of a result, whose id names {ids.named(actor)}"
        evidence = replace(wait.evidence, text=text)
        calls = () if actor == ids.NO_ACTOR else (ids.call_node(task),)
        return replace(wait, target=target, evidence=evidence, call=call, calls=calls)

    # -- holds ----------------------------------------------------------------------------------

    def _holds(self, facts: Facts) -> Iterator[tuple[Hold, str]]:
        """Who runs the calls that have not returned, each with what to call it."""
        readers = AsyncReader(self._python)
        coroutines = {one.address: one.coroutine for one in facts.tasks if one.pid == self._pid}
        queued: dict[int, bytes] = {}
        for task, future in self._worker.calls():
            address = readers.futures.source(future)
            if address in coroutines:
                function = coroutines[address]
                text = "its worker keeps the future of that call, which this task is to set"
                evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, text)
                node = ids.call_node(task)
                hold = Hold(node, task_id(self._pid, address), evidence, function)
                yield hold, f"the call {function}" if function else f"a call of {self._name()}"
            elif not address:
                queued[future] = task
        if queued:
            yield from self._not_begun(queued, readers)

    def _not_begun(
        self, queued: dict[int, bytes], readers: AsyncReader
    ) -> Iterator[tuple[Hold, str]]:
        """Calls that their event loop has not come to, since its thread is inside of another."""
        for reading in readers.readings():
            bridges = Bridges(self._pid, self._python, readers.futures, readers.containers)
            for hold in bridges.setters(reading, list(queued)):
                future = hold.resource.address
                if future in queued:
                    node = ids.call_node(queued[future])
                    name = f"a call of {self._name()} that has not begun"
                    yield replace(hold, resource=node), name

    def _name(self) -> str:
        own = [title for _, title in self._worker.actors()]
        return f"the actor {own[0]}" if len(own) == 1 else "an actor"
