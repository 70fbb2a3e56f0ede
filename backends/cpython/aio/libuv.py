"""The handles of a loop of uvloop, as libuv keeps them: its timers, and what it watches.

A Cython class has no member descriptors, so neither names nor offsets of its fields can be read;
libuv's own structures have been the same since its first release (include/uv.h, 64 bits), and each
handle names its loop, by which a layout that differs is noticed.
"""

import re
from collections.abc import Iterator

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

_MAX_HANDLES = 20_000
_TRANSPORT = re.compile(r"(?:uvloop\.loop\.)?(?:TCP|Unix|ReadUnix|WriteUnix)Transport\Z")
_MOST_FDS = 1 << 20
_UV_LOOP = 24
"""``Loop.uvloop``: its first field, behind the object's head and the table of its methods."""
_HANDLE_QUEUE = 16
"""uv_loop_t.handle_queue: the ring of all handles."""
_DATA, _LOOP, _TYPE, _NODE, _FLAGS = 0, 8, 16, 32, 88
"""Of uv_handle_t: what Python object it belongs to, its loop, its kind, its place in the ring."""
_DUE = 128
"""uv_timer_t.timeout: milliseconds of CLOCK_MONOTONIC."""
_ACTIVE, _CLOSING = 0x4, 0x1
"""UV_HANDLE_ACTIVE, UV_HANDLE_CLOSING (src/uv-common.h)."""
_TIMER = 13
_WATCHING = frozenset({3, 4, 7, 8, 10, 12, 14, 15})
"""uv_handle_type of what is outside: file events, pipes, polled files, processes, TCP, terminals,
UDP (UV_HANDLE_TYPE_MAP). Not those that serve the loop itself: async, check, idle, prepare."""
_WORDS = 64
"""How many words of an object of uvloop's are looked through; of a loop these are all fields before
its buffer."""
_STREAMS = frozenset({7, 12, 14})
"""Pipes, TCP, terminals: handles that are streams."""
_FD = 184
"""uv_stream_t.io_watcher.fd, behind the fields of the handle and of the stream."""
_FIRST_FIELDS = 12
"""The words of a transport of uvloop's among which its handle is."""
_SOCKETS = frozenset({"socket", "socket.socket", "_socket.socket"})


@dataclass(frozen=True, slots=True)
class Handles:
    """What a loop has to wait for."""

    timers: tuple[tuple[float, tuple[int, ...]], ...]
    """When each fires, by ``time.monotonic()``, with its callback and the arguments of that."""
    watched: int
    """Without the pair of sockets by which signals wake the loop."""
    signal_handlers: int


class Libuv:
    """Reads the handles of loops of one interpreter."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._memory = objects.memory

    def handles(self, loop: int) -> Handles | None:
        """Those of the loop at *loop*; None: it is not one of uvloop's, or lies as none known.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        try:
            if self._objects.basic_size(loop) < _UV_LOOP + 8:
                return None
            found = list(self._ring(self._memory.u64(loop + _UV_LOOP)))
            timers = [one for one in found if self._kind(one) == _TIMER]
            calls = tuple((self._due(one), tuple(self._mentioned(one))) for one in timers)
            watched = sum(self._kind(one) in _WATCHING for one in found)
            fields = self._fields(loop)
            own = any(self._objects.kind(one) in _SOCKETS for one in fields)
            handlers = sum(self._handlers(one) for one in fields)
        except MemoryReadError:
            return None
        return Handles(calls, max(0, watched - own), handlers)

    def is_transport(self, address: int) -> bool:
        """Whether it is a transport of uvloop's."""
        return _TRANSPORT.match(self._objects.kind(address) or "") is not None

    def descriptor(self, transport: int) -> int | None:
        """Of a connection of uvloop's; None: it is none, is closed, or lies as none known."""
        if not self.is_transport(transport):
            return None
        try:
            size = min(max(self._objects.basic_size(transport), 0) // 8, _FIRST_FIELDS)
            for handle in self._memory.words(transport, size)[2:]:
                if self._is_stream(handle, transport):
                    number: int = self._memory.u32(handle + _FD)
                    return number if number <= _MOST_FDS else None
        except MemoryReadError:
            return None
        return None

    def _is_stream(self, handle: int, transport: int) -> bool:
        try:
            owner = self._memory.u64(handle + _DATA) if handle % 8 == 0 and handle else 0
            return owner == transport and self._kind(handle) in _STREAMS
        except MemoryReadError:
            return False

    def _ring(self, loop: int) -> Iterator[int]:
        """The handles that are active.

        Raises:
            MemoryReadError: it is no ring of handles of this loop.
        """
        head = loop + _HANDLE_QUEUE
        node, before = self._memory.u64(head), head
        for _ in range(_MAX_HANDLES):
            self._memory.spent.objects(1)
            if self._memory.u64(node + 8) != before:
                break
            if node == head:
                return
            handle = node - _NODE
            if self._memory.u64(handle + _LOOP) != loop:
                break
            flags = self._memory.u32(handle + _FLAGS)
            if flags & _ACTIVE and not flags & _CLOSING:
                yield handle
            node, before = self._memory.u64(node), node
        raise MemoryReadError("no ring of handles of libuv's")

    def _kind(self, handle: int) -> int:
        return self._memory.u32(handle + _TYPE)

    def _due(self, handle: int) -> float:
        return self._memory.u64(handle + _DUE) / 1000

    def _mentioned(self, timer: int) -> Iterator[int]:
        """The callback of a timer and its arguments: fields of the TimerHandle that it is for."""
        for context in self._fields(self._memory.u64(timer + _DATA)):
            if self._name(context) != "TimerHandle":
                continue
            for value in self._fields(context):
                if self._objects.kind(value) == "tuple":
                    yield from self._objects.tuple_items(value)
                else:
                    yield value

    def _handlers(self, field: int) -> int:
        """How many handlers of signals a field of a loop has: a dict of them by number."""
        if self._objects.kind(field) != "dict":
            return 0
        values = (value for _, value in self._objects.items(field))
        return sum(self._name(value) == "Handle" for value in values)

    def _name(self, address: int) -> str:
        """The class of an object, without its module, which a type of C code has in its name."""
        return (self._objects.kind(address) or "").rpartition(".")[2]

    def _fields(self, address: int) -> list[int]:
        """The objects that an object of C refers to in one of its words."""
        if self._objects.kind(address) is None:
            return []
        size = min(max(self._objects.basic_size(address), 0) // 8, _WORDS)
        words = self._memory.words(address, size)[2:]
        return [word for word in dict.fromkeys(words) if self._objects.kind(word) is not None]
