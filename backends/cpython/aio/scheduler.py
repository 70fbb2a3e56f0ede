"""asyncio as one of the schedulers, and where its tasks and threads wait for each other."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from hangtui.backends.cpython.aio.bridges import Bridges
from hangtui.backends.cpython.aio.near_ends import NearEnds
from hangtui.backends.cpython.aio.stream_ends import StreamEnds
from hangtui.backends.cpython.aio.sync_calls import SyncCalls
from hangtui.backends.cpython.aio.tasks import AsyncReader, AsyncReading, TaskReading
from hangtui.backends.cpython.asks import ask
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.trio.channels import Channels, other_ends
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.facts import Facts
from hangtui.model import Hold, NodeId, NodeKind, NoHolder, label_of, resource_id, thread_id

_FUTURE = "concurrent.futures.Future"


class AsyncioScheduler:
    """Reads the tasks of asyncio in one process."""

    library = "asyncio"
    stand_ins: Mapping[int, NodeId] = MappingProxyType({})

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self.others: list[Other] = []
        """The other ends of anyio's channels and of streams, of the tasks that were joined last."""
        self._reader = AsyncReader(python)
        futures, containers = self._reader.futures, self._reader.containers
        self._bridges = Bridges(pid, python, futures, containers)
        self._sync_calls = SyncCalls(pid, python)
        fields = Fields(python.objects, python.frames, containers)
        self._channels = Channels(fields)
        self._stream_ends = StreamEnds(pid, fields)
        self._near_ends = NearEnds(pid, python, fields, self._stream_ends)

    def readings(self) -> Iterator[AsyncReading]:
        """One for each interpreter that uses asyncio."""
        return self._reader.readings()

    def join(self, facts: Facts, reading: AsyncReading) -> None:
        """Who sets the futures that lie between threads and tasks.

        What is proven of a future replaces what was supposed of it.
        """
        waits = [one.awaited for one in reading.tasks.values() if one.awaited is not None]
        stacks = (*(task.frames for task in reading.tasks.values()), *self._python.stacks.values())
        streams = [one for one in waits if one.object not in (0, one.address)]
        self.others = list(other_ends(self._pid, self._channels, streams, stacks))
        for one in self._stream_ends.waits(reading.tasks.values(), stacks):
            facts.waits.append(one.wait)
            facts.resources.setdefault(one.resource.id, one.resource)
            self.others += one.others
        self._add_near_ends(facts, reading)
        awaited = {wait.target for wait in facts.waits}
        futures = [
            node.address
            for node in awaited
            if node.kind is NodeKind.FUTURE and node.pid == self._pid and node.address is not None
        ]
        found = list(self._bridges.setters(reading, futures))
        proven = {hold.resource for hold in found}
        facts.holds[:] = [hold for hold in facts.holds if hold.resource not in proven]
        known = {(hold.resource, hold.holder) for hold in facts.holds}
        for call in self._sync_calls.of(reading):
            event = resource_id(NodeKind.EVENT, self._pid, call.event)
            ask(facts, call.tid, event, call.function, call.call, call.answer, expires=call.expires)
        found += [one for one in self._bridges.workers(reading) if one.resource not in proven]
        self._name_futures(facts, found)
        self._name_given_to_nobody(facts)
        facts.holds += [hold for hold in found if (hold.resource, hold.holder) not in known]

    def _add_near_ends(self, facts: Facts, reading: AsyncReading) -> None:
        """Who has the other ends of connections of libraries, instead of the futures and queues
        that lie beside those."""
        sockets = {one.waiter for one in facts.waits if one.target.kind is NodeKind.SOCKET}
        targets = {one.waiter: one.target for one in facts.waits}
        for near in list(self._near_ends.waits(reading, sockets, targets)):
            gone = near.wait.waiter, near.replaces
            facts.waits[:] = [one for one in facts.waits if (one.waiter, one.target) != gone]
            facts.waits.append(near.wait)
            facts.resources.setdefault(near.resource.id, near.resource)
            facts.holds += near.holds

    def same(self, task: TaskReading) -> bool:
        """Whether a task that was read before waits now, at the same place, for the same thing."""
        return self._reader.same(task)

    def _name_futures(self, facts: Facts, setters: list[Hold]) -> None:
        """Call a future that no variable names by the task or function whose result it is for."""
        functions = {task.id: task.function for task in facts.tasks if task.pid == self._pid}
        for hold in setters:
            known, function = facts.resources.get(hold.resource), functions.get(hold.holder)
            called = self._bridges.called.get(hold.resource)
            name = f"result of {called}()" if called else function and f"future of {function}"
            if known and name and known.name is None and known.type_name == _FUTURE:
                label = label_of(name, _FUTURE)
                facts.resources[known.id] = replace(known, label=label, name=name)

    def _name_given_to_nobody(self, facts: Facts) -> None:
        """Call a future or an event that nobody is known to set by the coroutine that lies in an
        event loop which no thread runs."""
        threads = {thread_id(self._pid, tid): stack for tid, stack in self._python.stacks.items()}
        held = {hold.resource for hold in facts.holds}
        for wait in facts.waits:
            known, stack = facts.resources.get(wait.target), threads.get(wait.waiter)
            if known is None or stack is None or known.id in held:
                continue
            if known.type_name != _FUTURE and known.kind is not NodeKind.EVENT:
                continue
            if coroutine := self._bridges.given_to_nobody(known.address, stack):
                what = "result" if known.type_name == _FUTURE else "event"
                name = f"{what} of {coroutine}, given to an event loop that no thread runs"
                label = label_of(name, known.type_name or what)
                named = replace(known, label=label, name=name, no_holder=NoHolder.UNRUN)
                facts.resources[known.id] = named
