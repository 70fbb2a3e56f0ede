"""What every scheduler of tasks delivers, whatever its library: one reading for each of its loops.

A scheduler is a package of its own (`aio` for asyncio, `trio`); `task_facts` asks each in turn.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.facts import Facts
from hangtui.model import NodeId


class Scheduler(Protocol):
    """Reads the tasks of one process that one library switches between."""

    library: str
    """As it is imported."""

    def readings(self) -> Iterator[AsyncReading]:
        """The tasks, what they wait for and hold."""
        ...

    def join(self, facts: Facts, reading: AsyncReading) -> None:
        """Add where threads and the tasks of *reading* wait for each other."""
        ...

    def same(self, task: TaskReading) -> bool:
        """Whether a task that was read before waits now, at the same place, for the same thing."""
        ...

    @property
    def stand_ins(self) -> Mapping[int, NodeId]:
        """Objects that a limiter names as borrowers in somebody's place, by address."""
        ...

    @property
    def others(self) -> Sequence[Other]:
        """Objects whose methods end waits of the tasks, beside those that they wait for."""
        ...
