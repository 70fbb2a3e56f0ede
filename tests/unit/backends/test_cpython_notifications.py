"""What a ``Condition.wait`` is for, told by literal frames of the standard library."""

import pytest

from hangtui.backends.cpython.awaited import Awaited
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.notifications import Notifications
from hangtui.model import Certainty, NodeKind
from tests.unit.backends.heap import Call, Heap

THREADING = "/usr/lib/python3/threading.py"
QUEUE = "/usr/lib/python3/queue.py"
FUTURES = "/usr/lib/python3/concurrent/futures/"


def condition_wait(heap: Heap, condition: int, waiter: int, file: str = THREADING) -> Call:
    """The innermost frame of everything that waits by a condition."""
    return heap.call(
        "waits", "in a wait", name="Condition.wait", file=file, self=condition, waiter=waiter
    )


def method(heap: Heap, name: str, file: str, owner: int) -> Call:
    """A frame in a method of *owner*."""
    return heap.call("method", "in a method", name=name, file=file, self=owner)


def awaited(
    heap: Heap, *callers: Call, others: dict[int, tuple[Frame, ...]] | None = None
) -> Awaited | None:
    """What a thread waits for whose ``Condition.wait`` *callers* called."""
    lock = heap.lock()
    condition = heap.instance("threading.Condition", _lock=heap.lock())
    frames = heap.stack(condition_wait(heap, condition, lock), *callers)
    rules = Notifications(heap.objects, heap.frames, heap.locks, {0x7000: frames, **(others or {})})
    return rules.awaited(frames, heap.read_lock(lock))


def test_a_condition(heap: Heap) -> None:
    lock = heap.lock()
    condition = heap.instance("threading.Condition", _lock=heap.lock())
    frames = heap.stack(condition_wait(heap, condition, lock))

    found = Notifications(heap.objects, heap.frames, heap.locks, {}).awaited(
        frames, heap.read_lock(lock)
    )

    assert found is not None
    assert (found.kind, found.address, found.type_name, found.owners) == (
        NodeKind.CONDITION,
        condition,
        "threading.Condition",
        (),
    )


def test_it_waits_on_the_lock_that_its_frame_made_and_on_no_other(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()
    condition = heap.instance("threading.Condition", _lock=heap.lock())
    rules = Notifications(heap.objects, heap.frames, heap.locks, {})
    frames = heap.stack(condition_wait(heap, condition, lock))

    assert rules.awaited(frames, heap.read_lock(other)) is None
    assert rules.awaited(frames, None) is None
    assert rules.awaited((), heap.read_lock(lock)) is None


def test_a_wait_of_another_file_is_none(heap: Heap) -> None:
    lock = heap.lock()
    condition = heap.instance("app.Condition", _lock=heap.lock())
    rules = Notifications(heap.objects, heap.frames, heap.locks, {})
    frames = heap.stack(condition_wait(heap, condition, lock, "/srv/app/conditions.py"))

    assert rules.awaited(frames, heap.read_lock(lock)) is None


def test_an_event_and_what_only_looks_like_one(heap: Heap) -> None:
    event, other = heap.instance("threading.Event"), heap.instance("app.Signal")

    found = awaited(heap, method(heap, "Event.wait", THREADING, event))
    derived = awaited(heap, method(heap, "Event.wait", THREADING, other))
    elsewhere = awaited(heap, method(heap, "Event.wait", "/srv/app/events.py", event))

    assert found is not None
    assert (found.kind, found.address, found.owners) == (NodeKind.EVENT, event, ())
    assert [one and one.kind for one in (derived, elsewhere)] == [NodeKind.CONDITION] * 2


def test_a_semaphore_and_what_only_looks_like_one(heap: Heap) -> None:
    semaphore = heap.instance("threading.BoundedSemaphore", _value=heap.none)
    other = heap.instance("app.Lock")

    found = awaited(heap, method(heap, "Semaphore.acquire", THREADING, semaphore))
    without = awaited(heap, method(heap, "Semaphore.acquire", THREADING, other))

    assert found is not None
    assert (found.kind, found.address) == (NodeKind.SEMAPHORE, semaphore)
    assert found.lock == heap.locks.semaphore(semaphore)
    assert without is not None
    assert without.kind is NodeKind.CONDITION


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("get", "Queue.get: it waits for an item"),
        ("put", "Queue.put: it waits for room"),
        ("join", "Queue.join: it waits for task_done() of all items"),
    ],
)
def test_a_queue(heap: Heap, name: str, text: str) -> None:
    queue = heap.instance("queue.Queue", not_empty=heap.none)

    found = awaited(heap, method(heap, f"Queue.{name}", QUEUE, queue))

    assert found is not None
    assert (found.kind, found.address, found.text) == (NodeKind.QUEUE, queue, text)
    assert found.type_name == "queue.Queue"


