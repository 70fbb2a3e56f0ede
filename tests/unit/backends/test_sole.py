"""Objects that nothing but variables of frames refers to, on literal memory."""

import pytest

from hangtui.backends.cpython.wakers.sole import Sole
from tests.unit.backends.heap import VERSIONS, Call, Heap


@pytest.fixture(params=VERSIONS, ids=lambda one: f"{one[0]}.{one[1]}")
def heap(request: pytest.FixtureRequest) -> Heap:
    return Heap(request.param)


def counted(heap: Heap, references: int) -> int:
    """An object that is referred to so often."""
    address = heap.instance("asyncio.locks.Event")
    heap.put(address, (0, "Q", references))
    return address


def test_who_has_all_references_has_it_alone(heap: Heap) -> None:
    event = counted(heap, 2)
    frames = [
        *heap.stack(Call("with_one", "behind", {"lock": event})),
        *heap.stack(Call("with_one", "behind", {"lock": event})),
    ]

    assert Sole(heap.objects).of({event}, frames) == {event}


def test_one_more_reference_may_be_anybodys(heap: Heap) -> None:
    event = counted(heap, 2)
    frames = heap.stack(Call("with_one", "behind", {"lock": event}))

    assert Sole(heap.objects).of({event}, frames) == frozenset()


def test_one_more_reference_may_be_known(heap: Heap) -> None:
    event = counted(heap, 2)
    frames = heap.stack(Call("with_one", "behind", {"lock": event}))

    assert Sole(heap.objects).of({event}, frames, {event}) == {event}


def test_a_frame_that_is_met_twice_counts_once(heap: Heap) -> None:
    event = counted(heap, 2)
    frames = heap.stack(Call("with_one", "behind", {"lock": event}))

    assert Sole(heap.objects).of({event}, [*frames, *frames]) == frozenset()


def test_a_variable_of_a_closure_is_one_reference_of_whoever_has_its_cell(heap: Heap) -> None:
    event = counted(heap, 1)
    cell = heap.cell(event)
    heap.put(cell, (0, "Q", 1))
    frames = heap.stack(Call("with_one", "behind", {"lock": cell}))

    assert Sole(heap.objects).of({event}, frames) == {event}

    heap.put(cell, (0, "Q", 2))  # a function elsewhere has it as well
    assert Sole(heap.objects).of({event}, frames) == frozenset()


def test_what_is_never_freed_counts_nothing() -> None:
    heap = Heap((3, 13, 0))
    event = counted(heap, 3 << 30)
    frames = heap.stack(Call("with_one", "behind", {"lock": event}))

    assert Sole(heap.objects).of({event}, frames) == frozenset()


def test_a_function_that_was_defined_there_leads_no_further(heap: Heap) -> None:
    event = counted(heap, 1)
    cell = heap.cell(event)
    heap.put(cell, (0, "Q", 2))
    closure, function = heap.tuple_of(cell), heap.function("with_one")
    heap.put(closure, (0, "Q", 1))
    heap.put(function + heap.layout["func.func_closure"], (0, "Q", closure))
    heap.put(function, (0, "Q", 1))
    inner, outer = Call("with_one", "behind", {"lock": cell}), {"lock": function}
    frames = heap.stack(inner, Call("with_one", "behind", outer))

    assert Sole(heap.objects).of({event}, frames) == {event}

    heap.put(function, (0, "Q", 2))  # somebody may call it
    assert Sole(heap.objects).of({event}, frames) == frozenset()


def test_a_function_that_a_weak_reference_leads_to_may_be_called(heap: Heap) -> None:
    event = counted(heap, 1)
    cell = heap.cell(event)
    heap.put(cell, (0, "Q", 1))
    closure, function = heap.tuple_of(cell), heap.function("with_one")
    heap.put(closure, (0, "Q", 1))
    heap.put(function + heap.layout["func.func_closure"], (0, "Q", closure))
    heap.put(function, (0, "Q", 1))
    kind, weak = heap.kind("function"), 112
    heap.put(kind, (heap.layout["type.tp_dictoffset"] - 80, "q", weak))
    frames = heap.stack(Call("with_one", "behind", {"lock": function}))

    assert Sole(heap.objects).of({event}, frames) == {event}

    heap.put(function, (weak, "Q", 0x1000))
    assert Sole(heap.objects).of({event}, frames) == frozenset()


def test_what_is_known_to_refer_counts_as_often_as_it_does(heap: Heap) -> None:
    event = counted(heap, 3)
    frames = heap.stack(Call("with_one", "behind", {"lock": event}))

    assert Sole(heap.objects).of({event}, frames, [event, event]) == {event}
    assert Sole(heap.objects).of({event}, frames, [event]) == frozenset()


def test_a_weak_reference_leads_to_it_as_well(heap: Heap) -> None:
    event = counted(heap, 1)
    kind, weak = heap.kind("asyncio.locks.Event"), 48
    heap.put(kind, (heap.layout["type.tp_dictoffset"] - 80, "q", weak))
    frames = heap.stack(Call("with_one", "behind", {"lock": event}))

    assert Sole(heap.objects).of({event}, frames) == {event}

    heap.put(event, (weak, "Q", 0x1000))
    assert Sole(heap.objects).of({event}, frames) == frozenset()


def owner_of(heap: Heap, event: int, references: int, shared: int = 1) -> int:
    """An instance that has the event as an attribute; *shared*: references to its dict."""
    owner = heap.instance("aioresult.Future", _done_event=event)
    heap.put(owner, (0, "Q", references))
    heap.put(heap.objects.dictionary(owner), (0, "Q", shared))
    return owner


def test_an_attribute_of_what_nobody_else_has_leads_to_nobody_else(heap: Heap) -> None:
    event = counted(heap, 2)
    owner = owner_of(heap, event, 2)
    frames = [
        *heap.stack(Call("with_one", "behind", {"lock": owner})),
        *heap.stack(Call("with_one", "behind", {"lock": owner})),
    ]
    owners = {owner: [event]}

    assert Sole(heap.objects).of({event}, frames, {event}, owners) == {event}
    assert Sole(heap.objects).of({event}, frames, {event}) == frozenset()


def test_an_attribute_of_what_somebody_else_has_too_may_be_used_by_him(heap: Heap) -> None:
    event = counted(heap, 2)
    owner = owner_of(heap, event, 2)
    frames = heap.stack(Call("with_one", "behind", {"lock": owner}))

    assert Sole(heap.objects).of({event}, frames, {event}, {owner: [event]}) == frozenset()


def test_attributes_that_all_of_a_class_share_lead_to_others(heap: Heap) -> None:
    event = counted(heap, 2)
    owner = owner_of(heap, event, 1, shared=2)
    frames = heap.stack(Call("with_one", "behind", {"lock": owner}))

    assert Sole(heap.objects).of({event}, frames, {event}, {owner: [event]}) == frozenset()
