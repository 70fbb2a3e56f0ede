"""Suspended generators that functions keep: backends/cpython/generators.py."""

from tests.unit.backends.heap import Call, Heap

ONE = 11
PACKAGE = "/srv/venv/lib/python3.12/site-packages/pluggy/_callers.py"


def suspended(heap: Heap) -> int:
    """A generator that waits inside of its ``with`` block."""
    manager = heap.instance("app.Manager")
    return heap.generator(
        heap.call("generator", "suspended inside", exits=(heap.exit(manager),), lock=manager)
    )


def test_a_package_keeps_a_list_of_generators_while_it_calls_the_application(heap: Heap) -> None:
    teardowns = heap.list_of(heap.tuple_of(suspended(heap), heap.none))
    stack = heap.stack(
        Call("with_one", "entering", {}),
        Call("with_one", "entering", {"lock": teardowns}, file=PACKAGE),
    )

    (found,) = heap.traces.generators.blocks({ONE: stack})

    assert (found.keeper, found.direct) == (ONE, True)


def test_not_where_the_application_has_called_the_package(heap: Heap) -> None:
    stack = heap.stack(
        Call("with_one", "entering", {"lock": heap.list_of(suspended(heap))}, file=PACKAGE),
        Call("with_one", "entering", {}),
    )

    assert heap.traces.generators.blocks({ONE: stack}) == []
