"""Which thread holds which Python lock: what must be claimed of literal stacks, and what must not.

A thread's frames are given innermost first.
"""

import pytest

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.model import Certainty
from tests.unit.backends.heap import Heap

ONE, OTHER = 11, 12
IDENTS = {0x7000: ONE, 0x8000: OTHER}
INSIDE = "it is inside `with` on the lock in "


def holds(
    heap: Heap, stacks: dict[int, tuple[Frame, ...]], awaited: dict[int, int] | None = None
) -> list[LockHold]:
    """All that can be told; *awaited*: the address of the lock that each waiting TID wants."""
    wanted = {tid: heap.read_lock(lock) for tid, lock in (awaited or {}).items()}
    return heap.ownership.holds(stacks, IDENTS, wanted)


def told(found: list[LockHold]) -> list[tuple[int, int, Certainty]]:
    return [(hold.tid, hold.lock.address, hold.certainty) for hold in found]


def inside(
    heap: Heap, lock: int, stop: str = "inside", function: str = "with_one"
) -> tuple[Frame, ...]:
    """The stack of a thread in a ``with`` on *lock*."""
    return heap.stack(heap.call(function, stop, exits=(heap.exit(lock),), lock=lock))


def acquired(heap: Heap, lock: int, stop: str = "acquired") -> tuple[Frame, ...]:
    """The stack of a thread that took *lock* without ``with``."""
    return heap.stack(heap.call("acquires", stop, lock=lock))


# -- plain locks --------------------------------------------------------------------------------


def test_inside_of_a_with_on_a_locked_lock_proves_it(heap: Heap) -> None:
    lock = heap.lock()

    (hold,) = holds(heap, {ONE: inside(heap, lock), OTHER: ()})

    assert told([hold]) == [(ONE, lock, Certainty.PROVEN)]
    assert hold.text == f"{INSIDE}with_one"
    assert hold.where == f"ownership.py:{heap.line('with_one', 'entering')}"


def test_a_lock_that_is_not_locked_is_held_by_nobody(heap: Heap) -> None:
    assert holds(heap, {ONE: inside(heap, heap.lock(locked=False))}) == []


@pytest.mark.parametrize("stop", ["entering", "behind"])
def test_who_is_not_inside_does_not_hold_it(heap: Heap, stop: str) -> None:
    lock = heap.lock()

    assert holds(heap, {ONE: inside(heap, lock, stop), OTHER: ()}, {ONE: lock}) == []


def test_of_two_threads_inside_neither_is_proven(heap: Heap) -> None:
    lock = heap.lock()

    found = holds(heap, {ONE: inside(heap, lock), OTHER: inside(heap, lock)})

    assert told(found) == [(ONE, lock, Certainty.INFERRED), (OTHER, lock, Certainty.INFERRED)]
    assert found[0].text == f"{INSIDE}with_one, but so are 1 other thread(s)"


def test_what_was_given_back_on_the_way_is_not_proven(heap: Heap) -> None:
    lock = heap.lock()

    before = holds(heap, {ONE: inside(heap, lock, "before it is given back", "with_given_back")})
    after = holds(heap, {ONE: inside(heap, lock, "given back", "with_given_back")})

    assert told(before) == [(ONE, lock, Certainty.PROVEN)]
    assert told(after) == [(ONE, lock, Certainty.INFERRED)]
    assert after[0].text.endswith(", but a release() on the way may have given it back")


def test_what_a_called_function_may_have_given_back_is_not_proven(heap: Heap) -> None:
    lock = heap.lock()
    outer = heap.call("with_one", "inside", exits=(heap.exit(lock),), lock=lock)

    harmless = heap.stack(heap.call("acquires", "released", lock=heap.lock()), outer)
    giving = heap.stack(heap.call("acquires", "released", lock=lock), outer)

    assert told(holds(heap, {ONE: harmless})) == [(ONE, lock, Certainty.PROVEN)]
    assert told(holds(heap, {ONE: giving})) == [(ONE, lock, Certainty.INFERRED)]


