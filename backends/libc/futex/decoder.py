"""What a thread blocked in futex(2) waits for, and who has it: the futex decoder.

The kernel tells the word's address, the operation and the expected value; the memory around the
word holds the lock. Layouts are glibc's, 2.28 to 2.43 (struct_mutex.h and
struct_rwlock.h in sysdeps/x86/nptl/bits, nptl/descr.h). A lock is claimed only if the function
that waits *and* the layout agree, so that a word which merely looks like a lock is not taken for
one.
"""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.backends.libc.futex.names import (
    BARRIER,
    CONDITION,
    INTERNAL,
    MUTEX,
    ONCE,
    READ,
    SEMAPHORE,
    WRITE,
    innermost_primitive,
    waits_for_future,
    waits_for_others_mutex,
)
from hangtui.backends.libc.futex.structures import MAX_TID, Rwlock, mutex_owner, word_offset
from hangtui.backends.libc.thread_descriptor import is_descriptor, tid_in
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.futex_syscall import FutexCall, FutexWait, ownerless
from hangtui.backends.unwind.native_stacks import NamedFrame
from hangtui.model import Certainty, NodeKind

_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2 = 0, 6, 9, 11, 13
_FUTEX_TID_MASK = 0x3FFFFFFF
"""linux/futex.h: the owner's TID in a PI or robust futex word."""
_FUTEX_OWNER_DIED = 0x40000000
_QUEUES = {
    12: "behind another writer, which waits for the readers to leave",
    0: "behind a writer, which waits for the readers to leave: this lock lets writers go first",
}
"""What it means that a thread waits in a word of a rwlock that readers hold, by its offset."""


