"""Which locks are behind a context manager that is entered, in literal memory."""

from hangtui.model import NodeKind
from tests.unit.backends.heap import Heap


def behind(heap: Heap, manager: int, exit_method: int = 0) -> list[tuple[int, bool]]:
    """The locks behind *manager*, and whether each is proven."""
    return [(found.lock.address, found.sure) for found in heap.managers.locks(manager, exit_method)]


def guard(heap: Heap, leaves: str, **attributes: int) -> tuple[int, int]:
    """An instance of a class that wraps a lock, and its bound ``__exit__``."""
    heap.kind("app.Guard", __enter__=heap.function("enters_by_acquire", "__enter__"))
    manager = heap.instance("app.Guard", **attributes)
    return manager, heap.method(manager, heap.function(leaves, "__exit__"))


def test_a_lock_is_its_own(heap: Heap) -> None:
    lock, reentrant = heap.lock(), heap.rlock(5)

    assert behind(heap, lock) == [(lock, True)]
    assert behind(heap, reentrant) == [(reentrant, True)]


def test_a_condition_has_a_lock(heap: Heap) -> None:
    lock = heap.rlock(5)
    condition = heap.instance("threading.Condition", _lock=lock)

    (found,) = heap.managers.locks(condition)

    assert (found.lock.address, found.via, found.sure) == (lock, "its Condition", True)
    assert [given.lock.address for given in heap.managers.given_back(condition)] == [lock]


def test_another_class_of_that_name_is_no_condition(heap: Heap) -> None:
    assert behind(heap, heap.instance("app.Condition", _lock=heap.lock())) == []


def test_a_semaphore_knows_its_units_if_it_is_bounded(heap: Heap) -> None:
    bounded = heap.instance("threading.BoundedSemaphore", _initial_value=heap.integer(3))
    plain = heap.instance("threading.Semaphore", _value=heap.integer(3))

    (first,), (second,) = heap.managers.locks(bounded), heap.managers.locks(plain)

    assert (first.lock.kind, first.lock.units) == (NodeKind.SEMAPHORE, 3)
    assert (second.lock.kind, second.lock.units) == (NodeKind.SEMAPHORE, None)


def test_a_lock_of_multiprocessing(heap: Heap) -> None:
    inner = heap.shared_lock()

    assert behind(heap, heap.instance("multiprocessing.synchronize.Lock", _semlock=inner)) == [
        (inner, True)
    ]


def test_a_generator_that_is_suspended_inside_of_a_with(heap: Heap) -> None:
    lock = heap.lock()
    inside = heap.generator(
        heap.call("generator", "suspended inside", exits=(heap.exit(lock),), lock=lock)
    )
    outside = heap.generator(
        heap.call("generator_without", "suspended outside", exits=(heap.exit(lock),), lock=lock)
    )
    kind = "contextlib._GeneratorContextManager"

    assert behind(heap, heap.instance(kind, gen=inside)) == [(lock, True)]
    assert behind(heap, heap.instance(kind, gen=outside)) == []
    assert behind(heap, heap.instance("app.Other", gen=inside)) == []


def test_what_was_pushed_on_an_exit_stack(heap: Heap) -> None:
    first, second = heap.lock(), heap.lock()
    pushed = heap.deque(*(heap.tuple_of(heap.none, heap.exit(lock)) for lock in (first, second)))
    callback = heap.deque(heap.tuple_of(heap.none, heap.function("work")))

    stack = heap.instance("contextlib.ExitStack", _exit_callbacks=pushed)
    other = heap.instance("contextlib.ExitStack", _exit_callbacks=callback)

    assert behind(heap, stack) == [(first, True), (second, True)]
    assert behind(heap, other) == []


def test_a_class_that_takes_and_gives_back_the_same_lock(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()

    assert behind(heap, *guard(heap, "leaves_by_release", lock=lock, other=other)) == [(lock, True)]


def test_a_class_that_gives_back_another_lock_than_it_takes_proves_nothing(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()

    found = behind(heap, *guard(heap, "leaves_by_release_of_another", lock=lock, other=other))

    assert found == [(other, False)]


def test_a_class_that_gives_nothing_back_has_no_lock(heap: Heap) -> None:
    assert behind(heap, *guard(heap, "method", lock=heap.lock())) == []


def test_wrappers_that_contain_each_other_end(heap: Heap) -> None:
    items = heap.deque(*(heap.tuple_of(heap.none, 0) for _ in range(2)))
    stack = heap.instance("contextlib.ExitStack", _exit_callbacks=items)
    first = heap.exit(stack)
    block = heap.objects.memory.u64(items + heap.layout["deque.leftblock"])
    entry = heap.tuple_of(heap.none, first)
    heap.put(block, *((heap.layout["dequeblock.data"] + 8 * i, "Q", entry) for i in range(2)))

    assert behind(heap, stack) == []


def test_a_class_on_an_exit_stack_that_wraps_a_lock(heap: Heap) -> None:
    lock = heap.lock()
    _, leave = guard(heap, "leaves_by_release", lock=lock)
    pushed = heap.deque(heap.tuple_of(heap.none, leave))

    assert behind(heap, heap.instance("contextlib.ExitStack", _exit_callbacks=pushed)) == [
        (lock, True)
    ]
