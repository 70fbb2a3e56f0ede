"""Greenlets, what tracks them, and gevent's objects, written into literal memory."""

import struct
from collections.abc import Mapping

import pytest

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.greenlets.awaited import Scheduled
from hangtui.backends.cpython.greenlets.found import Found
from hangtui.backends.cpython.greenlets.frames import SwitchedOut
from hangtui.backends.cpython.greenlets.gevent import Gevent
from hangtui.backends.cpython.greenlets.layout import MAIN_STOP, GreenletLayout
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.greenlets.objects import (
    GreenletObjects,
    RawGreenlet,
    State,
    threads_of,
)
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.model import NodeKind
from tests.unit.backends.heap import Heap

STACK = 0x7FFF_0000_1000
_SMALL, _LARGE = 40, 176
"""sizeof(PyGreenlet): from 2.0 on, and the struct of 1.x."""


def python_sizes(heap: Heap) -> tuple[int, ...]:
    """sizeof(PythonState) that greenlet has had on a CPython."""
    since = heap.layout.since
    if since(3, 14):
        return (72, 80, 88)
    if since(3, 13):
        return (64, 72)
    if not since(3, 7):
        return ()
    return (72,) if since(3, 11) else (40,) if since(3, 10) else (24,)


class Greenlets:
    """Writes greenlets as a version of the library keeps them."""

    def __init__(self, heap: Heap, size: int | None = None, *, knows_itself: bool = True) -> None:
        self.heap = heap
        self.python = size
        """sizeof(PythonState); None: 1.x."""
        self.knows_itself = knows_itself
        self.base = heap.kind("greenlet.greenlet", size=_LARGE if size is None else _SMALL)
        self.thread = heap.room(32)
        self.main = self.write(stop=MAIN_STOP, start=STACK)

    def write(
        self, *, start: int = 0, stop: int = 0, parent: int = 0, run: int = 0, top: int = 0
    ) -> int:
        heap = self.heap
        address = heap.new("greenlet.greenlet", _LARGE)
        if self.python is None:
            heap.put(address, (16, "Q", start), (24, "Q", stop), (40, "Q", 1 if top else 0))
            heap.put(address, (56, "Q", parent), (64, "Q", run), (72, "Q", top))
            return address
        own = 16 if self.knows_itself else 8
        stack = own + (24 if heap.layout.since(3, 11) else 40) + 16
        impl = heap.room(512)
        heap.put(address, (32, "Q", impl))
        if self.knows_itself:
            heap.put(impl, (8, "Q", address))
        heap.put(impl, (stack, "Q", start), (stack + 8, "Q", stop))
        python = stack + 40
        heap.put(impl, (python + 8, "Q", top))
        end = python + self.python
        if stop == MAIN_STOP:
            heap.put(impl, (end, "Q", address), (end + 8, "Q", self.thread))
        else:
            end += 0 if self.knows_itself else 8
            heap.put(impl, (end, "Q", self.main), (end + 8, "Q", run), (end + 16, "Q", parent))
        return address

    def switch_to(self, greenlet: int) -> None:
        self.heap.put(self.thread, (8, "Q", greenlet))

    def read(self, *addresses: int) -> dict[int, RawGreenlet]:
        layout = GreenletLayout(self.heap.objects, self.base)
        layout.settle([*addresses, self.main])
        frames = SwitchedOut(self.heap.objects, self.heap.codes)
        return GreenletObjects(self.heap.objects, frames, layout).all([*addresses, self.main])


@pytest.mark.parametrize("knows_itself", [True, False])
def test_what_greenlets_do_in_every_layout(heap: Heap, *, knows_itself: bool) -> None:
    for size in python_sizes(heap):
        greenlets = Greenlets(heap, size, knows_itself=knows_itself)
        current = greenlets.write(start=STACK - 64, stop=STACK - 16, parent=greenlets.main)
        waits = greenlets.write(start=STACK - 96, stop=STACK - 32, parent=current)
        new = greenlets.write(parent=greenlets.main, run=heap.none)
        ended = greenlets.write(stop=STACK - 32, parent=greenlets.main)
        greenlets.switch_to(current)
        found = greenlets.read(current, waits, new, ended)
        states = {one: raw.state for one, raw in found.items()}
        assert states == {
            greenlets.main: State.SUSPENDED,
            current: State.CURRENT,
            waits: State.SUSPENDED,
            new: State.NEW,
            ended: State.ENDED,
        }
        assert found[waits].parent == current
        assert found[waits].root == greenlets.main
        assert found[greenlets.main].main
        assert found[new].run == heap.none
        assert threads_of(found, {range(STACK - 4096, STACK + 1): 7}) == {greenlets.main: 7}


def test_greenlets_that_are_one_struct(heap: Heap) -> None:
    greenlets = Greenlets(heap)
    waits = greenlets.write(start=STACK - 96, stop=STACK - 32, parent=greenlets.main, top=heap.none)
    found = greenlets.read(waits, current := greenlets.write(start=1, stop=2, parent=waits))
    assert found[waits].state is State.SUSPENDED
    assert found[current].state is State.CURRENT
    assert found[current].root == greenlets.main


