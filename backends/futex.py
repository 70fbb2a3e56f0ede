"""What a thread blocked in futex(2) waits for, and who has it: the futex decoder.

The kernel tells the word's address, the operation and the expected value; the memory around the
word holds the lock. Layouts are glibc's on x86-64, 2.28 to 2.43 (struct_mutex.h and
struct_rwlock.h in sysdeps/x86/nptl/bits, nptl/descr.h). A lock is claimed only if the function
that waits *and* the layout agree, so that a word which merely looks like a lock is not taken for
one.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hangtui.backends.memory import MemoryReadError, ProcessMemory
from hangtui.backends.native import NamedFrame
from hangtui.model import Certainty, NodeKind

_PRIVATE = 0x80
_COMMAND_MASK = 0x7F
_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2 = 0, 6, 9, 11, 13
_FUTEX_TID_MASK = 0x3FFFFFFF
"""linux/futex.h: the owner's TID in a PI or robust futex word."""
_FUTEX_OWNER_DIED = 0x40000000
_THREAD_TID_OFFSET = 0x2D0
"""struct pthread.tid in glibc 2.28-2.43, x86-64; checked through the thread's self pointer."""
_THREAD_STRUCT_SIZE = 0x900
_MAX_TID = 1 << 22
"""PID_MAX_LIMIT of linux/threads.h."""

_MUTEX = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "__")
    for name in ("pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock")
) | {"mtx_lock", "mtx_timedlock"}
_READ = frozenset(
    {
        "pthread_rwlock_rdlock",
        "__pthread_rwlock_rdlock",
        "pthread_rwlock_timedrdlock",
        "pthread_rwlock_clockrdlock",
    }
)
_WRITE = frozenset(
    {
        "pthread_rwlock_wrlock",
        "__pthread_rwlock_wrlock",
        "pthread_rwlock_timedwrlock",
        "pthread_rwlock_clockwrlock",
    }
)
_CONDITION = frozenset(
    {
        "pthread_cond_wait",
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "cnd_wait",
        "cnd_timedwait",
    }
)
_SEMAPHORE = frozenset({"sem_wait", "sem_timedwait", "sem_clockwait"})
_ONCE = frozenset({"pthread_once", "__pthread_once", "call_once", "__cxa_guard_acquire"})
_BARRIER = frozenset({"pthread_barrier_wait"})
_JOIN = frozenset({"pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"})
_PRIMITIVES = _MUTEX | _READ | _WRITE | _CONDITION | _SEMAPHORE | _ONCE | _BARRIER | _JOIN


@dataclass(frozen=True, slots=True)
class FutexCall:
    """The arguments of a futex(2) call that a thread is blocked in."""

    address: int
    operation: int
    value: int
    timeout: int
    """Address of the timeout; 0: none."""

    @property
    def command(self) -> int:
        """The operation without its flags."""
        return self.operation & _COMMAND_MASK

    @property
    def expires(self) -> bool:
        """Whether the wait has a timeout."""
        return self.timeout != 0


@dataclass(frozen=True, slots=True)
class FutexWait:
    """A decoded wait."""

    kind: NodeKind
    address: int
    """Of the lock object, or of the word where the object is not known."""
    certainty: Certainty
    text: str
    owner_tid: int | None = None
    """As the capturing host numbers threads; None: not recorded, or nobody."""
    owner_is_thread: bool = True
    """False: the recorded owner is no thread of this process: it ended, or was left by a fork."""
    joins: bool = False
    """The wait is for the end of the thread *owner_tid*."""
    operation: str | None = None
    note: str | None = None
    expires: bool = False


