"""musl: what a thread blocked in futex(2) waits for, and who has it.

A musl without debug information has almost no unwind tables, so that the function that waits is not
known; what is claimed here is what the words themselves prove. A normal mutex records no owner, nor
does a rwlock or a semaphore. Layouts: musl 1.2, src/internal/pthread_impl.h.
"""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.futex_syscall import FutexCall, FutexWait, ownerless
from hangtui.backends.unwind.native_stacks import NamedFrame
from hangtui.model import Certainty, NodeKind

_WAITERS = 1 << 31
"""In the word of a lock for which somebody waits."""
_BUSY = 16
"""EBUSY: what the word of a normal mutex holds while it is taken."""
_TYPE_AT = -4
"""Of ``_m_type`` from ``_m_lock``, the word that is waited for ..."""
_TYPES = 0xF
"""... of which these bits say: 0 normal, 1 recursive, 2 error-checking; 4 is added for robust."""
_NORMAL, _OWNED = 0, (1, 2, 5, 6)
_JOINABLE = 2
"""DT_JOINABLE, what pthread_join waits for the end of."""
_HEAD_AT, _NEXT_AT, _BARRIER_AT = 8, 8, 20
"""``_c_head`` of a condition variable; ``next`` and ``barrier`` of a waiter's node, which lies on
its stack (src/thread/pthread_cond_timedwait.c)."""
_MOST_WAITERS = 20_000


def waiting_words(memory: Memory, condition: int) -> frozenset[int]:
    """The words in which those sleep that wait for a condition variable.

    Raises:
        DamagedDataError: its list cannot be followed.
    """
    found: set[int] = set()
    node = int.from_bytes(memory.fresh(condition + _HEAD_AT, 8), "little")
    while node and node + _BARRIER_AT not in found and len(found) < _MOST_WAITERS:
        memory.spent.objects(1)
        found.add(node + _BARRIER_AT)
        node = int.from_bytes(memory.fresh(node + _NEXT_AT, 8), "little")
    return frozenset(found)


def is_descriptor(memory: Memory, address: int) -> bool:
    """Whether a thread's descriptor begins at *address*: it points to itself, and the next one in
    the ring of all threads points back to it.

    Raises:
        DamagedDataError: it cannot be read.
    """
    layout = memory.arch.musl
    if layout is None or memory.u64(address) != address:
        return False
    following = memory.u64(address + layout.next)
    return bool(following) and memory.u64(following + layout.previous) == address


class MuslDecoder:
    """Decodes futex waits of one process; *tids*: as the target and as the host number threads."""

    def __init__(self, memory: Memory, tids: Mapping[int, int]) -> None:
        self._memory = memory
        self._tids = tids

    def forget(self) -> None:
        """Read locks anew from here on."""
        self._memory.forget()

    def decode(self, call: FutexCall, _frames: list[NamedFrame]) -> FutexWait | None:
        """What *call* waits for. None: not a wait."""
        if call.command != 0:
            return None
        try:
            return self._join(call) or self._mutex(call) or _unknown(call)
        except DamagedDataError:
            return _unknown(call)

    def _join(self, call: FutexCall) -> FutexWait | None:
        layout = self._memory.arch.musl
        if layout is None or call.value != _JOINABLE:
            return None
        thread = call.address - layout.detach_state
        if not is_descriptor(self._memory, thread):
            return None
        tid = self._memory.i32(thread + layout.thread_id)
        if tid not in self._tids:
            return None
        text = "pthread_join waits on the word in the thread's own descriptor"
        return replace(self._owned(call, NodeKind.THREAD, thread, text, tid), joins=True)

    def _mutex(self, call: FutexCall) -> FutexWait | None:
        word = int.from_bytes(self._memory.fresh(call.address, 4), "little")
        kind = self._memory.u32(call.address + _TYPE_AT)
        if not call.value & _WAITERS or word != call.value or kind & ~(_TYPES | 0x80):
            return None
        mutex, holder = call.address + _TYPE_AT, word & ~_WAITERS
        if kind & _TYPES in _OWNED and holder in self._tids:
            text = "the word of the pthread mutex names the thread that holds it"
            return self._owned(call, NodeKind.MUTEX, mutex, text, holder)
        if kind & _TYPES == _NORMAL and holder == _BUSY:
            wait = ownerless(
                call, NodeKind.MUTEX, mutex, "a normal mutex of musl's, which is taken"
            )
            note = "musl records no owner of a normal mutex"
            return replace(wait, note=note, certainty=Certainty.INFERRED)
        return None

    def _owned(
        self, call: FutexCall, kind: NodeKind, address: int, text: str, tid: int
    ) -> FutexWait:
        return FutexWait(
            kind,
            address,
            Certainty.CERTAIN,
            text,
            owner_tid=self._tids[tid],
            expires=call.expires,
        )


def _unknown(call: FutexCall) -> FutexWait:
    wait = ownerless(call, NodeKind.FUTEX, call.address, "a futex of unknown purpose")
    return replace(wait, certainty=Certainty.UNKNOWN)
