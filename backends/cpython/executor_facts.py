"""The pools of worker processes that threads of one process wait for, added to what is known."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.executors.feeders import Feeders
from hangtui.backends.cpython.executors.helpers import Helpers
from hangtui.backends.cpython.executors.pools import Pools
from hangtui.backends.cpython.executors.process_executors import ProcessExecutors
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.search import Search
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import (
    Certainty,
    Complement,
    Evidence,
    Executor,
    Hold,
    NodeId,
    NodeKind,
    Source,
    thread_id,
)

_FEEDS = (
    "its task comes to a worker only through this thread, which has it, or one before it, in hand"
)


class ExecutorResolver:
    """Resolves which executors the threads of one process wait for; without any it costs next to
    nothing."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._containers = Containers(python.objects, CodeReader(python.objects))
        self._pools = Pools(pid, python, self._containers)
        self._executors = ProcessExecutors(pid, python, self._containers)

    def add(self, facts: Facts) -> None:
        """Add the executors, after the waits of threads are known."""
        waiting = {wait.waiter for wait in facts.waits if wait.waiter.pid == self._pid}
        pools: dict[int, list[NodeId]] = {}
        futures: dict[int, list[NodeId]] = {}
        for tid, frames in self._python.stacks.items():
            waiter = thread_id(self._pid, tid)
            if waiter not in waiting:
                continue
            if pool := self._pools.of(frames):
                pools.setdefault(pool, []).append(waiter)
            elif future := self._executors.future(frames):
                futures.setdefault(future, []).append(waiter)
        if pools or futures:
            facts.executors += self._read(facts, pools, futures)

    def _read(
        self, facts: Facts, pools: dict[int, list[NodeId]], futures: dict[int, list[NodeId]]
    ) -> Iterator[Executor]:
        helpers = Helpers(self._python, self._containers)
        for pool, waiters in pools.items():
            try:
                with foreign_data():
                    read = self._pools.read(pool, waiters, helpers)
                    told = self._terminated_in(pool) if read.terminated else ()
                    yield replace(read, terminated_in=told)
            except DamagedDataError:
                continue
        feeders = Feeders(self._python, self._containers)
        managers = self._executors.managers() if futures else ()
        for manager in managers:
            try:
                with foreign_data():
                    found = self._executors.read(manager, futures, helpers)
                    held_up = dict(feeders.held_up(manager, futures.keys(), helpers))
            except DamagedDataError:
                continue
            if found is not None:
                facts.holds += self._through(held_up, facts)
                yield found

    def _terminated_in(self, pool: int) -> tuple[str, ...]:
        """The functions of the program whose code terminates a pool."""
        stacks = {thread_id(self._pid, tid): one for tid, one in self._python.stacks.items()}
        search = Search(self._python, {pool: {"terminate": Complement.CLOSE}})
        lines = search.written(stacks, (), {}).get(pool)
        return lines.enders if lines else ()

    def _through(self, held_up: Mapping[int, int], facts: Facts) -> Iterator[Hold]:
        """By the futures that are waited for: the thread through which their tasks have to go."""
        targets = {
            wait.target
            for wait in facts.waits
            if wait.target.pid == self._pid and wait.target.kind is NodeKind.FUTURE
        }
        for target in sorted(targets):
            tid = held_up.get(target.address) if target.address is not None else None
            if tid is not None:
                evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, _FEEDS)
                yield Hold(target, thread_id(self._pid, tid), evidence)
