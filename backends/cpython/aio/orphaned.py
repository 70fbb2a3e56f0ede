"""Locks that record their owner, and whose owner is a task that has ended: only that one could
release them, and it does nothing any more."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.aio.lock_states import LockStates
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import NodeKind


class Owners:
    """Looks for them in one process."""

    def __init__(self, objects: Objects, containers: Containers, futures: Futures) -> None:
        self._memory = objects.memory
        self._states = LockStates(objects, containers)
        self._futures = futures

    def orphaned(self, awaited: Iterable[Awaited | None]) -> Iterator[tuple[int, str]]:
        """The locks among what is *awaited* whose owner has ended, each with what that was called.

        Raises:
            BudgetSpentError: too many objects of this process were read.
        """
        waits = (one for one in awaited if one and one.kind is NodeKind.LOCK)
        locks = dict.fromkeys(one.address for one in waits)
        for lock in locks:
            with suppress(DamagedDataError), foreign_data():
                owner = self._states.owner(lock)
                if not owner or not self._futures.is_task(owner) or not self._futures.done(owner):
                    continue
                self._memory.forget()  # what a task owns that was done by then it owns for ever
                if self._states.owner(lock) == owner:
                    name = self._futures.name(owner)
                    yield lock, f"task {name}" if name else "a task"
