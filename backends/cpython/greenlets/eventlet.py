"""eventlet: what wakes its greenlets, by the attributes of its objects, which are all of Python."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.greenlets.awaited import Awaited, Hub, Scheduled, waits_for_done
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import NodeKind, clean

_BASES = (
    ("eventlet.semaphore", "Semaphore", "eventlet-semaphore"),
    ("eventlet.event", "Event", "eventlet-event"),
    ("eventlet.queue", "LightQueue", "eventlet-queue"),
    ("eventlet.hubs.hub", "BaseHub", "eventlet-hub"),
    ("eventlet.greenthread", "GreenThread", "eventlet-thread"),
    ("threading", "_RLock", "rlock"),
)
_UNSENT = "NOT_USED"
"""The class of what stands for the result of an event that nobody has sent yet."""
_HEAPS = ("timers", "next_timers")
_BROUGHT = "what threads of eventlet.tpool bring"
_RECORDED = "the {} has it among those to be told of it"


class Eventlet:
    """Reads the scheduler of eventlet; *module*: gives the globals of an imported module."""

    library = "eventlet"

    def __init__(
        self,
        objects: Objects,
        containers: Containers,
        locks: GreenletLocks,
        module: Callable[[str], Mapping[str, int]],
    ) -> None:
        self._objects = objects
        self._containers = containers
        self._locks = locks
        self._types: dict[int, str] = {}
        if module("eventlet.hubs.hub"):
            found = ((module(name).get(kind, 0), role) for name, kind, role in _BASES)
            self._types = {kind: role for kind, role in found if kind}
        self._waits: dict[int, list[Awaited]] = {}
        self._timed: dict[int, float] = {}
        self._module = module

    def bases(self) -> Mapping[int, str]:
        """The classes of eventlet; none if it is not imported."""
        return self._types

    def read(self, found: Mapping[str, list[int]]) -> Scheduled:
        """Who waits for what, by all that could wake one."""
        self._waits, self._timed = {}, {}
        blocks = {self._locks.block_of(one): one for one in found.get("rlock", ())}
        ends = {self._end(one): one for one in found.get("eventlet-thread", ())}
        done = {
            self._objects.attributes(one).get("_cond", 0): one
            for one in found.get("eventlet-queue", ())
        }
        hubs: list[Hub] = []
        readers: Mapping[str, Callable[[int], None]] = {
            "eventlet-semaphore": lambda one: self._semaphore(one, blocks.get(one, 0)),
            "eventlet-event": lambda one: self._event(one, ends.get(one, 0), done.get(one, 0)),
            "eventlet-queue": self._queue,
            "eventlet-hub": lambda one: hubs.append(self._hub(one)),
        }
        for role, reader in readers.items():
            for one in found.get(role, ()):
                with suppress(DamagedDataError), foreign_data():
                    self._objects.memory.spent.objects(1)
                    reader(one)
        waits = {one: tuple(dict.fromkeys(awaited)) for one, awaited in self._waits.items()}
        return Scheduled(tuple(hub for hub in hubs if hub.address), waits, self._timed)

    def _end(self, thread: int) -> int:
        """The event that the end of a greenlet sends."""
        return self._objects.attributes(thread).get("_exit_event", 0)

    def _note(self, greenlets: list[int], awaited: Awaited) -> None:
        for one in greenlets:
            self._waits.setdefault(one, []).append(awaited)

    def _semaphore(self, address: int, reentrant: int) -> None:
        """*reentrant*: the lock that is made of it; 0: none."""
        block = self._locks.read(address)
        if block is None or not block.locked:
            return  # those who wait get it at the next turn
        lock = self._locks.read(reentrant) if reentrant else block
        if lock is None:
            return
        waiters = self._objects.attributes(address).get("_waiters", 0)
        unit = "a unit of {}" if lock.kind is NodeKind.SEMAPHORE else "{}"
        proof, name = _RECORDED.format("lock"), lock.type_name
        how = "acquire"
        goal = lock.address
        awaited = Awaited(unit, proof, lock.kind, goal, address, name, lock, operation=how)
        self._note(self._members(waiters), awaited)

    def _event(self, address: int, thread: int, queue: int) -> None:
        """*thread*: the greenlet whose end it tells, *queue*: that whose last task_done() it tells;
        0: none."""
        attributes = self._objects.attributes(address)
        if self._objects.kind(attributes.get("_result", 0)) != _UNSENT:
            return
        waiters = self._members(attributes.get("_waiters", 0))
        if queue:
            title = clean(self._objects.qualified_type(queue), 100)
            count = self._objects.attributes(queue).get("unfinished_tasks", 0)
            unfinished = self._containers.integer(count) or 0
            self._note(waiters, waits_for_done(queue, address, title, unfinished))
            return
        if thread:
            text, kind, goal = "{}", NodeKind.GREENLET, thread
        else:
            text, kind, goal = "{} to be sent", NodeKind.EVENT, address
        awaited = Awaited(
            text,
            _RECORDED.format("event"),
            kind,
            goal,
            address,
            "eventlet.event.Event",
            note=None if thread else "nobody has it: anybody may send it",
            operation="join" if thread else "wait",
            call="Event.wait",
        )
        self._note(waiters, awaited)

    def _queue(self, address: int) -> None:
        attributes = self._objects.attributes(address)
        title = clean(self._objects.qualified_type(address), 100)
        for side, method, text in (
            ("getters", "get", "an item of {}"),
            ("putters", "put", "room in {}"),
        ):
            awaited = Awaited(
                text,
                _RECORDED.format("queue"),
                NodeKind.QUEUE,
                address,
                address,
                title,
                note="a queue has no owner: anybody may put or get",
                operation=method,
                call=f"Queue.{method}",
            )
            waiters = self._members(attributes.get(side, 0))
            self._note([self._containers.slots(one).get("greenlet", 0) for one in waiters], awaited)

    def _members(self, address: int) -> list[int]:
        """The members of a set, list or deque."""
        if self._objects.kind(address) in ("set", "frozenset"):
            return self._containers.set_items(address)
        return self._containers.sequence(address)

    # -- the hub --------------------------------------------------------------------------------

    def _hub(self, address: int) -> Hub:
        attributes = self._objects.attributes(address)
        tables, heaps = attributes.get("listeners", 0), [attributes.get(one, 0) for one in _HEAPS]
        watched = sum(map(self._listeners, self._tables(tables)))
        timers = [self._timer(one) for heap in heaps for one in self._members(heap)]
        greenlet = attributes.get("greenlet", 0)
        title = clean(self._objects.qualified_type(address), 100)
        known = self._objects.kind(tables) == "dict" and None not in timers
        if not known or any(self._objects.kind(heap) != "list" for heap in heaps):
            return Hub(greenlet, title)
        return Hub(greenlet, title, None, timers.count(True), watched, 0)

    def _tables(self, listeners: int) -> list[int]:
        """``listeners``: one table for reading and one for writing."""
        if self._objects.kind(listeners) != "dict":
            return []
        return [table for _, table in self._objects.items(listeners)]

    def _listeners(self, table: int) -> int:
        """How many descriptors are watched for one purpose, without that by which threads of
        eventlet.tpool wake the hub; note who waits for each."""
        count, threads = 0, self._module("eventlet.tpool").get("_coro", 0)
        for key, listener in self._objects.items(table):
            number = self._containers.integer(key)
            one = self._objects.attributes(listener).get("greenlet", 0)
            if one and one == threads:
                self._waits.setdefault(one, []).append(Awaited(_BROUGHT))
                continue
            count += 1
            descriptor = "a file descriptor" if number is None else f"file descriptor {number}"
            self._waits.setdefault(one, []).append(Awaited(descriptor, descriptor=number))
        return count

    def _timer(self, entry: int) -> bool | None:
        """Note whom a timer wakes; whether it is still to come. None: it cannot be read."""
        when, timer = (*self._containers.sequence(entry), 0, 0)[:2]
        attributes = self._objects.attributes(timer)
        if self._objects.kind(attributes.get("called", 0)) != "bool":
            return None
        if self._containers.true(attributes["called"]):
            return False
        callback = (*self._containers.sequence(attributes.get("tpl", 0)), 0)[0]
        greenlet, at = self._objects.bound_to(callback), self._containers.number(when)
        if greenlet:
            known = self._timed.get(greenlet, float("inf"))
            self._timed[greenlet] = min(at or 0.0, known)
        return True
