"""The greenlets of one process, read together: where each stands, what it waits for and holds."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.greenlets.awaited import Scheduled, Scheduler
from hangtui.backends.cpython.greenlets.eventlet import Eventlet
from hangtui.backends.cpython.greenlets.found import Found
from hangtui.backends.cpython.greenlets.frames import SwitchedOut
from hangtui.backends.cpython.greenlets.gevent import Gevent
from hangtui.backends.cpython.greenlets.holding import Holding
from hangtui.backends.cpython.greenlets.layout import GreenletLayout
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.greenlets.lost import LostWaiters
from hangtui.backends.cpython.greenlets.meaning import Meaning
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.greenlets.objects import (
    GreenletObjects,
    RawGreenlet,
    State,
    threads_of,
)
from hangtui.backends.cpython.greenlets.units import GreenletReading, Greenlets, HubReading
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.model import TaskState

MAX_GREENLETS = 20_000
_GREENLETS = ("greenlet", "spawned", "hub", "eventlet-thread")
"""Roles of objects that are greenlets."""
_SEMAPHORES = ("semaphore", "eventlet-semaphore")
_AWAITED = (
    *("semaphore", "rlock", "linkable", "queue", "channel", "spawned"),
    *("eventlet-semaphore", "eventlet-event", "eventlet-queue", "eventlet-thread"),
)
"""Roles of objects that greenlets wait for."""


class GreenletReader:
    """Reads the greenlets of a process's oldest interpreter. Without any it costs next to
    nothing.

    Raises:
        MemoryReadError: memory is not what it should be.
    """

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._objects = objects = python.objects
        base = _type(python)
        self.used = base != 0
        """Whether the process has imported greenlet."""
        if not self.used:
            return
        self._containers = containers = Containers(objects, python.codes)
        self._layout = GreenletLayout(objects, base)
        self._members = members = Members(objects, containers)
        self._locks = GreenletLocks(objects, members)
        self._lost = LostWaiters(objects, python.frames, self._locks)
        size = self._layout.size
        self._schedulers: tuple[Scheduler, ...] = (
            Gevent(objects, members, self._locks, size, python.module, lambda: python.threads),
            Eventlet(objects, containers, self._locks, python.module),
        )
        roles = {kind: role for one in self._schedulers for kind, role in one.bases().items()}
        self._bases = {base: "greenlet", **roles}
        self.scheduled = bool(roles)
        """Whether a known scheduler is there to switch between greenlets."""
        self._greenlets = GreenletObjects(objects, SwitchedOut(objects, python.codes), self._layout)
        self._holding = Holding(python, self._locks)
        self._by_role: dict[str, list[int]] = {}
        self._bare: Collection[int] = ()

    def read(self, bare: Collection[int] = ()) -> Greenlets | None:
        """What there is now; None: nothing that a known scheduler switches between.

        *bare*: threads in which the program itself may switch between greenlets.

        Raises:
            LayoutError: greenlet is of an unknown version, or objects cannot be found.
            DamagedDataError: memory is not what it should be.
            BudgetSpentError: too many objects of this process were looked at.
        """
        if not self.scheduled and not bare:
            return None
        self._bare = bare
        lists = self._python.tracked()
        if not lists.kept:
            raise LayoutError(f"CPython {self._objects.layout.text} keeps no list of its objects")
        found = Found(self._objects, lists, self._bases)
        self._by_role = found.by_role
        self._locks.semaphores = {one for one, role in found.types.items() if role in _SEMAPHORES}
        addresses = [one for role in _GREENLETS for one in self._by_role.get(role, ())]
        if not addresses:
            return None
        if not any(ones for role, ones in self._by_role.items() if "watcher" in role):
            # The walk took long: hubs and greenlets have to be of one moment, as far as that goes.
            # Of gevent's timers the walk itself has found those that there were.
            self._objects.memory.forget()
        self._layout.settle(addresses)
        raw = self._greenlets.all(addresses[:MAX_GREENLETS])
        units, hubs, problems = self._units_of(raw, self._by_role)
        holds: list[LockHold] = []
        names: dict[int, str] = {}
        with suppress(BudgetSpentError):  # the greenlets are the most of it
            holds = self._holding.holds(units)
            names = self._holding.names(units, holds)
        truncated = lists.torn or len(addresses) > MAX_GREENLETS
        orphaned = frozenset(self._orphaned(units, raw))
        return Greenlets(units, hubs, holds, names, truncated, problems, orphaned)

    def _orphaned(
        self, units: Mapping[int, GreenletReading], raw: Mapping[int, RawGreenlet]
    ) -> Iterator[int]:
        """The awaited locks whose owner is a greenlet that had ended before they were read."""
        for unit in units.values():
            for one in unit.waits:
                owner = raw.get(one.lock.owner) if one.lock is not None else None
                if one.lock is not None and owner is not None and owner.state is State.ENDED:
                    yield one.lock.address

    def again(self, known: Greenlets, some: Collection[int]) -> bool:
        """Whether *some* greenlets wait for and hold now what they were *known* to.

        It takes milliseconds: nothing else is looked at.

        Raises:
            DamagedDataError: memory is not what it should be.
            BudgetSpentError: too many objects of this process were looked at.
        """
        self._objects.memory.forget()
        waits = [one for each in some for one in known.units[each].waits]
        awaited = {one.address for one in waits}
        records = {*awaited, *(one.record for one in waits), *some}
        by_role = {
            role: [one for one in ones if role not in _AWAITED or one in records]
            for role, ones in self._by_role.items()
            if "watcher" not in role
        }
        hubs = (hub.hub.address for hub in known.hubs)
        raw = self._greenlets.all({*some, *hubs})
        units, _, _ = self._units_of(raw, by_role)
        holds = self._holding.holds({one: units[one] for one in some if one in units})
        was = [hold for hold in known.holds if hold.tid in some and hold.lock.address in awaited]
        return all(_same(known.units[one], units.get(one)) for one in some) and all(
            hold in holds for hold in was
        )

    # -- hubs and greenlets ---------------------------------------------------------------------

    def _units_of(
        self, raw: Mapping[int, RawGreenlet], by_role: Mapping[str, list[int]]
    ) -> tuple[dict[int, GreenletReading], list[HubReading], tuple[str, ...]]:
        """The greenlets and hubs of all schedulers, and what could not be read, in words."""
        units: dict[int, GreenletReading] = {}
        hubs: list[HubReading] = []
        problems = []
        for scheduler in self._schedulers:
            try:
                told = scheduler.read(by_role)
            except LayoutError as error:
                problems.append(str(error))
                continue
            own = self._hubs(told, raw, scheduler.library)
            units |= self._units(told, raw, own)
            hubs += own
        if not problems:  # their hubs may be among those that could not be read
            units |= self._by_hand(raw, {hub.root for hub in hubs})
        stacks = {address: unit.frames for address, unit in units.items()}
        meaning = Meaning(
            self._objects,
            self._python.frames,
            self._locks,
            self._members,
            stacks,
            self._python.stacks,
            self._python.module,
        )
        for address, unit in units.items():
            waits = tuple(meaning.of(one, unit.frames) for one in unit.waits)
            waits = waits or self._lost.of(unit, self._containers)
            if waits != unit.waits:
                units[address] = replace(unit, waits=waits)
        return units, hubs, tuple(problems)

    def _hubs(
        self, told: Scheduled, raw: Mapping[int, RawGreenlet], library: str
    ) -> list[HubReading]:
        threads = threads_of(raw, self._c_stacks())
        current = {one.root: one.address for one in raw.values() if one.state is State.CURRENT}
        found = []
        for hub in told.hubs:
            one = raw.get(hub.address)
            if one is None or not one.root or one.state in (State.NEW, State.ENDED):
                continue
            tid = self._python.idents.get(hub.ident or 0, threads.get(one.root))
            found.append(HubReading(hub, library, tid, current.get(one.root, 0), one.root))
        return found

    def _c_stacks(self) -> dict[range, int]:
        """TIDs by the addresses of the C stacks of threads."""
        memory = self._objects.memory
        found = {}
        for tid, thread in self._python.threads.items():
            mapping = memory.mapping_at(thread.ident)
            if mapping is not None and tid != memory.pid:
                found[range(mapping.start, mapping.end)] = tid
        for mapping in memory.mappings:
            if mapping.path == "[stack]":
                found[range(mapping.start, mapping.end)] = memory.pid
        return found

    def _units(
        self, told: Scheduled, raw: Mapping[int, RawGreenlet], hubs: Sequence[HubReading]
    ) -> dict[int, GreenletReading]:
        by_root = {hub.root: hub for hub in hubs}
        loops = {hub.hub.address for hub in hubs}
        units = {}
        for address, one in raw.items():
            parent = raw.get(one.parent)  # one that was not started knows no thread yet
            hub = by_root.get(one.root or (parent.root if parent else 0))
            if hub is None or address in loops or one.state is State.ENDED:
                continue
            asked = address in told.due or address in told.timed
            if one.state is State.NEW and not asked and address not in told.waits:
                continue  # nobody has started it, nor waits for it
            units[address] = self._unit(one, hub, told)
        return units

    def _by_hand(
        self, raw: Mapping[int, RawGreenlet], roots: Collection[int]
    ) -> dict[int, GreenletReading]:
        """The greenlets of threads without a hub, as *roots* have one: whoever runs in their thread
        may switch to them, and nobody else can."""
        threads = threads_of(raw, self._c_stacks())
        units = {}
        for address, one in raw.items():
            tid = threads.get(one.root)
            if one.root in roots or tid not in self._bare:
                continue
            frames = self._greenlets.frames(one) if one.state is State.SUSPENDED else ()
            own = any(not frame.in_library and not frame.installed for frame in frames)
            if frames and (own or not one.main):  # what a library began a thread with says nothing
                units[address] = GreenletReading(one, "", 0, tid, TaskState.WAITING, frames)
        return units

    def _unit(self, raw: RawGreenlet, hub: HubReading, told: Scheduled) -> GreenletReading:
        waits, until = told.waits.get(raw.address, ()), told.timed.get(raw.address)
        frames: tuple[Frame, ...] = ()
        if raw.state is State.CURRENT:
            state, waits, until = TaskState.RUNNING, (), None
            frames = self._python.stacks.get(hub.tid, ()) if hub.tid is not None else ()
        else:
            ready = raw.address in told.due or (raw.state is State.NEW and not waits)
            state = TaskState.READY if ready else TaskState.WAITING
            frames = self._greenlets.frames(raw)
        waits = () if state is TaskState.READY else waits
        loop = hub.hub.address
        return GreenletReading(raw, hub.library, loop, hub.tid, state, frames, waits, until)


def _type(python: PythonReader) -> int:
    """``greenlet.greenlet``; 0: it is not imported."""
    modules = ("greenlet._greenlet", "greenlet")
    found = (python.module(module).get("greenlet", 0) for module in modules)
    return next((one for one in found if python.objects.kind(one) == "type"), 0)


def _same(one: GreenletReading, other: GreenletReading | None) -> bool:
    """Whether two readings of a greenlet tell the same of what keeps it."""
    if other is None:
        return False
    same = (one.raw, one.frames) == (other.raw, other.frames)
    return same and _without_order(one) == _without_order(other)


def _without_order(unit: GreenletReading) -> list[object]:
    """What it waits for, whichever of those who could end that was read first."""
    return [
        (replace(wait, owners=()), sorted((str(one.ident), one.text) for one in wait.owners))
        for wait in unit.waits
    ]
