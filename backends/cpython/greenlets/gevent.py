"""gevent: what wakes its greenlets, read backwards.

A greenlet that waits records nowhere for what. But whatever is to wake it has a bound method of it,
or of a `Waiter` that knows it: a lock among its links, a queue among its getters, a watcher of the
event loop as its callback.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from hangtui.backends.cpython.greenlets.awaited import Awaited, Hub, Scheduled, waits_for_done
from hangtui.backends.cpython.greenlets.gevent_loop import LoopReader, Woken
from hangtui.backends.cpython.greenlets.gevent_queues import QueueReader
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import NodeKind, clean

_BASES: tuple[tuple[str, str, str], ...] = (
    ("gevent._gevent_c_abstract_linkable", "AbstractLinkable", "linkable"),
    ("gevent._abstract_linkable", "AbstractLinkable", "linkable"),
    ("gevent._gevent_c_semaphore", "Semaphore", "semaphore"),
    ("gevent._semaphore", "Semaphore", "semaphore"),
    ("gevent._gevent_c_waiter", "Waiter", "waiter"),
    ("gevent._waiter", "Waiter", "waiter"),
    ("gevent._gevent_cqueue", "SimpleQueue", "queue"),
    ("gevent._gevent_cqueue", "Queue", "queue"),
    ("gevent._gevent_cqueue", "Channel", "channel"),
    ("gevent.queue", "SimpleQueue", "queue"),
    ("gevent.queue", "Queue", "queue"),
    ("gevent.queue", "Channel", "channel"),
    ("gevent.libev.corecext", "watcher", "watcher"),
    ("gevent.libev.corecext", "callback", "callback"),
    ("gevent._ffi.watcher", "watcher", "ffi-watcher"),
    ("gevent._ffi.callback", "callback", "ffi-callback"),
    ("gevent._gevent_cgreenlet", "Greenlet", "spawned"),
    ("gevent.greenlet", "Greenlet", "spawned"),
    ("gevent.hub", "Hub", "hub"),
    ("gevent.lock", "RLock", "rlock"),
    ("threading", "_RLock", "rlock"),
)
_NOTIFIER, _LINKS, _FLAG, _COUNTER = 40, 48, 64, 64
"""Of ``AbstractLinkable``; of an ``Event``, and of a ``Semaphore``."""
_SIZES = {"linkable": (64,), "waiter": (56,)}
"""sizeof the classes that offsets are counted in, by which an unknown version shows."""
_BASIC = "type.tp_basicsize"
_NOT_STARTED = "its start: nobody has called start()"
_JOINERS, _STARTED = 56, 80
"""``Greenlet._links`` and ``_start_event``, counted from the end of what every greenlet is."""
_LOOP = 8
"""``Hub.loop``, likewise."""


class Gevent:
    """Reads the scheduler of gevent; *size*: that of ``greenlet.greenlet``, *module*: gives the
    globals of an imported module, *threads*: those of the interpreter."""

    library = "gevent"

    def __init__(
        self,
        objects: Objects,
        members: Members,
        locks: GreenletLocks,
        size: int,
        module: Callable[[str], Mapping[str, int]],
        threads: Callable[[], Collection[int]],
    ) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._members = members
        self._locks = locks
        self._size = size
        self._threads = threads
        self._types = _types(module)
        self._waits: dict[int, list[Awaited]] = {}
        self._woken = Woken(objects, members, {})
        self._told: set[int] = set()
        """Those that are told at the next turn that what they wait for is there."""
        self._queues = QueueReader(objects, members)

    def bases(self) -> Mapping[int, str]:
        """The classes of gevent; none if it is not imported."""
        return {kind: role for (_, _, role), kind in self._types.items()}

    def read(self, found: Mapping[str, list[int]]) -> Scheduled:
        """Who waits for what, by all that could wake one.

        Raises:
            LayoutError: gevent's objects are not where any known version has them.
        """
        self._require_layout(found)
        roles = {one: role for role, ones in found.items() for one in ones}
        self._woken = Woken(self._objects, self._members, roles)
        loop = LoopReader(self._objects, self._members, self._woken)
        watched = loop.watched(found)
        self._waits, self._told = watched.waits, set()
        self._queues.joined = {}
        blocks = {self._locks.block_of(one): one for one in found.get("rlock", ())}
        readers: Mapping[str, Callable[[int], None]] = {
            "semaphore": lambda one: self._semaphore(one, blocks.get(one, 0)),
            "queue": lambda one: self._at_ends(self._queues.of_queue(one)),
            "linkable": self._linkable,  # one of them may be a queue's own
            "channel": lambda one: self._at_ends(self._queues.of_channel(one)),
            "spawned": self._ended,
        }
        for role, reader in readers.items():
            for one in found.get(role, ()):
                try:
                    with foreign_data():
                        self._memory.spent.objects(1)
                        reader(one)
                except DamagedDataError:
                    continue
        hubs = tuple(self._hub(one, watched.counts) for one in found.get("hub", ()))
        waits = {one: tuple(dict.fromkeys(awaited)) for one, awaited in self._waits.items()}
        return Scheduled(hubs, waits, watched.timed, loop.due(found) | self._told)

    def _require_layout(self, found: Mapping[str, list[int]]) -> None:
        for (module, name, role), kind in self._types.items():
            if role not in _SIZES or not module.startswith("gevent._gevent_c"):
                continue
            size = self._memory.u64(kind + self._objects.layout[_BASIC])
            if size not in _SIZES[role]:
                raise LayoutError(f"an unknown layout of gevent's {name}")
        for one in found.get("linkable", [])[:10]:
            links = self._members.reference(one, "_links", _LINKS)
            if links and self._objects.kind(links) not in ("list", "NoneType", "collections.deque"):
                raise LayoutError("an unknown layout of gevent's locks")

    # -- locks, events, queues ------------------------------------------------------------------

    def _note(self, links: int, awaited: Awaited) -> None:
        for callback in self._members.sequence(links):
            waiter = self._queues.offered(callback) or callback
            if greenlet := self._woken.by(waiter):
                self._waits.setdefault(greenlet, []).append(awaited)

    def _hand_on(self, address: int, links: int, count: int) -> None:
        """The loop is to tell the first *count* of those who wait at its next turn."""
        notifier = self._members.reference(address, "_notifier", _NOTIFIER)
        if self._objects.kind(notifier) in (None, "NoneType"):
            return
        waiters = [self._woken.by(one) for one in self._members.sequence(links)]
        self._told |= set(waiters[:count]) - {0}
        for greenlet in waiters[count:]:
            turn = Awaited("its turn, after others, at what was just released")
            self._waits.setdefault(greenlet, []).append(turn)

    def _semaphore(self, address: int, reentrant: int) -> None:
        """*reentrant*: the lock that is made of it; 0: none."""
        links = self._members.reference(address, "_links", _LINKS)
        if not self._members.sequence(links):
            return
        block = self._locks.of_semaphore(address)
        if not block.locked:
            self._hand_on(address, links, self._members.number(address, "counter", _COUNTER) or 0)
            return
        lock = self._locks.read(reentrant) if reentrant else block
        if lock is None:
            return
        unit = "a unit of {}" if lock.kind is NodeKind.SEMAPHORE else "{}"
        self._note(
            links,
            Awaited(
                unit,
                "the lock has it among those to be told of its release",
                lock.kind,
                lock.address,
                address,
                lock.type_name,
                lock,
                operation="acquire",
            ),
        )

    def _linkable(self, address: int) -> None:
        """An Event, an AsyncResult, or what else is derived from what they are."""
        links = self._members.reference(address, "_links", _LINKS)
        if not self._members.sequence(links):
            return
        title = clean(self._objects.qualified_type(address), 100)
        name = title.rpartition(".")[2]
        is_event = name == "Event"
        if is_event and self._members.number(address, "_flag", _FLAG):
            self._hand_on(address, links, len(self._members.sequence(links)))
            return
        if address in self._queues.joined:
            queue, unfinished = self._queues.joined[address]
            title = self._queues.title(queue)
            self._note(links, waits_for_done(queue, address, title, unfinished))
            return
        method = "wait" if is_event else "get"
        self._note(
            links,
            Awaited(
                "{} to be set",
                f"the {name} has it among those to be told of it",
                NodeKind.EVENT,
                address,
                address,
                f"gevent.event.{name}" if "gevent" in title else title,
                note="nobody has it: anybody may set it",
                operation=method,
                call=f"{name}.{method}",
            ),
        )

    def _at_ends(self, ends: Iterable[tuple[int, Awaited]]) -> None:
        """Who waits at the ends of a queue."""
        for waiters, awaited in ends:
            self._note(waiters, awaited)

    def _ended(self, address: int) -> None:
        """The greenlets that wait for the end of this one."""
        links = self._members.reference(address, "_links", self._size + _JOINERS)
        if not self._members.sequence(links):
            return
        proof = "that greenlet has it among those to be told of its end"
        joined = Awaited("{}", proof, NodeKind.GREENLET, address, address, operation="join")
        self._note(links, joined)
        started = self._members.reference(address, "_start_event", self._size + _STARTED)
        if self._objects.kind(started) == "NoneType":
            self._waits.setdefault(address, []).append(Awaited(_NOT_STARTED))

    def _hub(self, address: int, counts: Mapping[int, Mapping[str, int]]) -> Hub:
        hub = Hub(address, "gevent.hub.Hub")
        try:
            loop = self._memory.u64(address + self._size + _LOOP)
            if not self._objects.kind(loop):
                loop = self._members.all(address).get("loop", 0)
            attributes = self._objects.attributes(address)
            ident = attributes.get("thread_ident", 0)
            hub = replace(hub, ident=self._integer(ident))
        except MemoryReadError:
            return hub
        if loop not in counts and "loop" not in self._objects.type_name(loop):
            return hub
        of = counts.get(loop, {})
        # Threads of its pool bring something so, and other hubs: after a fork there are none.
        brought = of.get("async", 0) if len(self._threads()) > 1 else 0
        handlers = of.get("signal", 0) + brought
        watched = of.get("io", 0) + of.get("child", 0) + of.get("stat", 0)
        if not (of.get("timer") or watched or handlers or of.get("async")):
            return hub  # a loop without any would have ended: it has some that are not read
        return replace(hub, timers=of.get("timer", 0), watched=watched, signal_handlers=handlers)

    def _integer(self, address: int) -> int | None:
        return self._objects.integer(address) if self._objects.kind(address) == "int" else None


def _types(module: Callable[[str], Mapping[str, int]]) -> dict[tuple[str, str, str], int]:
    """The classes of gevent that the process has, by their entries in ``_BASES``; none if it has
    not imported it."""
    if not module("gevent.hub"):
        return {}
    modules = {name: module(name) for name in {name for name, _, _ in _BASES}}
    return {one: kind for one in _BASES if (kind := modules[one[0]].get(one[1], 0))}
