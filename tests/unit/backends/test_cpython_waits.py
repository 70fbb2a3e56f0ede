"""What a futex stands for in the interpreter, in literal memory."""

from collections.abc import Mapping
from typing import cast

import pytest

from hangtui.backends.cpython.awaited import Awaited
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.sharedlocks import SharedLocks
from hangtui.backends.cpython.threads import Threads
from hangtui.backends.cpython.waits import PythonWaits
from hangtui.model import Certainty, NodeKind
from tests.unit.backends.heap import Heap

IDENT, OTHER = 0x7000, 0x8000
BOOTSTRAP = "<frozen importlib._bootstrap>"
NOWHERE = 0
"""A stack pointer in no mapping: the native stack then says nothing."""


class NoModules:
    """The threads of an interpreter that has not imported multiprocessing."""

    def module(self, _: str) -> dict[str, int]:
        return {}


def awaited(
    heap: Heap,
    frames: tuple[Frame, ...],
    futex: int,
    *,
    ends: Mapping[range, int] | None = None,
    stack_pointer: int = NOWHERE,
) -> Awaited | None:
    """What a thread in *frames* waits for that sleeps on *futex*."""
    threads = cast("Threads", NoModules())
    shared = SharedLocks(heap.objects, heap.frames, threads, {1: frames})
    stacks = {IDENT: frames, OTHER: ()}
    waits = PythonWaits(heap.objects, heap.frames, heap.locks, ends or {}, stacks, shared)
    return waits.awaited(IDENT, futex, stack_pointer)


def entering(heap: Heap, lock: int) -> tuple[Frame, ...]:
    """A stack whose innermost frame refers to *lock*."""
    return heap.stack(heap.call("with_one", "entering", lock=lock))


def test_the_lock_whose_word_it_is(heap: Heap) -> None:
    address = heap.lock()
    lock = heap.read_lock(address)

    found = awaited(heap, entering(heap, address), lock.word)

    assert found is not None
    assert (found.kind, found.address, found.lock) == (NodeKind.LOCK, address, lock)
    assert (found.certainty, found.owners, found.recorded) == (Certainty.CERTAIN, (), None)


def test_a_lock_that_only_the_value_stack_refers_to(heap: Heap) -> None:
    address = heap.lock()
    frames = heap.stack(heap.call("with_one", "inside", exits=(heap.exit(address),)))

    found = awaited(heap, frames, heap.read_lock(address).word)

    assert found is not None
    assert found.address == address


def test_a_reentrant_lock_with_the_record_of_its_owner(heap: Heap) -> None:
    address = heap.rlock(OTHER)
    lock = heap.read_lock(address)

    found = awaited(heap, entering(heap, address), lock.word)

    assert found is not None
    assert (found.kind, found.recorded) == (NodeKind.RLOCK, (lock.owner_at, OTHER))


@pytest.mark.parametrize("beside", [-8, 4, 8])
def test_a_word_beside_that_of_the_lock_is_another(heap: Heap, beside: int) -> None:
    address = heap.lock()

    assert awaited(heap, entering(heap, address), heap.read_lock(address).word + beside) is None


