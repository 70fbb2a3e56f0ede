"""What libraries know of themselves in one process: executors, databases, pools, who wakes whom."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.database_facts import add_uses
from hangtui.backends.cpython.dispatched import add_dispatched
from hangtui.backends.cpython.ended_keepers import EndedKeepers
from hangtui.backends.cpython.engines.facts import add_engines
from hangtui.backends.cpython.engines.resumers import add_resumers
from hangtui.backends.cpython.entered_twice import add_entered_twice
from hangtui.backends.cpython.exchanges import add_exchanges
from hangtui.backends.cpython.executor_facts import ExecutorResolver
from hangtui.backends.cpython.joining import JoiningResolver
from hangtui.backends.cpython.launched import add_collected
from hangtui.backends.cpython.loader_facts import LoaderResolver
from hangtui.backends.cpython.looking.loops import LookingLoops
from hangtui.backends.cpython.message_senders import add_senders
from hangtui.backends.cpython.polled_conditions import PolledConditions
from hangtui.backends.cpython.pools.facts import PoolResolver
from hangtui.backends.cpython.ray.facts import RayResolver
from hangtui.backends.cpython.ray.pools import add_actor_pools
from hangtui.backends.cpython.ray.trials import add_tuners
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.remote_calls import add_remote_calls, add_rpc_worker
from hangtui.backends.cpython.retried import RetriedCalls
from hangtui.backends.cpython.store_keys import add_store_keys
from hangtui.backends.cpython.task_facts import TaskResolver
from hangtui.backends.cpython.waker_facts import WakerResolver
from hangtui.backends.cpython.wakers.given_back import take_back_what_moved
from hangtui.backends.cpython.worker_queues import WorkerQueues
from hangtui.backends.facts import Facts
from hangtui.backends.ipc import databases
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import thread_id

_MOST_TASKS = 200
"""Whose handled errors are looked for."""


class LibraryResolver:
    """Resolves it, once the waits of threads and *tasks* are known."""

    def __init__(self, pid: int, python: PythonReader, tasks: TaskResolver) -> None:
        self._pid = pid
        self._python = python
        self._tasks = tasks
        self._ray = RayResolver(pid, python)
        self._loaders = LoaderResolver(pid, python)

    def add(self, facts: Facts, asleep: Mapping[int, BlockedThread]) -> None:
        """Add what is found within the budget; *asleep*: where threads sleep, by TID."""
        for step in self._steps(facts, asleep):
            with suppress(BudgetSpentError):
                step()

    def conclude(self, facts: Facts, still: Callable[[int], bool]) -> None:
        """Say of waits whose threads wake up in between whether they lasted, now that the watch has
        ended; *still*: whether a thread never ran meanwhile."""
        tasks = self._tasks
        take_back_what_moved(self._pid, facts, still, tasks.gone_on, tasks.stacks)
        for one in (self._ray, self._loaders):
            with suppress(BudgetSpentError):
                one.conclude(facts)

    def _steps(
        self, facts: Facts, asleep: Mapping[int, BlockedThread]
    ) -> Iterator[Callable[[], None]]:
        pid, python, tasks = self._pid, self._python, self._tasks
        yield lambda: ExecutorResolver(pid, python).add(facts)
        if databases.may_wait(python.objects.memory.mappings, asleep):
            yield lambda: add_uses(pid, python, facts)
        yield lambda: WakerResolver(pid, python, tasks.gone_on, tasks.timers).add(
            facts, tasks.stacks, tasks.others, tasks.failed
        )
        yield lambda: PoolResolver(pid, python, tasks.woken).add(
            facts, tasks.suspended, asleep, tasks.stand_ins
        )
        yield lambda: PolledConditions(pid, python).add(facts, tasks.suspended, asleep)
        yield lambda: _add_handled(pid, python, tasks, facts)
        yield lambda: WorkerQueues(pid, python).add(facts)
        yield lambda: LookingLoops(pid, python).add(facts, tasks.suspended)
        yield lambda: add_dispatched(pid, python, tasks.suspended, facts)
        yield lambda: add_entered_twice(pid, python, tasks.suspended, facts)
        yield lambda: RetriedCalls(pid, python).add(facts, tasks.suspended, asleep)
        yield lambda: self._ray.add(facts)
        yield lambda: add_actor_pools(pid, python, facts)
        yield lambda: add_tuners(pid, python, facts)
        yield lambda: add_engines(pid, python, facts)
        yield lambda: add_resumers(pid, python, tasks.suspended, facts)
        yield lambda: self._loaders.add(facts)
        yield lambda: add_remote_calls(pid, python, facts)
        yield lambda: add_rpc_worker(pid, python, facts)
        yield lambda: JoiningResolver(pid, python).add(facts)
        yield lambda: add_exchanges(pid, python, facts)
        yield lambda: add_store_keys(pid, python, facts)
        yield lambda: add_senders(pid, python, facts)
        yield lambda: add_collected(pid, python, facts)
        yield lambda: EndedKeepers(pid, python).add(facts)


def _add_handled(pid: int, python: PythonReader, tasks: TaskResolver, facts: Facts) -> None:
    facts.handled += (one.by(thread_id(pid, tid)) for tid, one in python.handled.by_thread.items())
    for node, frames in islice(tasks.suspended.items(), _MOST_TASKS):
        if one := python.handled.of_task(frames):
            facts.handled.append(one.by(node))