@pytest.mark.parametrize("kept", ["variable", "attribute", "nowhere"])
def test_who_waits_at_the_condition_of_a_queue_himself_joins_it(heap: Heap, kept: str) -> None:
    lock = heap.lock()
    condition = heap.instance("threading.Condition", _lock=heap.lock())
    queue = heap.instance("queue.Queue", not_empty=heap.none, all_tasks_done=condition)
    owner = heap.instance("app.Worker", **({"_queue": queue} if kept == "attribute" else {}))
    caller = method(heap, "flush", "/srv/worker.py", queue if kept == "variable" else owner)
    frames = heap.stack(condition_wait(heap, condition, lock), caller)
    rules = Notifications(heap.objects, heap.frames, heap.locks, {0x7000: frames})

    found = rules.awaited(frames, heap.read_lock(lock))

    assert found is not None
    if kept == "nowhere":
        assert found.kind is NodeKind.CONDITION
    else:
        assert (found.kind, found.address, found.call) == (NodeKind.QUEUE, queue, "Queue.join")


def test_what_only_looks_like_a_queue(heap: Heap) -> None:
    queue, other = heap.instance("queue.Queue", not_empty=heap.none), heap.instance("app.Queue")

    answers = (
        awaited(heap, method(heap, "Queue.get", QUEUE, other)),
        awaited(heap, method(heap, "Queue.get", "/srv/app/pool.py", queue)),
        awaited(heap, method(heap, "Queue.peek", QUEUE, queue)),
    )

    assert [one and one.kind for one in answers] == [NodeKind.CONDITION] * 3


def test_a_barrier(heap: Heap) -> None:
    barrier, other = heap.instance("threading.Barrier"), heap.instance("app.Gate")

    def of(owner: int) -> Awaited | None:
        return awaited(
            heap,
            method(heap, "Condition.wait_for", THREADING, heap.none),
            method(heap, "Barrier._wait", THREADING, owner),
            method(heap, "Barrier.wait", THREADING, owner),
        )

    found, derived = of(barrier), of(other)
    assert found is not None
    assert (found.kind, found.address, found.owners) == (NodeKind.BARRIER, barrier, ())
    assert derived is not None
    assert derived.kind is NodeKind.CONDITION


# -- futures --------------------------------------------------------------------------------------


def future(
    heap: Heap, others: dict[int, tuple[Frame, ...]], future: int
) -> tuple[tuple[int, Certainty], ...]:
    """The threads that a ``Future.result`` waits for."""
    caller = method(heap, "Future.result", FUTURES + "_base.py", future)
    found = awaited(heap, caller, others=others)
    assert found is not None
    assert (found.kind, found.address) == (NodeKind.FUTURE, future)
    return tuple((owner.ident, owner.certainty) for owner in found.owners)


def pool_worker(heap: Heap, queue: int, *inner: Call) -> tuple[Frame, ...]:
    """The stack of a worker of the pool with this queue."""
    file = FUTURES + "thread.py"
    return heap.stack(
        *inner, heap.call("worker", "in a worker", name="_worker", file=file, work_queue=queue)
    )


def running(heap: Heap, future: int, file: str = FUTURES + "thread.py") -> Call:
    """The frame of a worker that runs the task of *future*."""
    item = heap.instance("concurrent.futures.thread._WorkItem", future=future)
    return method(heap, "_WorkItem.run", file, item)


def test_a_future_waits_for_the_worker_that_runs_it(heap: Heap) -> None:
    task, queue = heap.instance("concurrent.futures._base.Future"), heap.instance("queue.Queue")
    others = {
        1: pool_worker(heap, queue),
        2: pool_worker(heap, queue, running(heap, task)),
    }

    assert future(heap, others, task) == ((2, Certainty.PROVEN),)


