"""The handles of loops of uvloop, on literal memory."""

import pytest

from hangtui.backends.cpython.aio.libuv import Handles, Libuv
from tests.unit.backends.heap import Heap

VERSION = (3, 12, 0)
TIMER, POLL, ASYNC = 13, 8, 1
ACTIVE, INTERNAL, CLOSING = 0x4, 0x10, 0x1
LATER_MS = 6_500


def loop_of(heap: Heap, *handles: tuple[int, int, int], stray: bool = False) -> int:
    """A loop of uvloop with handles: kind, flags and what Python object each belongs to.

    *stray*: one of them says that it is another loop's.
    """
    ring = heap.room(64)
    nodes = [heap.room(160) for _ in handles]
    for (kind, flags, owner), at in zip(handles, nodes, strict=True):
        own = ring + 8 * stray
        fields = ((0, "Q", owner), (8, "Q", own), (16, "I", kind), (88, "I", flags))
        heap.put(at, *fields, (128, "Q", LATER_MS))
    links = [ring + 16, *(at + 32 for at in nodes)]
    for here, after in zip(links, [*links[1:], links[0]], strict=True):
        heap.put(here, (0, "Q", after))
        heap.put(after, (8, "Q", here))
    loop = heap.new("uvloop.loop.Loop", 64)
    heap.put(loop, (24, "Q", ring))
    return loop


def timer(heap: Heap, callback: int, *arguments: int) -> int:
    """A UVTimer whose context is a TimerHandle that calls this."""
    handle = heap.new("uvloop.loop.TimerHandle", 64)
    heap.put(handle, (24, "Q", callback), (32, "Q", heap.tuple_of(*arguments)))
    timer = heap.new("uvloop.loop.UVTimer", 64)
    heap.put(timer, (48, "Q", handle))
    return timer


@pytest.fixture
def heap() -> Heap:
    made = Heap(VERSION)
    for name in ("Loop", "TimerHandle", "UVTimer"):
        made.kind(f"uvloop.loop.{name}", size=64)
    return made


def test_timers_and_connections_are_read(heap: Heap) -> None:
    callback, task = heap.instance("function"), heap.instance("_asyncio.Task")
    loop = loop_of(
        heap, (TIMER, ACTIVE, timer(heap, callback, task)), (POLL, ACTIVE, 0), (ASYNC, ACTIVE, 0)
    )

    found = Libuv(heap.objects).handles(loop)

    assert found == Handles(((6.5, (callback, task)),), watched=1, signal_handlers=0)


def test_what_is_stopped_or_closing_is_left_out(heap: Heap) -> None:
    loop = loop_of(heap, (TIMER, 0, 0), (POLL, ACTIVE | CLOSING, 0), (POLL, 0, 0))

    assert Libuv(heap.objects).handles(loop) == Handles((), watched=0, signal_handlers=0)


def test_a_loop_that_lies_otherwise_is_not_believed(heap: Heap) -> None:
    assert Libuv(heap.objects).handles(loop_of(heap, (POLL, ACTIVE, 0), stray=True)) is None


def test_an_object_that_is_no_loop_is_not_believed(heap: Heap) -> None:
    heap.kind("other.Loop", size=64)

    assert Libuv(heap.objects).handles(heap.new("other.Loop", 64)) is None


@pytest.mark.parametrize(("kind", "name", "found"), [
    (12, "TCPTransport", 22), (8, "TCPTransport", None), (12, "UVPoll", None),
])  # fmt: skip
def test_the_descriptor_of_a_transport(heap: Heap, kind: int, name: str, found: int | None) -> None:
    """That of its handle, which is a stream and says that it is the transport's."""
    heap.kind(f"uvloop.loop.{name}", size=64)
    transport = heap.new(f"uvloop.loop.{name}", 64)
    handle = heap.room(192)
    heap.put(handle, (0, "Q", transport), (16, "I", kind), (184, "I", 22))
    heap.put(transport, (24, "Q", handle))

    assert Libuv(heap.objects).descriptor(transport) == found
