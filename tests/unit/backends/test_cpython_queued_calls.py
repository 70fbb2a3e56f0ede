"""A call that would end a wait, queued in a loop of the waiting thread, in literal memory."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.queued import QueuedCall, QueuedCalls
from tests.unit.backends.heap import Heap

BASE = "/site-packages/twisted/internet/base.py"


def ending(heap: Heap, awaited: int, loop: int, caller: str = "on_request") -> QueuedCall | None:
    """What would end the wait of a thread below whose frame of *caller* runs *loop*."""
    calls = [
        heap.call("waits", "in a wait", name="Queue.get", self=awaited),
        heap.call("method", "in a method", name=caller, self=heap.none),
        heap.call(
            "method", "in a method", name="ReactorBase.runUntilCurrent", self=loop, file=BASE
        ),
    ]
    frames = heap.stack(*calls)
    containers = Containers(heap.objects, heap.codes)
    return QueuedCalls(heap.objects, heap.frames, containers, heap.codes).ending(frames, awaited)


def reactor(heap: Heap, *calls: int) -> int:
    return heap.instance("base.ReactorBase", threadCallQueue=heap.deque(*calls))


def putting(heap: Heap, queue: int) -> int:
    """A queued call of a method of *queue*."""
    function = heap.method(queue, heap.function("waits", "put"))
    return heap.tuple_of(function, heap.tuple_of(), heap.none)


def test_the_call_that_would_end_the_wait(heap: Heap) -> None:
    queue = heap.instance("queue.Queue")

    found = ending(heap, queue, reactor(heap, putting(heap, queue)))

    assert found == QueuedCall("put", "ReactorBase", alone=False)


def test_of_a_queue_that_its_function_made_nobody_else_knows(heap: Heap) -> None:
    queue = heap.instance("queue.Queue")

    found = ending(heap, queue, reactor(heap, putting(heap, queue)), "blockingCallFromThread")

    assert found is not None
    assert found.alone


def test_a_call_that_does_not_reach_it_or_a_loop_of_another_kind_ends_nothing(heap: Heap) -> None:
    queue, other = heap.instance("queue.Queue"), heap.instance("queue.SimpleQueue")
    registry = heap.instance("app.Server", threadCallQueue=heap.deque(putting(heap, queue)))

    assert ending(heap, queue, reactor(heap, putting(heap, other))) is None
    assert ending(heap, queue, reactor(heap)) is None
    assert ending(heap, queue, registry) is None


def test_a_call_is_found_through_the_arguments_of_another(heap: Heap) -> None:
    queue = heap.instance("queue.Queue")
    inner = heap.method(queue, heap.function("waits", "put"))
    outer = heap.tuple_of(heap.function("method", "call"), heap.tuple_of(inner), heap.none)

    found = ending(heap, queue, reactor(heap, outer))

    assert found is not None
    assert found.function == "call"