class FutexDecoder:
    """Decodes futex waits of one process.

    *tids* maps thread ids as the target sees them to those the capturing host sees.
    """

    def __init__(self, memory: ProcessMemory, tids: Mapping[int, int]) -> None:
        self._memory = memory
        self._tids = tids

    def decode(self, call: FutexCall, frames: list[NamedFrame]) -> FutexWait | None:
        """What *call* waits for; *frames* are the waiter's innermost. None: not a wait."""
        if call.command not in (_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2):
            return None
        primitive = _innermost_primitive(frames)
        try:
            return (
                self._kernel_owned(call)
                or self._join(call)
                or self._rwlock(call, primitive)
                or self._mutex(call, primitive)
                or self._unowned(call, primitive)
            )
        except MemoryReadError:
            return _ownerless(call, NodeKind.FUTEX, call.address, "a futex that cannot be read")

    def _owned(
        self, call: FutexCall, kind: NodeKind, address: int, text: str, owner: int
    ) -> FutexWait:
        return FutexWait(
            kind,
            address,
            Certainty.CERTAIN,
            text,
            owner_tid=self._tids.get(owner, owner),
            owner_is_thread=owner in self._tids,
            expires=call.expires,
        )

    def _kernel_owned(self, call: FutexCall) -> FutexWait | None:
        """Priority-inheriting and robust mutexes: the owner is in the word by the kernel's ABI."""
        word = self._memory.u32(call.address)
        if call.command in (_LOCK_PI, _LOCK_PI2):
            kind = "priority-inheriting"
        elif call.value >> 31 and call.value & _FUTEX_TID_MASK:
            kind = "robust"
        else:
            return None
        owner = word & _FUTEX_TID_MASK
        if not owner:
            return _ownerless(call, NodeKind.MUTEX, call.address, f"a free {kind} mutex")
        note = "its owner died while it held it" if word & _FUTEX_OWNER_DIED else None
        text = f"the futex word of the {kind} mutex names its owner"
        return replace(self._owned(call, NodeKind.MUTEX, call.address, text, owner), note=note)

    def _join(self, call: FutexCall) -> FutexWait | None:
        """pthread_join waits, not PRIVATE, on a word inside the joined thread's descriptor.

        Up to glibc 2.41 the word is ``pd->tid`` itself, from 2.42 on ``pd->joinstate``.
        """
        if call.operation & _PRIVATE:
            return None
        thread = self._descriptor_around(call.address)
        if thread is None:
            return None
        tid = self._memory.i32(thread + _THREAD_TID_OFFSET)
        if tid not in self._tids:
            return None
        text = "pthread_join waits on the word in the thread's own descriptor"
        return replace(self._owned(call, NodeKind.THREAD, thread, text, tid), joins=True)

    def _descriptor_around(self, address: int) -> int | None:
        """The glibc thread descriptor that *address* lies in: it points to itself, twice."""
        candidate = address & ~0x3F
        while candidate > address - _THREAD_STRUCT_SIZE:
            try:
                if self.is_descriptor(candidate):
                    return candidate
            except MemoryReadError:
                return None
            candidate -= 0x40
        return None

    def is_descriptor(self, address: int) -> bool:
        """Whether a thread descriptor begins at *address* (``tcb`` and ``self`` point to it)."""
        return self._memory.u64(address) == address == self._memory.u64(address + 16)

    def _rwlock(self, call: FutexCall, primitive: frozenset[str]) -> FutexWait | None:
        wants_write = bool(primitive & _WRITE)
        if not wants_write and not primitive & _READ:
            return None
        operation = "write" if wants_write else "read"
        for offset in (8, 12) if wants_write else (8, 12, 0):
            lock = _Rwlock.read(self._memory, call.address - offset)
            if lock is None or not lock.explains(offset, call.value):
                continue
            base = call.address - offset
            if lock.current_writer:
                text = "__cur_writer of the pthread rwlock names the thread that holds it to write"
                wait = self._owned(call, NodeKind.RWLOCK, base, text, lock.current_writer)
            else:
                text = f"a pthread rwlock with {lock.readers} reader(s)"
                wait = _ownerless(call, NodeKind.RWLOCK, base, text)
                note = f"held by {lock.readers} reader(s), which glibc does not record"
                wait = replace(wait, note=note)
            return replace(wait, operation=operation)
        return None

    def _mutex(self, call: FutexCall, primitive: frozenset[str]) -> FutexWait | None:
        """A thread inside a condition variable's wait may be taking its mutex back."""
        if call.value != 2 or not primitive & (_MUTEX | _CONDITION):
            return None
        owner = _mutex_owner(self._memory.read(call.address, 20))
        if owner is None:
            return None
        text = "__owner of the pthread mutex names the thread that holds it"
        return self._owned(call, NodeKind.MUTEX, call.address, text, owner)

    @staticmethod
    def _unowned(call: FutexCall, primitive: frozenset[str]) -> FutexWait:
        for names, kind, text in (
            (_CONDITION, NodeKind.CONDITION, "a condition variable: nobody owns it"),
            (_SEMAPHORE, NodeKind.SEMAPHORE, "a semaphore: it records no owner"),
            (_ONCE, NodeKind.ONCE, "another thread's one-time initialisation"),
            (_BARRIER, NodeKind.BARRIER, "the other threads at a barrier"),
            (_MUTEX, NodeKind.MUTEX, "a mutex whose owner cannot be read"),
            (_READ | _WRITE, NodeKind.RWLOCK, "a rwlock whose owner cannot be read"),
        ):
            if primitive & names:
                return _ownerless(call, kind, call.address, text)
        wait = _ownerless(call, NodeKind.FUTEX, call.address, "a futex of unknown purpose")
        return replace(wait, certainty=Certainty.UNKNOWN)


