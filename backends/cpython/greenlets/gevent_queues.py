"""Queues and channels of gevent: who waits at which end of them."""

from collections.abc import Iterator

from hangtui.backends.cpython.greenlets.awaited import Awaited
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeKind, clean

_BASIC = "type.tp_basicsize"
_QUEUES = (48, 56)
"""Where a queue has its getters, by version; the putters follow."""
_JOINED, _UNFINISHED = 32, 40
"""Behind them: the event that a queue sets once all its items are done, and how many are not."""
_CHANNEL = 32
"""Where a channel has its getters; the putters follow, each with its item."""


class QueueReader:
    """Reads them; *joined*: by the event that tells that a queue is done, that queue, and how many
    of its items are not."""

    def __init__(self, objects: Objects, members: Members) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._members = members
        self.joined: dict[int, tuple[int, int]] = {}

    def title(self, queue: int) -> str:
        """``gevent.queue.Queue``."""
        return f"gevent.queue.{clean(self._objects.type_name(queue), 100).rpartition('.')[2]}"

    def of_queue(self, address: int) -> Iterator[tuple[int, Awaited]]:
        """What keeps those who wait, and what they wait for.

        Raises:
            MemoryReadError: it cannot be read.
        """
        if self._members.compiled(address):
            at = next((at for at in _QUEUES if self._is_deque(address + at)), 0)
            if not at:
                raise MemoryReadError("a queue of an unknown kind")
            getters, putters = self._memory.words(address + at, 2)
            self._joinable(address, at)
        else:
            fields = self._members.all(address)
            getters, putters = fields.get("getters", 0), fields.get("putters", 0)
            unfinished = fields.get("unfinished_tasks", 0)
            known = self._objects.kind(unfinished) == "int"
            count = self._objects.integer(unfinished) if known else 0
            self.joined[fields.get("_cond", 0)] = address, count
        yield getters, self._awaited(address, "get", "an item of {}")
        yield putters, self._awaited(address, "put", "room in {}")

    def of_channel(self, address: int) -> Iterator[tuple[int, Awaited]]:
        """The same of a channel, which has room for nothing.

        Raises:
            MemoryReadError: it cannot be read.
        """
        getters = self._members.reference(address, "getters", _CHANNEL)
        putters = self._members.reference(address, "putters", _CHANNEL + 8)
        yield getters, self._awaited(address, "get", "an item of {}", "Channel")
        yield putters, self._awaited(address, "put", "somebody to take an item of {}", "Channel")

    def offered(self, entry: int) -> int:
        """The waiter of an item that somebody wants to get rid of; 0: it is no such entry."""
        item = self._objects.tuple_items(entry) if self._objects.kind(entry) == "tuple" else ()
        return item[-1] if item else 0

    def _joinable(self, address: int, at: int) -> None:
        """Of a queue whose items are to be reported done (gevent/_queue.pxd)."""
        size = self._memory.u64(self._objects.type_of(address) + self._objects.layout[_BASIC])
        if size < at + _UNFINISHED + 4:
            return
        done = self._memory.u64(address + at + _JOINED)
        if self._objects.kind(done) == "gevent._gevent_cevent.Event":
            self.joined[done] = address, self._memory.i32(address + at + _UNFINISHED)

    def _is_deque(self, field: int) -> bool:
        return self._objects.kind(self._memory.u64(field)) == "collections.deque"

    def _awaited(self, address: int, method: str, text: str, of: str = "Queue") -> Awaited:
        what = text.removesuffix(" of {}").removesuffix(" in {}")
        return Awaited(
            text,
            f"the queue has it among those who wait for {what}",
            NodeKind.QUEUE,
            address,
            address,
            self.title(address),
            note="a queue has no owner: anybody may put or get",
            operation=method,
            call=f"{of}.{method}",
        )