def test_a_layout_that_nobody_has_seen(heap: Heap) -> None:
    greenlets = Greenlets(heap, 48)
    with pytest.raises(LayoutError):
        greenlets.read()


def test_parents_in_a_ring(heap: Heap) -> None:
    greenlets = Greenlets(heap)
    first = greenlets.write(start=1, stop=2, top=heap.none)
    second = greenlets.write(start=1, stop=2, parent=first, top=heap.none)
    heap.put(first, (56, "Q", second))
    assert greenlets.read(first)[first].root == 0


def test_a_thread_that_has_ended(heap: Heap) -> None:
    greenlets = Greenlets(heap, python_sizes(heap)[-1] if python_sizes(heap) else None)
    greenlets.thread = 0
    greenlets.main = greenlets.write(stop=MAIN_STOP, start=STACK)
    left = greenlets.write(start=STACK - 96, stop=STACK - 32)
    if greenlets.python is not None:
        assert greenlets.read(left)[left].state is State.ENDED


# -- the lists of the collector -------------------------------------------------------------------


class Tracked:
    """Writes the lists of a collector."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self.collector = heap.room(400)

    def link(self, at: int, *objects: int) -> None:
        """A generation whose head lies *at* bytes into the collector's state."""
        head = self.collector + at
        nodes = [head, *(one - 16 for one in objects)]
        for here, after in zip(nodes, [*nodes[1:], head], strict=True):
            self.heap.put(here, (0, "Q", after))
            self.heap.put(after, (8, "Q", here | 1))  # the lowest bits are flags

    def lists(self) -> GcLists:
        return GcLists(self.heap.objects, self.collector)


def test_all_that_is_tracked(heap: Heap) -> None:
    tracked = Tracked(heap)
    objects = [heap.instance("shop.Item") for _ in range(5)]
    tracked.link(24, *objects[:2])
    tracked.link(48)
    tracked.link(72, *objects[2:])
    lists = tracked.lists()
    assert list(lists.objects()) == (objects if heap.layout.since(3, 8) else [])
    assert lists.kept is heap.layout.since(3, 8)
    assert not lists.torn


def test_a_list_that_leads_in_circles_is_left(heap: Heap) -> None:
    if not heap.layout.since(3, 8):
        pytest.skip("no list is read")
    tracked = Tracked(heap)
    objects = [heap.instance("shop.Item") for _ in range(4)]
    tracked.link(24, *objects)
    heap.put(objects[2] - 16, (0, "Q", objects[1] - 16))
    lists = tracked.lists()
    assert list(lists.objects()) == objects[:3]
    assert lists.torn


def test_objects_by_what_they_are_derived_from(heap: Heap) -> None:
    if not heap.layout.since(3, 8):
        pytest.skip("no list is read")
    base, other = heap.kind("shop.Base"), heap.kind("shop.Other")
    derived = heap.kind("shop.Derived")
    mro = heap.tuple_of(derived, base, other)
    heap.put(derived, (heap.layout["type.tp_mro"], "Q", mro))
    item, plain = heap.instance("shop.Derived"), heap.instance("shop.Plain")
    tracked = Tracked(heap)
    tracked.link(24, item, plain)
    found = Found(heap.objects, tracked.lists(), {base: "base", other: "other"})
    assert found.by_role == {"base": [item], "other": []}


# -- gevent ---------------------------------------------------------------------------------------


