"""Pools of actors of Ray Data and of ``ray.util``: how much work lies before each, and how many of
Ray Data's have ended.

Each operator that runs in actors has a pool, which keeps the actors that it has started, and apart
from these the ones that are alive. It counts one that has ended as its own as long as the dataset
is executed.
"""

from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.ray import ids
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import ActorPool, NodeId, clean, thread_id

_FILE = "/ray/data/_internal/execution/streaming_executor.py"
_WAITS, _EXECUTOR = "get_next", "_executor"
"""The function that waits for what comes of a dataset, and the attribute of its object that is what
hands the work out."""
_LENT, _TAKES = "/ray/util/actor_pool.py", ("get_next", "get_next_unordered")
_MOST_OPERATORS, _MOST_ACTORS, _MOST_NAME = 100, 1000, 100


def add_actor_pools(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add the pools of datasets that threads wait for.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    pools = _Pools(pid, python)
    facts.actor_pools += pools.by_taking()
    for executor, waiters in pools.executors().items():
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            facts.actor_pools += pools.read(executor, tuple(waiters))


class _Pools:
    """Reads them of one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._objects = python.objects
        self._containers = Containers(python.objects, python.codes)

    def executors(self) -> dict[int, list[NodeId]]:
        """What executes datasets, with the threads that wait for these."""
        found: dict[int, list[NodeId]] = {}
        for tid, frames in self._python.stacks.items():
            frame = next(filter(_waits, frames), None)
            iterator = self._python.frames.variables(frame).get("self", 0) if frame else 0
            executor = self._objects.attributes(iterator).get(_EXECUTOR, 0)
            if executor:
                found.setdefault(executor, []).append(thread_id(self._pid, tid))
        return found

    def by_taking(self) -> Iterator[ActorPool]:
        """Those of `ray.util` from which somebody takes a result."""
        for tid, frames in self._python.stacks.items():
            frame = next(filter(_takes, frames), None)
            pool = self._python.frames.variables(frame).get("self", 0) if frame else 0
            parts = self._objects.attributes(pool) if pool else {}
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                pending = len(self._containers.sequence(parts.get("_pending_submits", 0)))
                working = self._containers.dict_size(parts.get("_future_to_actor", 0))
                waiter = thread_id(self._pid, tid)
                yield ActorPool(
                    self._pid, "ActorPool", (waiter,), working, (), 0, pending, by_taking=True
                )

    def read(self, executor: int, waiters: tuple[NodeId, ...]) -> Iterator[ActorPool]:
        """The pools of the operators of a dataset that is executed."""
        topology = self._objects.attributes(executor).get("_topology", 0)
        for number, (operator, state) in enumerate(self._items(topology)):
            pool = self._objects.attributes(operator).get("_actor_pool", 0)
            if number < _MOST_OPERATORS and pool:
                found = self._pool(pool, self._queued(operator, state), waiters)
                if found is not None:
                    yield found

    def _pool(self, pool: int, queued: int, waiters: tuple[NodeId, ...]) -> ActorPool | None:
        """None: what has happened to its actors is not known, as on a node that is drained."""
        parts = self._objects.attributes(pool)
        heap = parts.get("_alive_actors_to_in_flight_tasks_heap", 0)
        alive = {key for key, _ in self._items(self._objects.attributes(heap).get("d", 0))}
        running = list(self._items(parts.get("_running_actors", 0)))
        drained = parts.get("_draining_nodes_snapshot", 0)
        if len(running) > _MOST_ACTORS or (drained and self._containers.dict_size(drained)):
            return None
        coming = self._containers.dict_size(parts.get("_pending_actors", 0))
        ended = []
        for actor, state in running:
            if actor in alive:
                continue
            if self._containers.true(self._objects.attributes(state).get("is_restarting", 0)):
                coming += 1
                continue
            ended.append(self._actor(actor))
        name = clean(self._objects.text(parts.get("_map_worker_cls_name", 0)), _MOST_NAME)
        return ActorPool(self._pid, name, waiters, len(alive), tuple(ended), coming, queued)

    def _actor(self, handle: int) -> NodeId:
        own = self._objects.attributes(handle).get("_ray_actor_id", 0)
        return ids.actor_node(ids.read_id(self._objects, own, "ActorID"))

    def _queued(self, operator: int, state: int) -> int:
        """How many blocks lie in the queues before an operator, and in its own."""
        own = self._objects.attributes(operator).get("_bundle_queue", 0)
        before = self._objects.attributes(state).get("input_queues", 0)
        queues = [
            self._objects.attributes(one).get("_inner", one)
            for queue in self._containers.sequence(before)
            for one in self._containers.sequence(self._objects.attributes(queue).get("_queues", 0))
        ]
        counts = (self._objects.attributes(one).get("_num_blocks", 0) for one in (own, *queues))
        return sum(self._containers.integer(one) or 0 for one in counts)

    def _items(self, dictionary: int) -> Iterator[tuple[int, int]]:
        if self._objects.kind(dictionary) == "dict":
            yield from self._objects.items(dictionary)


def _takes(frame: Frame) -> bool:
    return frame.code.bare_name in _TAKES and frame.code.filename.endswith(_LENT)


def _waits(frame: Frame) -> bool:
    return frame.code.bare_name == _WAITS and frame.code.filename.endswith(_FILE)
