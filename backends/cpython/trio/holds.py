"""Who has the locks of trio that are waited for: each records the task that has it."""

from collections.abc import Iterable, Iterator, Mapping

from hangtui.backends.cpython.aio.locks import TaskHold
from hangtui.backends.cpython.aio.tasks import TaskReading
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import Certainty, NodeKind


class Holds:
    """Reads them in one interpreter."""

    def __init__(self, fields: Fields, blocks: WithBlocks) -> None:
        self._fields = fields
        self._blocks = blocks

    def of(self, tasks: Mapping[int, TaskReading]) -> Iterator[TaskHold]:
        """The hold of each lock that one of *tasks* waits for."""
        wanted = {
            task.awaited.address: task.awaited
            for task in tasks.values()
            if task.awaited is not None and task.awaited.kind is NodeKind.LOCK
        }
        for lock, awaited in wanted.items():
            owner = self._fields.of(lock, "_owner") or self._by_number(lock)
            if owner not in tasks:
                continue
            text = f"{awaited.type_name} records it as its owner"
            where = self._taken(tasks[owner], (lock, awaited.object))
            kind, certainty = NodeKind.LOCK, Certainty.CERTAIN
            yield TaskHold(lock, kind, awaited.type_name, owner, certainty, text, where)

    def _by_number(self, lock: int) -> int:
        """The owner of a lock of anyio's own, which has the ``id`` of the task."""
        place = self._fields.path(lock, "_owner_task", "id")
        return self._fields.containers.integer(place) or 0

    def _taken(self, task: TaskReading, managers: Iterable[int]) -> str | None:
        """``file:line`` of the ``async with`` that took it; None: something else did."""
        for frame in task.frames:
            try:
                with foreign_data():
                    blocks = self._blocks.of(frame)
            except DamagedDataError:
                continue
            for block in blocks:
                if block.manager in managers:
                    name = frame.code.filename.rsplit("/", 1)[-1]
                    return f"{name}:{block.line or frame.line}"
        return None