class GeventHeap:
    """Writes gevent's objects as Cython lays them out."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self.modules: dict[str, dict[str, int]] = {"gevent.hub": {"Hub": self.kind("hub.Hub", 40)}}
        self.found: dict[str, list[int]] = {}
        for module, name, size in (
            ("_gevent_c_abstract_linkable", "AbstractLinkable", 64),
            ("_gevent_c_semaphore", "Semaphore", 80),
            ("_gevent_c_waiter", "Waiter", 56),
            ("_gevent_cqueue", "Queue", 104),
        ):
            kind = self.kind(f"{module}.{name}", size)
            self.modules.setdefault(f"gevent.{module}", {})[name] = kind
        self.kind("thread.LockType", 88)
        self.greenlet = self.new("spawned", "greenlet.Greenlet", 200)

    def kind(self, name: str, size: int) -> int:
        return self.heap.kind(f"gevent.{name}", size=size, __pyx_vtable__=self.heap.none)

    def new(self, role: str, name: str, size: int) -> int:
        self.kind(name, size)
        address = self.heap.new(f"gevent.{name}", size)
        self.found.setdefault(role, []).append(address)
        return address

    def waiter(self) -> int:
        """A bound ``switch`` of a waiter that knows the greenlet."""
        waiter = self.new("waiter", "_gevent_c_waiter.Waiter", 56)
        self.heap.put(waiter, (32, "Q", self.greenlet))
        return self.heap.builtin_method(waiter)

    def lock(self, counter: int, *links: int) -> int:
        lock = self.new("semaphore", "thread.LockType", 88)
        place = self.heap.list_of(*links) if links else self.heap.none
        self.heap.put(lock, (48, "Q", place), (64, "i", counter), (80, "i", 1))
        return lock

    def read(self) -> Scheduled:
        objects = self.heap.objects
        members = Members(objects, Containers(objects, self.heap.codes))
        locks = GreenletLocks(objects, members)
        locks.semaphores = {objects.type_of(one) for one in self.found.get("semaphore", ())}

        def module(name: str) -> Mapping[str, int]:
            return self.modules.get(name, {})

        return Gevent(objects, members, locks, _SMALL, module, tuple).read(self.found)


def test_a_lock_tells_who_waits_for_it(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    lock = gevent.lock(0, gevent.waiter())
    (wait,) = gevent.read().waits[gevent.greenlet]
    assert (wait.kind, wait.address, wait.operation) == (NodeKind.LOCK, lock, "acquire")
    assert wait.lock is not None
    assert wait.lock.locked


def test_a_lock_that_was_given_back_keeps_nobody(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    gevent.lock(1, gevent.waiter())
    assert not gevent.read().waits


@pytest.mark.parametrize("at", [48, 56])
def test_a_queue_tells_who_waits_at_each_end(heap: Heap, at: int) -> None:
    gevent = GeventHeap(heap)
    queue = gevent.new("queue", "_gevent_cqueue.Queue", 104)
    heap.put(queue, (at, "Q", heap.deque()), (at + 8, "Q", heap.deque(gevent.waiter())))
    (wait,) = gevent.read().waits[gevent.greenlet]
    assert (wait.kind, wait.address, wait.operation) == (NodeKind.QUEUE, queue, "put")


@pytest.mark.parametrize("method", ["get", "put"])
def test_a_channel_tells_who_waits_at_each_end(heap: Heap, method: str) -> None:
    gevent = GeventHeap(heap)
    channel = gevent.new("channel", "_gevent_cqueue.Channel", 64)
    waiter = gevent.waiter()
    offered = heap.deque(heap.tuple_of(heap.integer(7), waiter))
    ends = (heap.deque(waiter), heap.deque()) if method == "get" else (heap.deque(), offered)
    heap.put(channel, (32, "Q", ends[0]), (40, "Q", ends[1]))
    (wait,) = gevent.read().waits[gevent.greenlet]
    assert (wait.kind, wait.address, wait.operation) == (NodeKind.QUEUE, channel, method)
    assert wait.call == f"Channel.{method}"


@pytest.mark.parametrize("started", [False, True])
def test_a_greenlet_that_is_awaited_and_was_never_started(heap: Heap, *, started: bool) -> None:
    gevent = GeventHeap(heap)
    other = gevent.new("spawned", "greenlet.Greenlet", 200)
    event = heap.integer(7) if started else heap.none
    heap.put(other, (_SMALL + 56, "Q", heap.list_of(gevent.waiter())), (_SMALL + 80, "Q", event))
    found = gevent.read().waits
    texts = [one.text for one in found.get(other, ())]
    assert texts == ([] if started else ["its start: nobody has called start()"])
    assert [one.address for one in found[gevent.greenlet]] == [other]


def test_a_join_and_a_timer(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    other = gevent.new("spawned", "greenlet.Greenlet", 200)
    heap.put(other, (_SMALL + 56, "Q", heap.list_of(gevent.waiter())))
    timer = gevent.new("watcher", "libev.corecext.timer", 120)
    (word,) = struct.unpack("<Q", struct.pack("<d", 12.5))
    heap.put(timer, (24, "Q", gevent.waiter()), (32, "Q", heap.none), (40, "Q", timer + 64))
    heap.put(timer, (64, "i", 1), (64 + 24, "Q", word))
    found = gevent.read()
    (wait,) = found.waits[gevent.greenlet]
    assert (wait.kind, wait.address) == (NodeKind.GREENLET, other)
    assert found.timed == {gevent.greenlet: 12.5}


def test_a_timer_that_was_stopped_wakes_nobody(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    timer = gevent.new("watcher", "libev.corecext.timer", 120)
    heap.put(timer, (24, "Q", gevent.waiter()), (40, "Q", timer + 64))
    assert not gevent.read().timed


def test_a_callback_that_is_due(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    callback = gevent.new("callback", "libev.corecext.callback", 40)
    heap.put(callback, (16, "Q", gevent.waiter()))
    assert gevent.read().due == {gevent.greenlet}


def test_a_version_of_gevent_that_nobody_has_seen(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    kind = gevent.modules["gevent._gevent_c_waiter"]["Waiter"]
    heap.put(kind, (heap.layout["type.tp_basicsize"], "Q", 72))
    with pytest.raises(LayoutError):
        gevent.read()


def test_links_that_lead_anywhere(heap: Heap) -> None:
    gevent = GeventHeap(heap)
    gevent.lock(0, heap.none, heap.integer(7), 8, gevent.waiter())
    assert len(gevent.read().waits[gevent.greenlet]) == 1
