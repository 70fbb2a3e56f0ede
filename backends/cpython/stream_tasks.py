"""Which tasks of a process wait for the other ends of connections, and which have one in hand, for
those who relate it to other processes."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.stream_ends import StreamEnds
from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.aio.transport_users import TO_A_PIPE, TransportUsers, innermost
from hangtui.backends.cpython.aio.transports import connections, paused, pipes, protocol_name
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.ipc.peer import TaskStream
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import NodeId, task_id


class StreamTasks:
    """Those of asyncio, of one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        containers = Containers(python.objects, python.codes)
        self._pid = pid
        self._fields = Fields(python.objects, python.frames, containers)
        self._ends = StreamEnds(pid, self._fields)
        self._users = TransportUsers(python, self._fields)
        self._tasks: list[tuple[TaskReading, int | None]] = []
        self._loops: list[int] = []

    def add(self, reading: AsyncReading) -> None:
        """Take notice of the tasks of one interpreter."""
        self._loops += reading.loops
        tids = {loop.address: loop.tid for loop in reading.loops.values()}
        self._tasks += ((one, tids.get(one.raw.loop)) for one in reading.tasks.values())

    def waits(self) -> Sequence[TaskStream]:
        """Those of all tasks that were added. Never raises."""
        return self._waits

    @cached_property
    def _waits(self) -> Sequence[TaskStream]:
        found: list[TaskStream] = []
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            for task, tid in self._tasks:
                awaited = task.awaited
                transport = (awaited.transport or awaited.connection) if awaited else 0
                if awaited is None or not transport or tid is None:
                    continue
                beside = not awaited.transport
                fd = self._ends.descriptor(transport)
                if fd is not None:
                    operation = "receive" if beside else awaited.operation or ""
                    node = task_id(self._pid, task.address)
                    known = awaited.expires, awaited.text, task.place, beside
                    found.append(TaskStream(node, tid, fd, operation, *known))
        return found

    def paused(self) -> Mapping[int, str]:
        """The descriptors of connections that are not read from for now, each with the type of its
        protocol. Never raises."""
        return self._paused

    @cached_property
    def _paused(self) -> Mapping[int, str]:
        found: dict[int, str] = {}
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            found.update(paused(self._fields, self._loops))
        return found

    def hearers(self, descriptors: Collection[int]) -> Mapping[int, str]:
        """``slixmpp's ClientXMPP``: the protocols to which event loops give what comes at these,
        except for those of the standard library. Never raises."""
        found: dict[int, str] = {}
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            for fd, transport in connections(self._fields, self._loops):
                if fd in descriptors and (name := protocol_name(self._fields, transport)):
                    found[fd] = name
        return found

    def users(self, descriptors: Collection[int]) -> frozenset[NodeId]:
        """The tasks that have one of *descriptors* in hand. Never raises."""
        found: set[NodeId] = set()
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            fields, loops = self._fields, self._loops
            tasks = [task for task, _ in self._tasks]
            here = {one for fd, one in connections(fields, loops) if fd in descriptors}
            of_children = {one for fd, one in pipes(fields, loops) if fd in descriptors} - here
            read = {one: self._users.reading(one, tasks) for one in of_children}
            others = {one for one, those in read.items() if not those}
            for users in (
                self._users.of(here, tasks),
                read,
                self._users.of(others, tasks, TO_A_PIPE),
            ):
                for those in users.values():
                    found |= {task_id(self._pid, one.address) for one in innermost(those)}
        return frozenset(found)
