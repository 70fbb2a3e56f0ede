"""Which lock lies at an address, or which one a thread waits for."""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.backends.debugger import locks
from hangtui.backends.debugger.pointers import Pointers
from hangtui.backends.debugger.target import Target
from hangtui.backends.elf.images import Images
from hangtui.backends.libc.futex import FutexCall, FutexDecoder
from hangtui.backends.memory.machine import foreign_library
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.unwind.native_stacks import NamedFrame, NativeStacks
from hangtui.debugger import LockKind, LockReading
from hangtui.model import NodeKind, TargetError

_KINDS = {
    NodeKind.MUTEX: LockKind.MUTEX,
    NodeKind.RWLOCK: LockKind.RWLOCK,
    NodeKind.CONDITION: LockKind.CONDITION,
    NodeKind.SEMAPHORE: LockKind.SEMAPHORE,
    NodeKind.BARRIER: LockKind.BARRIER,
}


class LockFinder:
    """Reads locks of one process."""

    def __init__(
        self, target: Target, images: Images, pointers: Pointers, names: Mapping[int, str]
    ) -> None:
        """*names*: of the threads by TID.

        Raises:
            TargetError: the C library is not glibc.
        """
        self._target = target
        self._images = images
        self._pointers = pointers
        self._names = names
        unknown = foreign_library(target.memory)
        if unknown:
            raise TargetError(f"{unknown}: how it lays out its locks is not known")
        self._tids = target.tids()

    def awaited(self, tid: int) -> LockReading:
        """The lock whose word a thread sleeps on.

        Raises:
            TargetError: it sleeps on none.
        """
        call = self._call(tid)
        if call is None:
            raise TargetError(
                f"thread {tid} does not wait for a lock: it is not in futex(2)",
                "choose a register, or give an address",
            )
        return self.at(tid, call.address, None)

    def at(self, tid: int, address: int, kind: LockKind | None) -> LockReading:
        """The lock at an address, which may be the word inside of it that *tid* sleeps on.

        Raises:
            TargetError: there is no memory.
        """
        call = self._call(tid)
        base, found, note = address, kind, ""
        if call is not None and call.address == address:
            base, found, note = self._of_word(tid, call, kind)
        if found is None:
            found = self._kind_at(base)
            note = note or f"it fits as a {found.value} by its fields"
        elif not note and not self._fits(base, found):
            base, note = self._base_near(base, found)
        name = self._pointers.symbol(base)
        reading = locks.read(self._target.memory, base, found, self._owner, name)
        return replace(reading, note=note)

    def _of_word(
        self, tid: int, call: FutexCall, kind: LockKind | None
    ) -> tuple[int, LockKind | None, str]:
        """Where the lock begins whose word a thread sleeps on, and what it is."""
        wait = None
        if (where := self._target.asleep(tid)) is not None:
            decoder = FutexDecoder(self._target.memory, self._tids)
            wait = decoder.decode(call, self._frames(where))
        found = kind or (_KINDS.get(wait.kind) if wait else None)
        if found is None:
            return call.address, None, ""
        base = call.address
        if wait is not None and _KINDS.get(wait.kind) is found:
            base = wait.address
        if base == call.address:
            base = self._base_of(base, found)
        offset = call.address - base
        inside = f", {offset} bytes into it" if offset else ""
        who = self._names.get(tid) or f"thread {tid}"
        return base, found, f"{who} sleeps on its word {call.address:#x}{inside}"

    def _frames(self, where: BlockedThread) -> list[NamedFrame]:
        native = NativeStacks(self._target.memory, self._images)
        return native.exported_names(native.raw(where))

    def _base_of(self, word: int, kind: LockKind) -> int:
        """Where a lock of this kind begins that has a futex word at *word*."""
        bases = [word - offset for offset in locks.FUTEX_OFFSETS[kind]]
        return next((base for base in bases if self._fits(base, kind)), word)

    def _base_near(self, address: int, kind: LockKind) -> tuple[int, str]:
        base = self._base_of(address, kind)
        if base == address:
            return base, ""
        return base, f"{address:#x} is {address - base} bytes into it"

    def _kind_at(self, address: int) -> LockKind:
        mapping = self._target.memory.mapping_at(address)
        writable = mapping is not None and "w" in mapping.permissions
        kinds = (LockKind.RWLOCK, LockKind.MUTEX, LockKind.CONDITION) if writable else ()
        found = next((kind for kind in kinds if self._fits(address, kind)), None)
        if found is None:
            raise TargetError(
                f"nothing at {address:#x} looks like a lock that is in use",
                "the palette (:) prints memory as any kind of lock",
            )
        return found

    def _fits(self, address: int, kind: LockKind) -> bool:
        return locks.fits(self._target.memory, address, kind, self._owner)

    def _call(self, tid: int) -> FutexCall | None:
        where = self._target.asleep(tid)
        return where.futex if where is not None else None

    def _owner(self, inner: int) -> tuple[int, str]:
        tid = self._tids.get(inner)
        if tid is None:
            return inner, ""
        return tid, self._names.get(tid) or f"thread {tid}"
