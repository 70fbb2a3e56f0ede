"""Event loops of asyncio: which thread runs them, whether they are idle, which timers they have."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field

from hangtui.backends.cpython.aio.buffered import BufferedStreams
from hangtui.backends.cpython.aio.clocks import never_due
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.aio.libuv import Libuv
from hangtui.backends.cpython.aio.listeners import Listeners
from hangtui.backends.cpython.aio.loop_timers import LoopTimers, Timer
from hangtui.backends.cpython.aio.nested import NESTED
from hangtui.backends.cpython.aio.protocols import Protocols
from hangtui.backends.cpython.aio.transports import handles
from hangtui.backends.cpython.aio.upkeep import Upkeep
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import LoopState, clean

_MOST_WATCHED = 256
"""Files of one loop that are looked at one by one."""
_MOST_BYTES = 1024
"""Of an object that is written in C: uvloop's loop has a large buffer behind its fields."""


@dataclass(frozen=True, slots=True)
class Loop:
    """An event loop."""

    address: int
    type_name: str
    state: LoopState
    tid: int | None = None
    timed: Mapping[int, float] | None = field(default_factory=dict)
    """Objects that a pending timer reaches, with the time of ``time.monotonic`` when it does.
    None: this loop keeps its timers where they are not read."""
    timers: int | None = None
    watched: int | None = None
    signal_handlers: int | None = None
    queued: tuple[int, ...] = ()
    """Callbacks that are to be called next."""
    library: str = "asyncio"
    """Whose loop it is."""
    accepting: int | None = None
    """Of what it watches, the sockets of servers."""
    stopped_clock: str | None = None
    """The package that has stopped the clock by which its timers would come due."""
    buffered: int | None = None
    """Of what it watches, streams at which nobody waits."""
    upkeep: int | None = None
    """Of its timers, those by which a library looks after connections that rest."""
    due: float | None = None
    """When the first of its other timers fires, by ``time.monotonic()``."""
    listeners: tuple[str, ...] = ()
    """The objects of packages that it calls, without a transport, when something comes."""
    protocols: tuple[str, ...] | None = None
    """The classes of those to which it gives what comes over open connections."""
    owes: tuple[str, ...] = ()
    """What a server of it was asked for, and no task has in hand."""
    calls: tuple[tuple[float, int], ...] = ()
    """When its other timers fire, by ``time.monotonic()``, and what they call."""


