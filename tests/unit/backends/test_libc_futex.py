"""Futex words decoded from literal lock structures, as glibc lays them out on x86-64."""

import struct

import pytest

from hangtui.backends.libc.futex import FutexCall, FutexDecoder, FutexWait
from hangtui.backends.unwind.native_stacks import NamedFrame
from hangtui.backends.unwind.unwinder import RawFrame
from hangtui.model import Certainty, NodeKind
from tests.unit.backends.fakes import LiteralMemory

BASE = 0x5000
TIDS = {70: 7070, 71: 7071}
PRIVATE_WAIT, PRIVATE_WAIT_BITSET, PRIVATE_LOCK_PI = 0x80, 0x189, 0x86


def _decode(data: bytes, call: FutexCall, *names: str, base: int = BASE) -> FutexWait | None:
    frames = [NamedFrame(RawFrame(0x1000, None, False), frozenset({name})) for name in names]
    return FutexDecoder(LiteralMemory((base, data)), TIDS).decode(call, frames)


def _mutex(owner: int, *, count: int = 0, users: int = 1, kind: int = 0) -> bytes:
    return struct.pack("<iIiIi", 2, count, owner, users, kind) + bytes(20)


def _rwlock(readers: int, writers: int, phase: int, futex: int, writer: int) -> bytes:
    return struct.pack("<6IiI", readers, writers, phase, futex, 0, 0, writer, 0) + bytes(24)


def test_a_mutex_names_its_owner_as_this_host_numbers_threads() -> None:
    wait = _decode(_mutex(70), FutexCall(BASE, PRIVATE_WAIT, 2, 0), "pthread_mutex_lock")
    assert wait is not None
    assert (wait.kind, wait.owner_tid, wait.certainty) == (NodeKind.MUTEX, 7070, Certainty.CERTAIN)
    assert wait.owner_is_thread
    assert not wait.expires


def test_a_word_that_only_looks_like_a_mutex_is_none() -> None:
    wait = _decode(_mutex(70), FutexCall(BASE, PRIVATE_WAIT, 2, 0), "syscall")
    assert wait is not None
    assert (wait.kind, wait.owner_tid, wait.certainty) == (
        NodeKind.FUTEX,
        None,
        Certainty.UNKNOWN,
    )


@pytest.mark.parametrize(
    "function",
    [
        "_ZN11QBasicMutex12lockInternalEv",
        "g_mutex_lock_slowpath",
        "_ZN4absl5Mutex8LockSlowEPKNS_12MuHowStructE",
        "_ZN3std3sys4sync5mutex5futex5Mutex14lock_contended17h0123456789abcdefE",
    ],
)
def test_the_function_of_another_library_tells_its_mutex(function: str) -> None:
    call = FutexCall(BASE, PRIVATE_WAIT, 3, 0)
    wait = _decode(struct.pack("<I", 3), call, "syscall", function)
    assert wait is not None
    assert (wait.kind, wait.owner_tid) == (NodeKind.MUTEX, None)


@pytest.mark.parametrize("function", ["g_mutex_unlock_slowpath", "mutexed_block", "run_clock"])
def test_what_only_sounds_like_it_is_no_mutex(function: str) -> None:
    call = FutexCall(BASE, PRIVATE_WAIT, 3, 0)
    wait = _decode(struct.pack("<I", 3), call, "syscall", function)
    assert wait is not None
    assert wait.kind is NodeKind.FUTEX


@pytest.mark.parametrize(
    "data",
    [
        _mutex(70, users=0),
        _mutex(70, kind=0x4000),
        _mutex(70, count=3),
        _mutex(70, kind=1, count=0),
        _mutex(-1),
        _mutex(1 << 23),
    ],
)
def test_an_impossible_mutex_has_no_owner(data: bytes) -> None:
    wait = _decode(data, FutexCall(BASE, PRIVATE_WAIT, 2, 0), "pthread_mutex_lock")
    assert wait is not None
    assert (wait.kind, wait.owner_tid) == (NodeKind.MUTEX, None)


def test_an_owner_that_is_no_thread_is_said_to_be_none() -> None:
    wait = _decode(_mutex(99), FutexCall(BASE, PRIVATE_WAIT, 2, 0), "pthread_mutex_lock")
    assert wait is not None
    assert (wait.owner_tid, wait.owner_is_thread) == (99, False)


def test_a_timeout_makes_the_wait_expire() -> None:
    call = FutexCall(BASE, PRIVATE_WAIT_BITSET, 2, 0x7000)
    wait = _decode(_mutex(70), call, "pthread_mutex_timedlock")
    assert wait is not None
    assert wait.expires


@pytest.mark.parametrize(
    ("function", "offset", "data", "operation"),
    [
        ("pthread_rwlock_wrlock", 12, _rwlock(0b10, 1, 1, 3, 71), "write"),
        ("pthread_rwlock_rdlock", 8, _rwlock(0b11 | 8, 0, 3, 0, 71), "read"),
    ],
)
def test_a_rwlock_names_its_writer(function: str, offset: int, data: bytes, operation: str) -> None:
    call = FutexCall(BASE + offset, PRIVATE_WAIT_BITSET, 3, 0)
    wait = _decode(data, call, "", function)
    assert wait is not None
    assert (wait.kind, wait.address, wait.owner_tid) == (NodeKind.RWLOCK, BASE, 7071)
    assert wait.operation == operation


def test_readers_of_a_rwlock_are_counted_and_not_named() -> None:
    call = FutexCall(BASE + 8, PRIVATE_WAIT_BITSET, 2, 0)
    wait = _decode(_rwlock(2 << 3 | 0b10, 0, 2, 1, 0), call, "pthread_rwlock_wrlock")
    assert wait is not None
    assert (wait.kind, wait.owner_tid) == (NodeKind.RWLOCK, None)
    assert wait.note == "held by 2 reader(s), which glibc does not record"


def test_the_kernel_names_the_owner_of_a_priority_inheriting_mutex() -> None:
    word = struct.pack("<I", 0x80000000 | 70)
    wait = _decode(word, FutexCall(BASE, PRIVATE_LOCK_PI, 0, 0))
    assert wait is not None
    assert (wait.kind, wait.owner_tid) == (NodeKind.MUTEX, 7070)


def test_a_join_is_known_by_the_thread_descriptor_around_its_word() -> None:
    descriptor = bytearray(0x900)
    struct.pack_into("<Q", descriptor, 0, BASE)
    struct.pack_into("<Q", descriptor, 16, BASE)
    struct.pack_into("<i", descriptor, 0x2D0, 71)
    call = FutexCall(BASE + 0x2D0, 0x109, 71, 0)
    wait = _decode(bytes(descriptor), call, "pthread_join")
    assert wait is not None
    assert (wait.joins, wait.owner_tid) == (True, 7071)


def test_the_innermost_primitive_counts() -> None:
    call = FutexCall(BASE, PRIVATE_WAIT, 2, 0)
    wait = _decode(_mutex(70), call, "", "pthread_mutex_lock", "pthread_once")
    assert wait is not None
    assert wait.kind is NodeKind.MUTEX


def test_an_unreadable_word_costs_only_itself() -> None:
    wait = _decode(b"", FutexCall(0x9000, PRIVATE_WAIT, 2, 0), "pthread_mutex_lock")
    assert wait is not None
    assert (wait.kind, wait.owner_tid) == (NodeKind.FUTEX, None)


def test_a_wake_is_no_wait() -> None:
    assert _decode(_mutex(70), FutexCall(BASE, 0x81, 1, 0)) is None