class FutexDecoder:
    """Decodes futex waits of one process.

    *tids* maps thread ids as the target sees them to those the capturing host sees.
    """

    def __init__(self, memory: Memory, tids: Mapping[int, int]) -> None:
        self._memory = memory
        self._tids = tids

    def forget(self) -> None:
        """Read locks anew from here on."""
        self._memory.forget()

    def decode(self, call: FutexCall, frames: list[NamedFrame]) -> FutexWait | None:
        """What *call* waits for; *frames* are the waiter's innermost. None: not a wait."""
        if call.command not in (_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2):
            return None
        primitive = innermost_primitive(frames)
        try:
            return (
                self._kernel_owned(call)
                or self._join(call)
                or self._rwlock(call, primitive)
                or self._mutex(call, primitive)
                or self._stream(call, primitive)
                or self._future(call, frames)
                or self._unowned(call, primitive, frames)
            )
        except MemoryReadError:
            return ownerless(call, NodeKind.FUTEX, call.address, "a futex that cannot be read")

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
        elif self._looks_robust(call):
            kind = "robust"
        else:
            return None
        owner = word & _FUTEX_TID_MASK
        if owner > MAX_TID:
            return None
        if not owner:
            return ownerless(call, NodeKind.MUTEX, call.address, f"a free {kind} mutex")
        note = "its owner died while it held it" if word & _FUTEX_OWNER_DIED else None
        text = f"the futex word of the {kind} mutex names its owner"
        return replace(self._owned(call, NodeKind.MUTEX, call.address, text, owner), note=note)

    @staticmethod
    def _looks_robust(call: FutexCall) -> bool:
        """Robust mutexes are waited for as if they were shared: FUTEX_WAITERS and the owner."""
        owner = call.value & _FUTEX_TID_MASK
        return bool(call.value >> 31) and 0 < owner <= MAX_TID and not call.private

    def _join(self, call: FutexCall) -> FutexWait | None:
        """pthread_join waits, not PRIVATE, on a word inside the joined thread's descriptor.

        Up to glibc 2.41 the word is ``pd->tid`` itself, from 2.42 on ``pd->joinstate``.
        """
        if call.private:
            return None
        thread = self._descriptor_around(call.address)
        if thread is None:
            return None
        tid = tid_in(self._memory, thread)
        if tid not in self._tids:
            return None
        text = "pthread_join waits on the word in the thread's own descriptor"
        return replace(self._owned(call, NodeKind.THREAD, thread, text, tid), joins=True)

    def _descriptor_around(self, address: int) -> int | None:
        """The glibc thread descriptor that *address* lies in."""
        layout = self._memory.arch.glibc
        candidate = address & -layout.alignment
        while candidate > address - layout.descriptor_size:
            try:
                if is_descriptor(self._memory, candidate):
                    return candidate
            except MemoryReadError:
                return None
            candidate -= layout.alignment
        return None

    def _rwlock(self, call: FutexCall, primitive: frozenset[str]) -> FutexWait | None:
        wants_write = bool(primitive & WRITE)
        if not wants_write and not primitive & READ:
            return None
        operation = "write" if wants_write else "read"
        offset = word_offset(call.value, writes=wants_write)
        base = call.address - offset
        lock = Rwlock.read(self._memory, base)
        if lock is None or not lock.explains(offset, call.value):
            return None
        if lock.current_writer:
            text = "__cur_writer of the pthread rwlock names the thread that holds it to write"
            wait = self._owned(call, NodeKind.RWLOCK, base, text, lock.current_writer)
        else:
            text = f"a pthread rwlock with {lock.readers} reader(s)"
            wait = ownerless(call, NodeKind.RWLOCK, base, text)
            note = f"held by {lock.readers} reader(s), which glibc does not record"
            taken = call.private and lock.readers > 0
            wait = replace(wait, note=note, untold=taken, behind=_QUEUES.get(offset))
        return replace(wait, operation=operation)

    def _mutex(self, call: FutexCall, primitive: frozenset[str]) -> FutexWait | None:
        """A thread inside a condition variable's wait may be taking its mutex back."""
        if call.value != 2 or not primitive & (MUTEX | CONDITION):
            return None
        owner = mutex_owner(self._memory.read(call.address, 20))
        if owner is None:
            return None
        text = "__owner of the pthread mutex names the thread that holds it"
        return self._owned(call, NodeKind.MUTEX, call.address, text, owner)

    def _stream(self, call: FutexCall, primitive: frozenset[str]) -> FutexWait | None:
        """The lock of a stdio stream: ``_IO_lock_t`` names its owner by the thread descriptor."""
        if call.value != 2 or not primitive & INTERNAL:
            return None
        owner = self._memory.u64(call.address + 8)
        if not owner or not is_descriptor(self._memory, owner):
            return None
        tid = tid_in(self._memory, owner)
        if tid not in self._tids:
            return None
        text = "the owner of the stdio stream's lock is the descriptor of that thread"
        return self._owned(call, NodeKind.STDIO, call.address, text, tid)

    @staticmethod
    def _future(call: FutexCall, frames: list[NamedFrame]) -> FutexWait | None:
        if not waits_for_future(frames):
            return None
        text = "a std::future: whoever has its promise may set it"
        return ownerless(call, NodeKind.FUTURE, call.address, text)

    @staticmethod
    def _unowned(call: FutexCall, primitive: frozenset[str], frames: list[NamedFrame]) -> FutexWait:
        for names, kind, text in (
            (CONDITION, NodeKind.CONDITION, "a condition variable: nobody owns it"),
            (SEMAPHORE, NodeKind.SEMAPHORE, "a semaphore: it records no owner"),
            (ONCE, NodeKind.ONCE, "another thread's one-time initialisation"),
            (BARRIER, NodeKind.BARRIER, "the other threads at a barrier"),
            (MUTEX, NodeKind.MUTEX, "a mutex whose owner cannot be read"),
            (READ | WRITE, NodeKind.RWLOCK, "a rwlock whose owner cannot be read"),
            (INTERNAL, NodeKind.MUTEX, "a lock of the C library itself, which records no owner"),
        ):
            if primitive & names:
                return ownerless(call, kind, call.address, text)
        if waits_for_others_mutex(frames):
            text = "a mutex of that library, by the function that waits: its owner is not known"
            return ownerless(call, NodeKind.MUTEX, call.address, text)
        wait = ownerless(call, NodeKind.FUTEX, call.address, "a futex of unknown purpose")
        return replace(wait, certainty=Certainty.UNKNOWN)
