"""Locks of the C library of this very process, read field by field."""

import ctypes
import os
import threading
from collections.abc import Iterator

import pytest

from hangtui.backends.debugger import locks
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.debugger import LockKind, LockReading
from hangtui.model import TargetError

LIBC = ctypes.CDLL(None)
SIZE = 64


@pytest.fixture
def memory() -> Iterator[ProcessMemory]:
    with ProcessMemory(os.getpid()) as opened:
        yield opened


def owners(tid: int) -> tuple[int, str]:
    return (tid, "test") if tid == threading.get_native_id() else (tid, "")


def read(memory: ProcessMemory, lock: object, kind: LockKind) -> LockReading:
    return locks.read(memory, ctypes.addressof(lock), kind, owners, "")  # type: ignore[arg-type]


def meaning(reading: LockReading, name: str) -> str:
    return next(field.meaning for field in reading.fields if field.name == name)


def test_a_mutex_names_its_owner(memory: ProcessMemory) -> None:
    mutex = ctypes.create_string_buffer(SIZE)
    free = read(memory, mutex, LockKind.MUTEX)
    LIBC.pthread_mutex_lock(mutex)
    held = read(memory, mutex, LockKind.MUTEX)
    LIBC.pthread_mutex_unlock(mutex)

    tid = threading.get_native_id()
    assert (free.sentence, free.owner, free.plausible) == ("free", None, True)
    assert (held.sentence, held.owner, held.plausible) == (f"locked by test (TID {tid})", tid, True)
    assert meaning(held, "__owner") == f"test (TID {tid})"
    assert meaning(held, "__kind") == "normal"


def test_a_recursive_mutex_counts(memory: ProcessMemory) -> None:
    attributes = ctypes.create_string_buffer(SIZE)
    mutex = ctypes.create_string_buffer(SIZE)
    LIBC.pthread_mutexattr_init(attributes)
    LIBC.pthread_mutexattr_settype(attributes, 1)
    LIBC.pthread_mutex_init(mutex, attributes)
    LIBC.pthread_mutex_lock(mutex)
    LIBC.pthread_mutex_lock(mutex)
    reading = read(memory, mutex, LockKind.MUTEX)

    assert meaning(reading, "__kind") == "recursive"
    assert next(field.value for field in reading.fields if field.name == "__count") == "2"
    assert reading.owner == threading.get_native_id()


def test_a_rwlock_counts_readers_and_names_its_writer(memory: ProcessMemory) -> None:
    rwlock = ctypes.create_string_buffer(SIZE)
    LIBC.pthread_rwlock_rdlock(rwlock)
    LIBC.pthread_rwlock_rdlock(rwlock)
    shared = read(memory, rwlock, LockKind.RWLOCK)
    LIBC.pthread_rwlock_unlock(rwlock)
    LIBC.pthread_rwlock_unlock(rwlock)
    LIBC.pthread_rwlock_wrlock(rwlock)
    written = read(memory, rwlock, LockKind.RWLOCK)
    LIBC.pthread_rwlock_unlock(rwlock)
    free = read(memory, rwlock, LockKind.RWLOCK)

    assert shared.sentence == "held by 2 readers, which glibc does not record"
    assert shared.owner is None
    assert written.sentence == f"held to write by test (TID {threading.get_native_id()})"
    assert written.owner == threading.get_native_id()
    assert free.sentence == "free"


def test_a_semaphore_has_a_value_and_no_owner(memory: ProcessMemory) -> None:
    semaphore = ctypes.create_string_buffer(SIZE)
    LIBC.sem_init(semaphore, 0, 3)
    reading = read(memory, semaphore, LockKind.SEMAPHORE)

    assert reading.sentence == "value 3, 0 threads wait; it records no owner"
    assert reading.owner is None


def test_a_barrier_counts_who_has_come(memory: ProcessMemory) -> None:
    barrier = ctypes.create_string_buffer(SIZE)
    LIBC.pthread_barrier_init(barrier, None, 2)
    reading = read(memory, barrier, LockKind.BARRIER)

    assert reading.sentence == "0 of 2 threads have come"


def test_a_condition_counts_its_waiters(memory: ProcessMemory) -> None:
    condition, mutex = (ctypes.create_string_buffer(SIZE) for _ in range(2))
    asleep = threading.Event()

    def wait() -> None:
        LIBC.pthread_mutex_lock(mutex)
        asleep.set()
        LIBC.pthread_cond_wait(condition, mutex)
        LIBC.pthread_mutex_unlock(mutex)

    waiter = threading.Thread(target=wait)
    waiter.start()
    asleep.wait()
    LIBC.pthread_mutex_lock(mutex)  # is free only once the waiter is inside of its wait
    reading = read(memory, condition, LockKind.CONDITION)
    LIBC.pthread_cond_signal(condition)
    LIBC.pthread_mutex_unlock(mutex)
    waiter.join()

    assert reading.sentence == "1 thread waits; nobody owns a condition"
    assert meaning(reading, "__wseq") == "1 waits so far"


@pytest.mark.parametrize("kind", LockKind)
def test_other_memory_is_no_lock(memory: ProcessMemory, kind: LockKind) -> None:
    noise = ctypes.create_string_buffer(bytes(range(150, 150 + SIZE)), SIZE)

    assert not read(memory, noise, kind).plausible
    assert not locks.fits(memory, ctypes.addressof(noise), kind, owners)


def test_a_recorded_owner_that_is_no_thread_is_said(memory: ProcessMemory) -> None:
    raw = (
        (2).to_bytes(4, "little")
        + bytes(4)
        + (77).to_bytes(4, "little")
        + (1).to_bytes(4, "little")
    )
    reading = read(memory, ctypes.create_string_buffer(raw, SIZE), LockKind.MUTEX)

    assert reading.sentence == "locked by TID 77, no thread of this process"
    assert reading.owner is None


def test_where_nothing_is_mapped_is_no_lock(memory: ProcessMemory) -> None:
    with pytest.raises(TargetError, match="no memory at 0x10"):
        locks.read(memory, 16, LockKind.MUTEX, owners, "")