class Loops:
    """Reads the event loops of one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        stacks: Mapping[int, tuple[Frame, ...]],
        idents: Mapping[int, int],
        stopped_clock: str | None = None,
    ) -> None:
        self._stopped_clock = stopped_clock
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._stacks = stacks
        self._idents = idents
        self._timers = LoopTimers(objects, containers)
        self._libuv = Libuv(objects)
        self._streams = BufferedStreams(objects, containers)
        self._upkeep = Upkeep(objects, containers)
        self._listeners = Listeners(objects, containers)
        self._protocols = Protocols(objects, containers)

    def running(self) -> list[int]:
        """The loops that ``run_forever`` frames of threads run."""
        found = (
            self._frames.variables(frame).get("self", 0)
            for frames in self._stacks.values()
            for frame in frames
            if runs(frame, "run_forever", "/asyncio/base_events.py")
        )
        return [loop for loop in found if loop]

    def read(self, address: int, by_thread: Callable[[], Mapping[int, int]]) -> Loop:
        """The loop at *address*; *by_thread*: finds TIDs by loop, as far as threads record it."""
        attributes = self._objects.attributes(address)
        ident = self._containers.integer(attributes.get("_thread_id", 0))
        tid = self._idents.get(ident) if ident is not None else None
        if tid is None and "_thread_id" not in attributes:
            tid = self._user_of(address) or by_thread().get(address)
        timers, queue = self._timers.pending(attributes), attributes.get("_ready", 0)
        watched = self._watched(attributes)
        handlers = self._size(attributes.get("_signal_handlers", 0))
        handles = self._libuv.handles(address) if timers is None else None
        if handles is not None:
            timers, watched, handlers = handles.timers, handles.watched, handles.signal_handlers
        ending = [when for when, called in timers or () if not self._upkeep.is_one(called)]
        return Loop(
            address,
            self._type_name(address),
            self._state(tid),
            tid,
            dict(self._timers.reached(timers)) if timers is not None else None,
            None if timers is None else len(timers),
            watched,
            handlers,
            tuple(self._queued(attributes) if queue else self._queued_in_c(address)),
            accepting=self._counted(attributes, self._accepts),
            stopped_clock=self._stopped(timers),
            buffered=self._counted(attributes, self._streams.keeps, reads_only=True),
            upkeep=len(timers or ()) - len(ending),
            due=min(ending, default=None),
            listeners=self._listeners.names(attributes),
            protocols=self._protocols.names(attributes),
            calls=tuple((when, called[0]) for when, called in timers or () if called),
        )

    def _stopped(self, timers: Sequence[Timer] | None) -> str | None:
        due = [when for when, _ in timers or ()]
        return self._stopped_clock if never_due(due, time.monotonic()) else None

    def _type_name(self, address: int) -> str:
        try:
            return clean(self._objects.qualified_type(address), 100)
        except MemoryReadError:
            return "event loop"

    def _state(self, tid: int | None) -> LoopState:
        frames = self._stacks.get(tid, ()) if tid is not None else ()
        if tid is None:
            return LoopState.STOPPED
        if not frames:
            return LoopState.BUSY
        selects = runs(frames[0], "select", "/selectors.py") and len(frames) > 1
        if selects and runs(frames[1], "_run_once", ("/asyncio/base_events.py", NESTED)):
            return LoopState.IDLE
        idle = _runs_it(frames[0]) or _completes(frames)
        return LoopState.IDLE if idle else LoopState.BUSY

    def _user_of(self, address: int) -> int | None:
        """The thread that has the loop in a variable of a frame of ``asyncio.run``."""
        for tid, frames in self._stacks.items():
            for frame in frames:
                if frame.code.filename.endswith("/asyncio/runners.py"):
                    variables = self._frames.variables(frame)
                    runner = self._objects.attributes(variables.get("self", 0))
                    if address in (variables.get("loop"), runner.get("_loop")):
                        return tid
        return None

    def _queued(self, attributes: Mapping[str, int]) -> Iterator[int]:
        try:
            handles = self._containers.sequence(attributes.get("_ready", 0))
        except MemoryReadError:
            return
        for handle in handles:
            callback = self._containers.slots(handle).get("_callback")
            if callback:
                yield callback

    def _queued_in_c(self, address: int) -> Iterator[int]:
        """The same of a loop that is written in C, as uvloop's: somewhere in it is a deque of
        handles, and somewhere in each of these the callback."""
        try:
            deques = self._words_of(address, {"collections.deque"})
            for handle in [one for deque in deques for one in self._containers.sequence(deque)]:
                yield from self._words_of(handle, {"function", "method"})
        except MemoryReadError:
            return

    def _words_of(self, address: int, kinds: Collection[str]) -> list[int]:
        """The objects of these kinds that the fields of an object refer to."""
        size = self._objects.basic_size(address)
        words = self._objects.memory.words(address, min(max(size, 0), _MOST_BYTES) // 8)
        self._objects.memory.spent.objects(len(words))
        return [word for word in dict.fromkeys(words) if self._objects.kind(word) in kinds]

    def _watched(self, attributes: Mapping[str, int]) -> int | None:
        selector = self._objects.attributes(attributes.get("_selector", 0))
        keys = self._size(selector.get("_fd_to_key", 0))
        own = self._containers.integer(attributes.get("_internal_fds", 0))
        return None if keys is None else max(0, keys - (own or 0))

    def _counted(
        self,
        attributes: Mapping[str, int],
        counts: Callable[[int], bool],
        *,
        reads_only: bool = False,
    ) -> int | None:
        """Of how many files in its selector the handles that read *counts*: sockets of servers,
        say. *reads_only*: without those that are to be written to as well."""
        selector = self._objects.attributes(attributes.get("_selector", 0))
        registered = selector.get("_fd_to_key", 0)
        if (self._size(registered) or 0) > _MOST_WATCHED:
            return None
        try:
            handles = [self._handles(key) for _, key in self._objects.items(registered)]
        except MemoryReadError:
            return None
        return sum(counts(reader) for reader, writes in handles if not (reads_only and writes))

    def _accepts(self, handle: int) -> bool:
        """Whether it calls what accepts connections. What tornado calls for a file, it has in a
        table of its own."""
        fields = self._containers.slots(handle)
        callback = fields.get("_callback", 0)
        if self._objects.function_name(callback) == "_accept_connection":
            return True
        table = self._objects.attributes(self._objects.bound_to(callback)).get("handlers", 0)
        number = (*self._containers.sequence(fields.get("_args", 0)), 0)[0]
        if self._objects.kind(table) != "dict" or (self._size(table) or 0) > _MOST_WATCHED:
            return False
        wanted = self._containers.integer(number)
        for key, entry in self._objects.items(table):
            if wanted is not None and self._containers.integer(key) == wanted:
                _, handler = (*self._containers.sequence(entry), 0, 0)[:2]
                return self._objects.function_name(handler) == "accept_handler"
        return False

    def _handles(self, key: int) -> tuple[int, bool]:
        """The handle to call when a file can be read from, of a `selectors.SelectorKey`, and
        whether there is another one for when it can be written to."""
        reader, writer = (*handles(self._objects, self._containers, key), 0, 0)[:2]
        return reader, self._objects.kind(writer) not in (None, "NoneType")

    def _size(self, dictionary: int) -> int | None:
        try:
            return self._containers.dict_size(dictionary)
        except MemoryReadError:
            return None


def _runs_it(frame: Frame) -> bool:
    """Whether a thread that runs a loop is in none of its callbacks: a loop that is written in C
    has no frame of its own, and what called it is the innermost."""
    code = frame.code
    called = code.filename.endswith("/asyncio/runners.py") or "run_forever" in code.names
    return called or runs(frame, "run", "/threading.py")


def _completes(frames: Sequence[Frame]) -> bool:
    """Whether the innermost frame alone calls ``run_until_complete()``, of a loop in C."""
    calls = ["run_until_complete" in frame.code.names for frame in frames]
    return calls[0] and sum(calls) == 1