def _ownerless(call: FutexCall, kind: NodeKind, address: int, text: str) -> FutexWait:
    return FutexWait(kind, address, Certainty.CERTAIN, text, expires=call.expires)


def _innermost_primitive(frames: list[NamedFrame]) -> frozenset[str]:
    """The synchronisation functions of the innermost frame that has one.

    The innermost counts: a ``pthread_once`` further out may have called a function that waits for
    a mutex.
    """
    for frame in frames:
        found = frame.names & _PRIMITIVES
        if found:
            return frozenset(found)
    return frozenset()


def _mutex_owner(raw: bytes) -> int | None:
    """``__owner`` if *raw* is a locked pthread mutex of a valid shape (struct_mutex.h)."""
    _, count, owner, users, kind = struct.unpack("<iIiIi", raw)
    recursive = kind & 3 == 1
    if kind & ~0x3FF or not 1 <= users < 1 << 20 or not 0 < owner <= _MAX_TID:
        return None
    if recursive and not 1 <= count < 1 << 20:
        return None
    if not recursive and not kind & 0x30 and count:
        return None
    return int(owner)


@dataclass(frozen=True, slots=True)
class _Rwlock:
    """struct __pthread_rwlock_arch_t, x86-64 (glibc sysdeps/x86/nptl/bits/struct_rwlock.h)."""

    readers: int
    write_phase: bool
    write_locked: bool
    readers_wait: bool
    writers: int
    current_writer: int

    @classmethod
    def read(cls, memory: ProcessMemory, address: int) -> "_Rwlock | None":
        """The rwlock at *address*, or None where the memory cannot be one."""
        raw = memory.read(address, 32)
        readers, writers, phase, futex, pad3, pad4, writer, shared = struct.unpack("<6IiI", raw)
        if phase & ~3 or futex & ~3 or pad3 or pad4 or shared not in (0, 1):
            return None
        if not 0 <= writer <= _MAX_TID:
            return None
        return cls(
            readers >> 3,
            bool(readers & 1),
            bool(readers & 2),
            bool(readers & 4),
            writers,
            writer,
        )

    def explains(self, offset: int, value: int) -> bool:
        """Whether a wait for *value* on the word at *offset* fits this state."""
        if (
            offset == 8
        ):  # __wrphase_futex: readers wait for a writer (3), the writer for readers (2)
            return (value == 3 and self.write_phase) or (value == 2 and self.readers > 0)
        if offset == 12:  # __writers_futex: a writer behind another writer
            return value == 3 and bool(self.current_writer or self.writers or self.write_locked)
        return self.readers_wait  # __readers: queued behind a waiting writer