def test_the_word_of_a_lock_that_the_frames_do_not_refer_to(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()

    assert awaited(heap, entering(heap, other), heap.read_lock(lock).word) is None


def test_a_lock_that_only_the_native_stack_refers_to(heap: Heap) -> None:
    lock, other = heap.lock(), heap.lock()
    stack = heap.room(64)
    heap.put(stack, (24, "Q", lock))

    found = awaited(heap, entering(heap, other), heap.read_lock(lock).word, stack_pointer=stack)

    assert found is not None
    assert found.address == lock


def test_a_parked_thread_sleeps_on_its_own_stack(heap: Heap) -> None:
    """From 3.13 on the entry around the futex names the word; before, such a futex is nobody's."""
    lock = heap.lock()
    frames = entering(heap, lock)
    stack = heap.room(64)
    heap.put(stack, (40, "Q", heap.read_lock(lock).word))

    found = awaited(heap, frames, stack + 48, stack_pointer=stack)

    if heap.layout.since(3, 13):
        assert found is not None
        assert found.address == lock
    else:
        assert found is None


def test_the_end_of_a_thread(heap: Heap) -> None:
    lock = heap.lock()
    ends = {range(lock, lock + 40): OTHER}

    found = awaited(heap, entering(heap, lock), heap.read_lock(lock).word, ends=ends)
    direct = awaited(heap, (), lock + 8, ends=ends)
    beside = awaited(heap, (), lock + 40, ends=ends)

    for one in (found, direct):
        assert one is not None
        assert one.kind is NodeKind.THREAD
        assert [(owner.ident, owner.certainty) for owner in one.owners] == [
            (OTHER, Certainty.PROVEN)
        ]
    assert beside is None


def importing(
    heap: Heap, owner: int, *, file: str = BOOTSTRAP, kind: str = "_ModuleLock", name: int = 0
) -> tuple[Frame, ...]:
    """A stack in ``acquire()`` of a module's lock; *name*: where its name is."""
    text = name or heap.text("app.models")
    lock = heap.instance(f"importlib.{kind}", name=text, owner=owner)
    call = heap.call("method", "in a method", name=f"{kind}.acquire", file=file, self=lock)
    return heap.stack(call)


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_import_lock_names_its_owner(heap: Heap, wrapped: bool) -> None:
    owner = heap.integer(OTHER)

    found = awaited(heap, importing(heap, heap.tuple_of(owner) if wrapped else owner), 8)

    assert found is not None
    assert (found.kind, found.name) == (NodeKind.IMPORT_LOCK, "import lock of module app.models")
    assert [(owner.ident, owner.certainty) for owner in found.owners] == [
        (OTHER, Certainty.CERTAIN)
    ]
    assert found.recorded == (found.address, OTHER)


def test_an_import_lock_without_an_owner(heap: Heap) -> None:
    found = awaited(heap, importing(heap, heap.none), 8)

    assert found is not None
    assert (found.owners, found.recorded) == ((), None)


def test_a_module_lock_of_the_program_is_none(heap: Heap) -> None:
    owner = heap.integer(OTHER)

    assert awaited(heap, importing(heap, owner, file="/srv/app/locks.py"), 8) is None
    assert awaited(heap, importing(heap, owner, kind="_OtherLock"), 8) is None


# -- objects of C code with a lock inside ---------------------------------------------------------


def buffered(heap: Heap, owner: int) -> tuple[int, int]:
    """A buffered file whose lock has *owner*, and the word of that lock."""
    heap.kind("_io.BufferedWriter", size=96)
    file, word = heap.new("_io.BufferedWriter", 96), heap.room(32)
    heap.put(file, (56, "Q", word), (64, "Q", owner))
    return file, word


def test_a_buffered_file_records_its_owner(heap: Heap) -> None:
    file, word = buffered(heap, OTHER)

    found = awaited(heap, entering(heap, file), word)

    assert found is not None
    assert (found.kind, found.address) == (NodeKind.IO_LOCK, file)
    assert [(owner.ident, owner.certainty) for owner in found.owners] == [
        (OTHER, Certainty.CERTAIN)
    ]


@pytest.mark.parametrize(("function", "found"), [("Condition.wait", False), ("Pen.wait", True)])
def test_who_waits_for_a_lock_of_its_own_waits_for_no_file(
    heap: Heap, function: str, *, found: bool
) -> None:
    """The file got the memory of the lock that it waited for a moment before."""
    file, word = buffered(heap, OTHER)
    path = "/usr/lib/python3.9/threading.py" if not found else "/srv/app/pen.py"
    call = heap.call("method", "in a method", name=function, file=path, self=file)

    assert (awaited(heap, heap.stack(call), word) is not None) is found


def test_an_owner_that_is_no_thread_of_the_interpreter_is_not_claimed(heap: Heap) -> None:
    file, word = buffered(heap, 0x9000)

    found = awaited(heap, entering(heap, file), word)

    assert found is not None
    assert found.owners == ()


def test_a_word_that_the_file_does_not_refer_to(heap: Heap) -> None:
    file, word = buffered(heap, OTHER)

    assert awaited(heap, entering(heap, file), word + 8) is None


def test_a_simple_queue_has_no_owner(heap: Heap) -> None:
    heap.kind("_queue.SimpleQueue", size=64)
    queue, word = heap.new("_queue.SimpleQueue", 64), heap.room(32)
    heap.put(queue, (16, "Q", word), (24, "Q", OTHER))

    found = awaited(heap, entering(heap, queue), word)

    assert found is not None
    assert (found.kind, found.owners) == (NodeKind.QUEUE, ())


def test_another_object_with_that_word_is_none(heap: Heap) -> None:
    heap.kind("_app.Writer", size=96)
    other, word = heap.new("_app.Writer", 96), heap.room(32)
    heap.put(other, (56, "Q", word), (64, "Q", OTHER))

    assert awaited(heap, entering(heap, other), word) is None


def test_what_processes_share(heap: Heap) -> None:
    inner = heap.shared_lock()

    found = awaited(heap, entering(heap, inner), heap.read_lock(inner).word)

    assert found is not None
    assert (found.kind, found.object, found.lock) == (NodeKind.SEMAPHORE, inner, None)


def test_what_leads_out_of_the_memory_is_no_answer(heap: Heap) -> None:
    owner = heap.integer(OTHER)

    assert awaited(heap, importing(heap, owner, name=0x1234_5678), 8) is None
