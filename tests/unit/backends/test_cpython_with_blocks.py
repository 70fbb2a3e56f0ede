"""Which ``with`` blocks a frame is inside of, by its bytecode and its stack of values alone."""

import pytest

from hangtui.backends.cpython.with_blocks import WithBlock
from tests.unit.backends.heap import Heap


def blocks(heap: Heap, function: str, stop: str, *locks: int) -> tuple[WithBlock, ...]:
    """Those of a frame whose stack of values holds the ``__exit__`` of *locks*."""
    exits = tuple(heap.exit(lock) for lock in locks)
    (frame,) = heap.stack(heap.call(function, stop, exits=exits))
    return heap.blocks.of(frame)


def test_a_block_that_was_entered(heap: Heap) -> None:
    lock = heap.lock()

    (block,) = blocks(heap, "with_one", "inside", lock)

    assert block.manager == lock
    bound = heap.objects.bound_to(block.exit_method)
    assert bound == (0 if heap.layout.since(3, 14) else lock)  # there its self lies beside it
    assert block.line == heap.line("with_one", "entering")


@pytest.mark.parametrize("stop", ["entering", "behind"])
def test_no_block_before_it_is_entered_or_after_it(heap: Heap, stop: str) -> None:
    """What lies in the slot may be left from before."""
    assert blocks(heap, "with_one", stop, heap.lock()) == ()


def test_blocks_within_each_other_come_outermost_first(heap: Heap) -> None:
    first, second = heap.lock(), heap.lock()

    both = blocks(heap, "with_two", "inside of both", first, second)
    one = blocks(heap, "with_two", "inside of the first", first, second)

    assert [block.manager for block in both] == [first, second]
    assert [block.manager for block in one] == [first]


def test_an_exit_written_in_python(heap: Heap) -> None:
    manager = heap.instance("app.Guard")
    method = heap.method(manager, heap.function("leaves_by_release", "__exit__"))
    (frame,) = heap.stack(heap.call("with_one", "inside", exits=(method,)))

    assert [block.manager for block in heap.blocks.of(frame)] == [manager]


@pytest.mark.parametrize("function", ["guarded", "guarded_by_others"])
def test_a_try_block_is_none(heap: Heap, function: str) -> None:
    stop = {"guarded": "guarded", "guarded_by_others": "guarded, taken elsewhere"}[function]
    assert blocks(heap, function, stop, heap.lock()) == ()


def test_what_is_bound_to_nothing_is_none(heap: Heap) -> None:
    (frame,) = heap.stack(heap.call("with_one", "inside", exits=(heap.function("work"),)))

    assert heap.blocks.of(frame) == ()