def test_another_lock_given_back_changes_nothing(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()
    call = heap.call(
        "with_another_given_back",
        "the other given back",
        exits=(heap.exit(lock),),
        lock=lock,
        other=other,
    )

    assert told(holds(heap, {ONE: heap.stack(call)})) == [(ONE, lock, Certainty.PROVEN)]


def test_what_condition_wait_gave_back_is_not_held(heap: Heap) -> None:
    lock = heap.lock()
    condition = heap.instance("threading.Condition", _lock=lock)
    outer = heap.call("with_one", "inside", exits=(heap.exit(lock),), lock=condition)
    file = "/usr/lib/python3/threading.py"
    name = "Condition.wait"
    there = heap.call("waits", "in a wait", name=name, file=file, self=condition)
    elsewhere = heap.call("waits", "in a wait", name=name, self=condition)

    assert holds(heap, {ONE: heap.stack(there, outer)}) == []
    assert told(holds(heap, {ONE: heap.stack(elsewhere, outer)})) == [(ONE, lock, Certainty.PROVEN)]


def guarded(heap: Heap, leaves: str, lock: int, other: int) -> tuple[Frame, ...]:
    """A stack inside of a ``with`` on a wrapper that takes *lock*."""
    heap.kind("app.Guard", __enter__=heap.function("enters_by_acquire", "__enter__"))
    manager = heap.instance("app.Guard", lock=lock, other=other)
    method = heap.method(manager, heap.function(leaves, "__exit__"))
    return heap.stack(heap.call("with_one", "inside", exits=(method,), lock=manager))


def test_a_wrapper_proves_what_it_takes_and_gives_back(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()

    (hold,) = holds(heap, {ONE: guarded(heap, "leaves_by_release", lock, other)})

    assert told([hold]) == [(ONE, lock, Certainty.PROVEN)]
    assert hold.text == f"{INSIDE}with_one, through Guard, which wraps self.lock"


def test_a_wrapper_that_gives_back_another_lock_proves_nothing(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()
    stack = guarded(heap, "leaves_by_release_of_another", lock, other)

    assert told(holds(heap, {ONE: stack})) == [(ONE, other, Certainty.INFERRED)]
    assert heap.ownership.entered(heap.read_lock(other), {ONE: stack}) == []


def test_who_is_about_to_take_it_again_does_not_hold_it(heap: Heap) -> None:
    lock = heap.lock()
    stack = inside(heap, lock, "taking again", "with_taken_again")

    assert holds(heap, {ONE: stack, OTHER: ()}, {ONE: lock}) == []


def test_who_takes_it_twice_holds_it(heap: Heap) -> None:
    """It called acquire() inside of its own ``with`` and goes on to call release()."""
    lock = heap.lock()
    stack = inside(heap, lock, "taking twice", "with_taken_twice")

    assert told(holds(heap, {ONE: stack, OTHER: ()}, {ONE: lock})) == [
        (ONE, lock, Certainty.PROVEN)
    ]


def test_who_waits_by_acquire_and_never_releases_may_take_it_again(heap: Heap) -> None:
    """As a condition that somebody wrote: it gave the lock back for as long as it waits."""
    lock = heap.lock()
    outer = heap.call("with_one", "inside", exits=(heap.exit(lock),), lock=lock)
    stack = heap.stack(heap.call("waits", "in a wait", waiter=lock), outer)

    (hold,) = holds(heap, {ONE: stack, OTHER: ()}, {ONE: lock})

    assert told([hold]) == [(ONE, lock, Certainty.INFERRED)]
    assert hold.text.endswith(", but it waits like one that takes back what it released")


def test_who_waits_does_not_hold_what_another_is_seen_to_have(heap: Heap) -> None:
    lock = heap.lock()
    waiter = inside(heap, lock, "taking twice", "with_taken_twice")

    found = holds(heap, {ONE: waiter, OTHER: inside(heap, lock)}, {ONE: lock})

    assert told(found) == [(OTHER, lock, Certainty.PROVEN)]


# -- locks that record their owner, semaphores, locks that processes share ------------------------


def test_a_reentrant_lock_names_its_owner(heap: Heap) -> None:
    lock = heap.rlock(0x7000)

    (hold,) = holds(heap, {ONE: inside(heap, lock), OTHER: inside(heap, lock)}, {OTHER: lock})

    assert told([hold]) == [(ONE, lock, Certainty.CERTAIN)]
    assert hold.where is not None


def test_the_record_counts_where_no_frame_says_anything(heap: Heap) -> None:
    lock = heap.rlock(0x7000)

    assert told(holds(heap, {ONE: (), OTHER: ()}, {OTHER: lock})) == [
        (ONE, lock, Certainty.CERTAIN)
    ]


@pytest.mark.parametrize("owner", [0, 0x9000], ids=["free", "of an unknown thread"])
def test_a_reentrant_lock_without_a_known_owner(heap: Heap, owner: int) -> None:
    lock = heap.rlock(owner)

    assert holds(heap, {ONE: inside(heap, lock), OTHER: ()}, {OTHER: lock}) == []


@pytest.mark.parametrize(
    ("kind", "attribute", "certainty"),
    [
        ("threading.BoundedSemaphore", "_initial_value", Certainty.PROVEN),
        ("threading.Semaphore", "_value", Certainty.INFERRED),
    ],
)
def test_a_semaphore_is_blocked_by_those_that_have_all_units(
    heap: Heap, kind: str, attribute: str, certainty: Certainty
) -> None:
    semaphore = heap.instance(kind, **{attribute: heap.integer(2)})
    both = {ONE: inside(heap, semaphore), OTHER: inside(heap, semaphore)}

    assert told(holds(heap, both)) == [(ONE, semaphore, certainty), (OTHER, semaphore, certainty)]


def test_one_unit_of_two_proves_nothing(heap: Heap) -> None:
    semaphore = heap.instance("threading.BoundedSemaphore", _initial_value=heap.integer(2))

    (hold,) = holds(heap, {ONE: inside(heap, semaphore), OTHER: ()})

    assert hold.certainty is Certainty.INFERRED
    assert hold.text.endswith("which holds a unit; others may hold more")


def test_of_what_processes_share_nothing_is_claimed_here(heap: Heap) -> None:
    assert holds(heap, {ONE: inside(heap, heap.shared_lock())}) == []


# -- acquire() without with -----------------------------------------------------------------------


def test_acquire_on_every_path_is_a_hint(heap: Heap) -> None:
    lock = heap.lock()

    (hold,) = holds(heap, {ONE: acquired(heap, lock), OTHER: ()}, {OTHER: lock})

    assert told([hold]) == [(ONE, lock, Certainty.INFERRED)]
    assert hold.where == f"ownership.py:{heap.line('acquires', 'acquiring')}"


def test_the_hint_counts_only_where_somebody_waits(heap: Heap) -> None:
    assert holds(heap, {ONE: acquired(heap, heap.lock()), OTHER: ()}) == []


@pytest.mark.parametrize("stop", ["before acquire", "acquiring", "released"])
def test_what_is_not_acquired_yet_or_was_released(heap: Heap, stop: str) -> None:
    lock = heap.lock()
    other = heap.stack(heap.call("with_one", "entering", lock=lock))

    found = holds(heap, {ONE: acquired(heap, lock, stop), OTHER: other}, {ONE: lock, OTHER: lock})

    assert found == []


def test_a_lock_that_was_just_given_back_is_held_by_nobody(heap: Heap) -> None:
    lock = heap.lock(locked=False)

    assert holds(heap, {ONE: acquired(heap, lock), OTHER: ()}, {OTHER: lock}) == []


def test_what_a_called_function_released_is_not_acquired(heap: Heap) -> None:
    lock = heap.lock()
    stack = heap.stack(
        heap.call("acquires", "released", lock=lock),
        heap.call("guarded_by_others", "guarded, taken elsewhere", lock=lock),
    )

    assert [hold.where for hold in holds(heap, {ONE: stack, OTHER: ()}, {OTHER: lock})] == [None]


def test_a_proof_makes_hints_needless(heap: Heap) -> None:
    lock = heap.lock()
    third = heap.stack(heap.call("with_one", "entering", lock=lock))
    stacks = {ONE: inside(heap, lock), OTHER: acquired(heap, lock), 13: third}

    assert told(holds(heap, stacks, {13: lock})) == [(ONE, lock, Certainty.PROVEN)]


def test_who_is_to_release_it_is_a_hint_where_nobody_took_it(heap: Heap) -> None:
    """As where a lock is used for a signal."""
    lock = heap.lock()
    signaller = heap.stack(heap.call("releases_later", "to be released", lock=lock))

    (hold,) = holds(heap, {ONE: signaller, OTHER: ()}, {OTHER: lock})

    assert told([hold]) == [(ONE, lock, Certainty.INFERRED)]
    assert hold.text == "its function goes on to call release() on it, and takes it nowhere before"
    assert hold.where is None


def test_only_the_only_thread_may_hold_what_its_function_waits_for(heap: Heap) -> None:
    """Among others it rather gave the lock back, or waits for a signal."""
    lock = heap.lock()
    stack = acquired(heap, lock)

    assert told(holds(heap, {ONE: stack}, {ONE: lock})) == [(ONE, lock, Certainty.INFERRED)]
    assert holds(heap, {ONE: stack, OTHER: ()}, {ONE: lock}) == []


def test_who_waits_below_the_function_that_took_it_and_is_to_release_it(heap: Heap) -> None:
    lock = heap.lock()
    inner = heap.call("with_one", "entering", lock=lock)
    stack = heap.stack(inner, heap.call("acquires", "acquired", lock=lock))

    found = holds(heap, {ONE: stack, OTHER: ()}, {ONE: lock})

    assert told(found) == [(ONE, lock, Certainty.INFERRED)]


# -- who entered ----------------------------------------------------------------------------------


def test_who_entered_a_lock(heap: Heap) -> None:
    """Asked of a lock that another thread gave away since: whether it is locked does not count."""
    address = heap.lock(locked=False)
    lock, other = heap.read_lock(address), heap.read_lock(heap.lock())
    stacks = {ONE: inside(heap, address), OTHER: inside(heap, address, "behind")}

    assert told(heap.ownership.entered(lock, stacks)) == [(ONE, address, Certainty.PROVEN)]
    assert heap.ownership.entered(other, stacks) == []
