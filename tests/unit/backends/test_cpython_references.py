"""What frames refer to, and which way leads from object to object, in literal memory."""

from collections.abc import Callable

import pytest

from hangtui.backends.cpython.references import How, References
from hangtui.backends.limits import BudgetSpentError
from tests.unit.backends.heap import Call, Heap

STACK = "contextlib.ExitStack"
GENERATOR = "contextlib._GeneratorContextManager"


def seen(
    heap: Heap, function: str, stop: str, *exits: int, **variables: int
) -> set[tuple[How, int]]:
    """How a frame refers to which objects."""
    frames = heap.stack(Call(function, stop, variables, exits))
    return {(one.how, one.address) for one in heap.references.seen(frames)}


def test_variables_and_what_was_entered(heap: Heap) -> None:
    lock, manager = heap.instance("app.Lock"), heap.instance("app.Manager")
    exit_method = heap.exit(manager)

    found = seen(heap, "with_one", "inside", exit_method, lock=lock)

    assert {(How.WITH, manager), (How.LOCAL, lock), (How.STACK, manager)} <= found


def test_a_manager_is_not_entered_before_its_with_or_behind_it(heap: Heap) -> None:
    manager = heap.instance("app.Manager")

    for stop in ("entering", "behind"):
        found = seen(heap, "with_one", stop, heap.exit(manager), lock=manager)
        assert {one for one in found if one[0] is How.WITH} == set()


def test_what_a_cell_variable_contains(heap: Heap) -> None:
    inner = heap.instance("app.Pool")

    assert (How.LOCAL, inner) in seen(heap, "method", "in a method", self=heap.cell(inner))


def test_the_line_of_the_with(heap: Heap) -> None:
    manager = heap.instance("app.Manager")
    frames = heap.stack(heap.call("with_one", "inside", exits=(heap.exit(manager),)))

    (found,) = (one for one in heap.references.seen(frames) if one.how is How.WITH)

    assert found.line == heap.line("with_one", "entering")
    assert found.frame == frames[0]


def test_behind_a_generator_and_an_exit_stack(heap: Heap) -> None:
    inner, local = heap.instance("app.Inner"), heap.instance("app.Local")
    call = heap.call("generator", "suspended inside", exits=(heap.exit(inner),), lock=local)
    manager = heap.instance(GENERATOR, gen=heap.generator(call))
    pushed = heap.deque(heap.tuple_of(heap.none, heap.exit(manager)))
    stack = heap.instance(STACK, _exit_callbacks=pushed)

    found = seen(heap, "with_one", "inside", heap.exit(stack))

    assert {(How.WITH, stack), (How.WITH, manager), (How.WITH, inner)} <= found
    assert (How.BEHIND_WITH, local) in found


def test_managers_that_contain_each_other_end(heap: Heap) -> None:
    block = heap.room(8)
    stack = heap.instance(STACK, _exit_callbacks=block)
    again = heap.deque(*[heap.tuple_of(heap.none, heap.exit(stack))] * 30)
    heap.put(stack, _attributes(heap, again))

    found = seen(heap, "with_one", "inside", heap.exit(stack))

    assert {one for one in found if one[0] is How.WITH} == {(How.WITH, stack)}


def _attributes(heap: Heap, deque: int) -> tuple[int, str, int]:
    """The place of an instance's dict, with one that has *deque* as ``_exit_callbacks``."""
    new = heap.layout.since(3, 11)
    place = -heap.layout.before_object - 8 if new else 16
    return place, "Q", heap.dict_of(_exit_callbacks=deque)


WAYS: dict[str, tuple[Callable[[Heap, int], int], tuple[str, ...]]] = {
    "itself": (lambda _, goal: goal, ()),
    "an attribute": (lambda heap, goal: heap.instance("app.A", pool=goal), ("pool",)),
    "a cell": (lambda heap, goal: heap.cell(goal), ("cell_contents",)),
    "a bound method": (
        lambda heap, goal: heap.method(goal, heap.function("work")),
        ("__self__",),
    ),
    "a method of C code": (lambda heap, goal: heap.builtin_method(goal), ("[]",)),
    "a list": (lambda heap, goal: heap.list_of(heap.none, goal), ("[]",)),
    "a tuple": (lambda heap, goal: heap.tuple_of(goal), ("[]",)),
    "a set": (lambda heap, goal: heap.set_of(goal), ("[]",)),
    "a deque": (lambda heap, goal: heap.deque(goal), ("[]",)),
    "a weak reference": (lambda heap, goal: heap.weak(goal), ("()",)),
    "a dict": (lambda heap, goal: heap.dict_of(main=goal), ("main",)),
    "a suspended generator": (
        lambda heap, goal: heap.generator(heap.call("generator", "suspended inside", lock=goal)),
        ("lock",),
    ),
    "two steps": (
        lambda heap, goal: heap.instance("app.B", a=heap.instance("app.A", b=goal)),
        ("a", "b"),
    ),
}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_through(heap: Heap, name: str) -> None:
    make, way = WAYS[name]
    goal, other = heap.instance("app.Pool"), heap.instance("app.Other")
    start = make(heap, goal)

    assert heap.references.path(start, {goal}) == way
    assert heap.references.path(start, {other}) is None