def test_a_queued_future_waits_perhaps_for_any_worker_of_the_only_pool(heap: Heap) -> None:
    task, other = (heap.instance("concurrent.futures._base.Future") for _ in range(2))
    queue = heap.instance("queue.Queue")
    others = {
        1: pool_worker(heap, queue),
        2: pool_worker(heap, queue, running(heap, other)),
    }

    assert future(heap, others, task) == ((1, Certainty.INFERRED), (2, Certainty.INFERRED))


def test_of_two_pools_neither_is_named(heap: Heap) -> None:
    task = heap.instance("concurrent.futures._base.Future")
    first, second = heap.instance("queue.Queue"), heap.instance("queue.Queue")

    assert future(heap, {1: pool_worker(heap, first), 2: pool_worker(heap, second)}, task) == ()


def test_a_future_that_a_callback_leads_to_waits_for_who_runs_that_task(heap: Heap) -> None:
    job, other, queue = (heap.instance("app.Job"), heap.instance("app.Job"),
                         heap.instance("queue.Queue"))  # fmt: skip
    callback = heap.method(heap.instance("app.Pool", job=job), heap.function("method"))
    task = heap.instance("concurrent.futures._base.Future", _done_callbacks=heap.list_of(callback))
    others = {1: pool_worker(heap, queue, running(heap, task)), 2: pool_worker(heap, queue)}

    assert future(heap, others, job) == ((1, Certainty.INFERRED),)
    assert [one for one, _ in future(heap, others, other)] == [1, 2]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("concurrent.futures._base.Future", "waits for the task to"),
        ("tries.Again", "waits for the task (tries.Again) to"),
    ],
)
def test_a_future_of_a_packages_own_class_is_told_as_that(heap: Heap, kind: str, told: str) -> None:
    caller = method(heap, "Future.result", FUTURES + "_base.py", heap.instance(kind))
    found = awaited(heap, caller)
    assert found is not None
    assert told in found.text


@pytest.mark.parametrize(
    ("states", "name"),
    [
        (("CANCELLED", "CANCELLED"), "2 cancelled futures"),
        (("CANCELLED", "PENDING", "RUNNING"), "1 cancelled and 2 other futures"),
        (("CANCELLED",), "future that is cancelled"),
        (("PENDING", "RUNNING"), "2 futures"),
        ((), None),
    ],
)
def test_futures_that_are_cancelled_are_counted(
    heap: Heap, monkeypatch: pytest.MonkeyPatch, states: tuple[str, ...], name: str | None
) -> None:
    event = heap.instance("threading.Event")
    monkeypatch.setattr(Notifications, "_undone", lambda *_: dict(enumerate(states)))
    waiter = heap.instance("concurrent.futures._base._AllCompletedWaiter", event=event)
    file = FUTURES + "_base.py"
    caller = heap.call("waits", "in a wait", name="wait", file=file, waiter=waiter)
    found = awaited(heap, method(heap, "Event.wait", THREADING, event), caller)

    assert found is not None
    assert found.name == name
    assert ("set_running_or_notify_cancel" in (found.note or "")) is ("CANCELLED" in states)


def test_a_frame_that_only_looks_like_the_task(heap: Heap) -> None:
    task = heap.instance("concurrent.futures._base.Future")
    look_alike = heap.stack(running(heap, task, "/srv/app/thread.py"))

    assert future(heap, {1: look_alike}, task) == ()


@pytest.mark.parametrize(
    ("function", "file", "shares", "is_told"),
    [
        ("wait", FUTURES + "_base.py", True, True),
        ("as_completed", FUTURES + "_base.py", True, True),
        ("collect", FUTURES + "_base.py", True, False),
        ("wait", "/app/futures.py", True, False),
        ("wait", FUTURES + "_base.py", False, False),
    ],
    ids=["wait", "as_completed", "another function", "another file", "another event"],
)
def test_several_futures_at_once(
    heap: Heap, function: str, file: str, shares: bool, is_told: bool
) -> None:
    event, other = heap.instance("threading.Event"), heap.instance("threading.Event")
    waiter = heap.instance(
        "concurrent.futures._base._AllCompletedWaiter", event=event if shares else other
    )
    caller = heap.call("waits", "in a wait", name=function, file=file, waiter=waiter)
    found = awaited(heap, method(heap, "Event.wait", THREADING, event), caller)
    assert found is not None
    told = (found.kind, found.address, found.call)
    assert told == (
        (NodeKind.FUTURE, waiter, function) if is_told else (NodeKind.EVENT, event, "Event.wait")
    )
    assert found.owners == ()
