"""What tells that who waits in a package has come back meanwhile, in literal memory."""

import pytest

from hangtui.backends.cpython.bindings import Bindings
from tests.unit.backends.heap import Heap

SITE = "/srv/lib/python3.12/site-packages/celery/result.py"


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [("3f1c", "3f1c", True), ("3f1c", "9a07", False)],
    ids=["the same task", "the next one"],
)
def test_the_texts_of_the_object_whose_method_it_waits_in(
    heap: Heap, then: str, now: str, *, same: bool
) -> None:
    result = heap.instance("celery.Result", id=heap.text(then))
    other = heap.instance("celery.Result", id=heap.text(now))
    found = []
    for one in (result, other if not same else result):
        calls = (
            heap.call("method", "in a method", file=SITE, self=one),
            heap.call("acquires", "acquired", lock=0),
        )
        found.append(Bindings(heap.objects).of(heap.stack(*calls)))

    assert None not in found
    assert (found[0] == found[1]) is same


def test_nothing_is_told_of_who_waits_in_no_package(heap: Heap) -> None:
    stack = heap.stack(heap.call("acquires", "acquired", lock=0))

    assert Bindings(heap.objects).of(stack) is None
