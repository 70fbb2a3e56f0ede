"""What a frame seems to have taken with ``acquire()``, by its bytecode alone."""

from typing import Any, cast

import pytest

from hangtui.backends.cpython.positions import Positions
from tests.unit.backends.heap import Heap

ON_EVERY_PATH = "every path to its line calls acquire(), and none release() since"
BY_HANDLER = "it is inside a try block whose handler releases the lock"


def signs(heap: Heap, function: str, stop: str, lock: int) -> list[tuple[int, str]]:
    """The objects that a frame seems to hold, and the signs of it."""
    (frame,) = heap.stack(heap.call(function, stop, lock=lock))
    return [(sign.object, sign.text) for sign in heap.signs.of(frame)]


def test_what_every_path_acquires(heap: Heap) -> None:
    lock = heap.lock()

    assert signs(heap, "acquires", "acquired", lock) == [(lock, ON_EVERY_PATH)]


def test_the_line_is_that_of_acquire(heap: Heap) -> None:
    (frame,) = heap.stack(heap.call("acquires", "acquired", lock=heap.lock()))

    assert [sign.line for sign in heap.signs.of(frame)] == [heap.line("acquires", "acquiring")]


@pytest.mark.parametrize(
    ("function", "stop"),
    [
        ("acquires", "before acquire"),
        ("acquires", "acquiring"),
        ("acquires", "released"),
        ("acquires_perhaps", "perhaps acquired"),
        ("tries_to_acquire", "tried to acquire"),
        ("guarded_for_nothing", "guarded, not taken yet"),
        ("releases_later", "to be released"),
        ("with_one", "inside"),
    ],
)
def test_what_may_not_be_acquired(heap: Heap, function: str, stop: str) -> None:
    assert signs(heap, function, stop, heap.lock()) == []


def test_a_handler_that_releases(heap: Heap) -> None:
    lock = heap.lock()

    assert set(signs(heap, "guarded", "guarded", lock)) == {
        (lock, BY_HANDLER),
        (lock, ON_EVERY_PATH),
    }
    assert signs(heap, "guarded_by_others", "guarded, taken elsewhere", lock) == [
        (lock, BY_HANDLER)
    ]


def test_the_line_of_a_handler_is_that_of_its_release(heap: Heap) -> None:
    stop = "guarded, taken elsewhere"
    (frame,) = heap.stack(heap.call("guarded_by_others", stop, lock=heap.lock()))

    (sign,) = heap.signs.of(frame)

    assert sign.line == heap.line("guarded_by_others", stop) + 2


def test_a_variable_that_is_unbound_is_no_lock(heap: Heap) -> None:
    assert signs(heap, "acquires", "acquired", 0) == []


def test_what_a_method_calls_acquire_on(heap: Heap) -> None:
    lock = heap.lock()
    manager = heap.instance("app.Guard", lock=lock)
    enter = heap.function("enters_by_acquire")

    assert heap.signs.used(enter, manager, ("acquire",)) == [("lock", lock)]
    assert heap.signs.used(enter, manager, ("release",)) == []
    assert heap.signs.used(enter, heap.instance("app.Guard"), ("acquire",)) == []
    assert heap.signs.used(heap.exit(lock), manager, ("acquire",)) == []


def test_attributes_in_slots_are_followed(heap: Heap) -> None:
    class Slots:
        def slot(self, _: int, name: str) -> int:
            return 0x40 if name == "lock" else 0

    positions = Positions(heap.objects, heap.frames, cast("Any", Slots()))
    guard = heap.instance("app.Guard")

    assert positions.follow(guard, ("lock",)) == 0x40
    assert positions.follow(guard, ("other",)) is None
    assert Positions(heap.objects, heap.frames).follow(guard, ("lock",)) is None