def test_a_way_has_so_many_steps(heap: Heap) -> None:
    goal = heap.instance("app.Pool")
    start = goal
    for _ in range(4):
        start = heap.instance("app.Link", next=start)

    assert heap.references.path(start, {goal}) is None
    assert heap.references.path(start, {goal}, 4) == ("next",) * 4


def test_objects_that_refer_to_each_other_end(heap: Heap) -> None:
    first = heap.instance("app.Link", next=heap.none)
    second = heap.instance("app.Link", next=first)
    new = heap.layout.since(3, 11)
    place = -heap.layout.before_object - 8 if new else 16
    heap.put(first, (place, "Q", heap.dict_of(next=second)))

    assert heap.references.path(first, {heap.instance("app.Pool")}, 50) is None


def test_the_attribute_at_the_end_of_a_way(heap: Heap) -> None:
    goal = heap.instance("app.Pool")
    start = heap.instance("app.B", a=heap.instance("app.A", b=goal))

    assert heap.references.attribute(start, "a", "b") == goal
    assert heap.references.attribute(start, "a", "c") == 0
    assert heap.references.attribute(0, "a") == 0


def test_what_is_no_object_leads_nowhere(heap: Heap) -> None:
    goal = heap.instance("app.Pool")

    for start in (0, 8, 0xDEAD_BEE8, heap.room(8)):
        assert heap.references.path(start, {goal}) is None


def test_a_container_of_many_is_looked_into_but_not_through(heap: Heap) -> None:
    goal, other = heap.instance("app.Pool"), heap.instance("app.Other")
    many = heap.list_of(goal, *[heap.none] * 5000, other)
    before = heap.objects.memory.spent._objects.spent

    assert heap.references.path(many, {goal}) == ("[]",)
    assert heap.references.path(many, {other}) is None
    assert heap.objects.memory.spent._objects.spent - before < 300


def test_each_object_is_looked_at_once(heap: Heap) -> None:
    goal = heap.instance("app.Pool")
    start = heap.list_of(*(heap.instance("app.Item", n=heap.integer(n)) for n in range(50)))

    assert heap.references.path(start, {goal}) is None
    before = heap.objects.memory.spent._objects.spent
    assert heap.references.path(start, {heap.instance("app.Other")}) is None

    assert heap.objects.memory.spent._objects.spent == before


def test_what_thousands_share_is_walked_through_once(heap: Heap) -> None:
    goals = [heap.instance("app.Request", n=heap.integer(n)) for n in range(40)]
    shared = heap.instance("app.Server", **{f"request_{n}": one for n, one in enumerate(goals)})
    references, walked = heap.references, []
    whole = list(references.walk(shared))

    def referents(address: int) -> tuple[tuple[str, int], ...]:
        walked.append(address)
        return References.referents(references, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(references, "referents", referents)
        found = [references.path(shared, {one}) for one in goals]
        assert list(references.walk(shared)) == whole

    assert found == [(f"request_{n}",) for n in range(40)]
    assert len(walked) < 2 * len(whole)
    assert references.path(shared, {goals[1], goals[0]}) == ("request_0",)


def test_variables_are_read_anew_with_the_rest(heap: Heap) -> None:
    before, after = heap.instance("app.Lock"), heap.instance("app.Lock")
    (frame,) = heap.stack(heap.call("with_one", "inside", lock=before))
    assert heap.frames.variables(frame)["lock"] == before
    heap.put(frame.slots, (8 * frame.code.variables.index("lock"), "Q", after))

    assert heap.frames.variables(frame)["lock"] == before
    heap.objects.memory.forget()
    assert heap.frames.variables(frame)["lock"] == after


def test_a_spent_budget_ends_it(heap: Heap) -> None:
    goal = heap.instance("app.Pool")
    start = heap.instance("app.A", pool=goal)
    spent = heap.objects.memory.spent
    spent._objects.bound = spent._objects.spent

    with pytest.raises(BudgetSpentError):
        heap.references.path(start, {goal})
