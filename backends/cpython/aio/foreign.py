"""What tasks of asyncio wait for in libraries that build on it: locks and queues of tornado, and
those of anyio where it runs on asyncio.

Their waits end in bare futures. Whose these are follows from the frame of the library that awaits
one, or, where the library hands out the future, from the object that has it among its waiters.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.aio.lock_states import LockStates
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.trio.channels import Channels, kept, open_ends
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.places import within
from hangtui.backends.cpython.wakers.sole import Sole
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Certainty, NodeKind

_ANYIO = "_backends/_asyncio.py"
_STREAMS = "streams/memory.py"
_ADAPTERS = "_core/_synchronization.py"
_ENDS = {"receive": ("an item of {}", "get"), "send": ("room in {}", "put")}
_TORNADO = {
    "Lock": (NodeKind.LOCK, "{}", "acquire"),
    "Semaphore": (NodeKind.SEMAPHORE, "a unit of {}", "acquire"),
    "Event": (NodeKind.EVENT, "{} to be set", "wait"),
    "Condition": (NodeKind.CONDITION, "a notify() of {}", "wait"),
}
"""Classes of tornado/locks.py; each keeps in ``_waiters`` the futures that it handed out, the lock
in the semaphore that it is made of."""
_QUEUES = (("_getters", "an item of {}", "get"), ("_putters", "room in {}", "put"))
"""Of tornado/queues.py."""
_FINISHED = "_finished"
"""The event of such a queue that its ``join()`` waits for."""
_NOTE = "nobody has it: anybody may end the wait"
_MAX_LOOKED = 200
"""Variables and their attributes that are looked through for what has a future."""


def left_of(containers: Containers, attributes: Mapping[str, int]) -> str:
    """For how many items ``task_done()`` is still to be called, as a queue of asyncio or tornado
    counts: ``, 1 is left``; empty: that cannot be read."""
    count = containers.integer(attributes.get("_unfinished_tasks", 0))
    return f", {count} {'is' if count == 1 else 'are'} left" if count else ""


class Foreign:
    """Recognises them for one interpreter."""

    def __init__(
        self, objects: Objects, frames: Frames, containers: Containers, futures: Futures
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._futures = futures
        self._fields = Fields(objects, frames, containers)
        self._states = LockStates(objects, containers)
        self._channels = Channels(self._fields)
        self._sole = Sole(objects)
        self._namespaces: dict[int, Mapping[str, int]] = {}

    def of(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        """What the task with these frames waits for by *future*; None: nothing of these.

        Raises:
            MemoryReadError: what it waits for cannot be read.
        """
        if not frames:
            return None
        if within(frames[0], "anyio") == _ANYIO:
            return self._anyio(frames)
        return self._tornado(frames, future) or self._recording(frames[0], future)

    def behind_event(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """What the caller of ``asyncio.Event.wait`` waits for, if that is anyio: an event of its
        own, or a channel, which makes one for each wait. *frames*: from that method on."""
        if len(frames) < 2 or within(frames[1], "anyio") != _ANYIO:
            return None
        for frame in frames[2:4]:
            name = frame.code.bare_name
            if within(frame, "anyio") == _STREAMS and name in _ENDS:
                return self._stream(self._fields.self_of(frame), name, frames)
        event = self._fields.self_of(frames[1])
        if not self._fields.is_a(event, "Event", package="anyio"):
            return None
        found = self._resource(NodeKind.EVENT, event, "{} to be set", "wait", _NOTE)
        outer = self._standing_for(event, frames[2:3])
        return replace(found, address=outer) if outer else found

    # -- anyio ----------------------------------------------------------------------------------

    def _anyio(self, frames: tuple[Frame, ...]) -> Awaited | None:
        frame, *callers = frames
        owner = self._fields.self_of(frame)
        if frame.code.bare_name == "acquire" and self._is_anyio(owner, "Lock"):
            found = self._resource(NodeKind.LOCK, owner, "{}", "acquire")
            return replace(found, object=self._standing_for(owner, callers[:1]))
        if frame.code.bare_name == "__aexit__" and self._is_anyio(owner, "TaskGroup"):
            tasks = self._containers.set_items(self._fields.of(owner, "_tasks"))
            text = "TaskGroup: it waits until all of its tasks are done"
            return Awaited(text, text, tasks=tuple(tasks), together=True)
        return None

    def _standing_for(self, inner: int, callers: Iterable[Frame]) -> int:
        """What the program has instead of *inner* where it made that before any event loop ran
        (4.10 on); 0: it has that itself. *callers*: of its method."""
        for frame in callers:
            if within(frame, "anyio") == _ADAPTERS:
                outer = self._fields.self_of(frame)
                if inner in self._containers.slots(outer).values():
                    return outer
        return 0

    def _is_anyio(self, owner: int, name: str) -> bool:
        return self._fields.is_a(owner, name, package="anyio")

    def _stream(self, end: int, function: str, frames: tuple[Frame, ...]) -> Awaited | None:
        state = self._fields.of(end, "_state")
        if not state:
            return None
        text, operation = _ENDS[function]
        count = open_ends(self._fields, state, function)
        note = count[1] if count else _NOTE
        found = self._resource(NodeKind.QUEUE, end, text, operation, note)
        known = kept(self._fields, self._channels, state, function, frames)
        return replace(found, address=state, object=end, kept=known)

    def _recording(self, frame: Frame, future: int) -> Awaited | None:
        """A lock of another package, which keeps who waits for it and records who has it."""
        lock = self._fields.self_of(frame) if frame.installed else 0
        if not lock or not self._states.keeps(lock, future) or not self._states.owners(lock):
            return None
        return self._resource(NodeKind.LOCK, lock, "{}", "acquire")

    # -- tornado --------------------------------------------------------------------------------

    def _tornado(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        own = "/tornado/locks.py" in frames[0].code.filename
        values = [self._fields.self_of(frames[0])] if own else list(self._near(frames[0]))
        for value in values:
            found = self._waiting(value, future)
            if found is not None:
                return found
        # An event in no variable is still what its own callback takes the future out of.
        for callback in self._futures.callbacks(future):
            event = self._containers.closure(callback).get("self", 0)
            found = self._waiting(event, future) if event else None
            if found is not None:
                return replace(found, unshared=self._sole.in_closure(callback, event))
        return None

    def _near(self, frame: Frame) -> Iterator[int]:
        """Objects of tornado's in variables of a frame, in globals that its code names, or in
        attributes of these."""
        looked = 0
        known = self._globals(frame.namespace)
        named = [known[name] for name in frame.code.names if name in known]
        for value in (*self._frames.variables(frame).values(), *named):
            for one in (value, *self._objects.attributes(value).values()):
                looked += 1
                if looked > _MAX_LOOKED:
                    return
                if self._fields.is_a(one, *_TORNADO, "Queue", package="tornado"):
                    yield one

    def _globals(self, namespace: int) -> Mapping[str, int]:
        """The globals of a module, by name."""
        if namespace not in self._namespaces:
            try:
                self._namespaces[namespace] = self._objects.named(namespace)
            except MemoryReadError:
                self._namespaces[namespace] = {}
        return self._namespaces[namespace]

    def _waiting(self, owner: int, future: int) -> Awaited | None:
        """The wait for *owner* if *future* is among those that it has handed out."""
        attributes = self._objects.attributes(owner)
        block = attributes.get("_block", 0)
        waiters = (self._objects.attributes(block) if block else attributes).get("_waiters", 0)
        for name, (kind, text, operation) in _TORNADO.items():
            is_one = self._fields.is_a(owner, name, package="tornado")
            if is_one and future in self._members(waiters):
                note = None if kind is NodeKind.LOCK else _NOTE
                return self._resource(kind, owner, text, operation, note)
        finished = attributes.get(_FINISHED, 0)
        if finished and self._waiting(finished, future) is not None:
            text = f"task_done() for every item of {{}}{left_of(self._containers, attributes)}"
            return self._resource(NodeKind.QUEUE, owner, text, "join", _NOTE)
        for name, text, operation in _QUEUES:
            if future in self._members(attributes.get(name, 0)):
                return self._resource(NodeKind.QUEUE, owner, text, operation, _NOTE)
        return None

    def _members(self, address: int) -> list[int]:
        """The futures in a set or a deque, which may stand in pairs with items."""
        if self._objects.kind(address) == "set":
            return self._containers.set_items(address)
        if self._objects.kind(address) != "collections.deque":
            return []
        found = self._containers.sequence(address)
        pairs = (self._objects.tuple_items(e) for e in found if self._objects.kind(e) == "tuple")
        return [*found, *(one for pair in pairs for one in pair)]

    def _resource(
        self, kind: NodeKind, owner: int, text: str, operation: str, note: str | None = None
    ) -> Awaited:
        return Awaited(
            text,
            f"the future that the task waits for is of its {operation}()",
            kind,
            owner,
            self._containers.type_title(owner),
            certainty=Certainty.PROVEN,
            note=note,
            operation=operation,
        )
