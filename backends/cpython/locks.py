"""Lock objects: their state, their owner, and the word their waiters sleep on."""

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import NodeKind

_LOCK, _RLOCK, _SEMLOCK = "_thread.lock", "_thread.RLock", "_multiprocessing.SemLock"
_SEMAPHORE_LOCK_SIZE, _SEMAPHORE_RLOCK_SIZE = 24, 32
"""What lockobject and rlockobject have behind the header while they keep a pointer to a semaphore.
Later ones are smaller and keep a PyMutex: the size tells, for within 3.13 the version does not."""
_SEMLOCK_LAST, _SEMLOCK_COUNT, _SEMLOCK_MAXIMUM, _SEMLOCK_KIND = 8, 16, 20, 24
"""SemLockObject behind its header: handle, last_tid, count, maxvalue, kind
(Modules/_multiprocessing/semaphore.c)."""
_RECURSIVE, _SEM_VALUE_MAX = 0, 0x7FFF_FFFF


@dataclass(frozen=True, slots=True)
class Lock:
    """Something that threads take and give back."""

    address: int
    kind: NodeKind
    type_name: str
    """What the program calls the type."""
    word: int
    """Address that a waiter's futex or parking-lot entry names; 0: it has none of its own."""
    locked: bool
    owner: int = 0
    """``Thread.ident`` of the recorded owner; 0: none, or it records none."""
    owner_at: int = 0
    """Address of that record; 0: there is none."""
    units: int | None = None
    """For a semaphore that knows: how many may hold it at once."""
    shared: bool = False
    """Processes share it: what is read here is what one of them knows of it."""
    taken: int = 0
    """How much more often this process took a shared one than it gave it back; less than zero if
    it gives back what others take. *owner* is then who took it last."""

    @property
    def records_owner(self) -> bool:
        """Whether it says itself who owns it."""
        return self.kind is NodeKind.RLOCK and not self.shared


class Locks:
    """Reads lock objects of one interpreter."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._header = objects.layout.header

    def read(self, address: int) -> Lock | None:
        """The lock object of C code at *address*; None where there is none. Never raises."""
        name = self._objects.kind(address)
        try:
            if name == _LOCK:
                return self._plain(address)
            if name == _RLOCK:
                return self._reentrant(address)
            if name == _SEMLOCK:
                return self._between_processes(address)
        except MemoryReadError:
            pass
        return None

    def _keeps_mutex(self, address: int, size: int) -> bool:
        """Whether the word that waiters sleep on is in the object itself."""
        kind = self._objects.type_of(address)
        basic = self._memory.u64(kind + self._objects.layout["type.tp_basicsize"])
        return basic - self._header < size

    def _plain(self, address: int) -> Lock:
        """lockobject, Modules/_threadmodule.c."""
        layout, name = self._objects.layout, "threading.Lock"
        if self._keeps_mutex(address, _SEMAPHORE_LOCK_SIZE):
            mutex = address + self._header
            locked = self._memory.u8(mutex) & 1 != 0
            return Lock(address, NodeKind.LOCK, name, mutex, locked)
        word = self._memory.u64(address + layout["lock.lock_lock"])
        locked = self._memory.u8(address + layout["lock.locked"]) != 0
        return Lock(address, NodeKind.LOCK, name, word, locked)

    def _reentrant(self, address: int) -> Lock:
        """rlockobject, Modules/_threadmodule.c; _PyRecursiveMutex in the later kind."""
        layout, name = self._objects.layout, "threading.RLock"
        if self._keeps_mutex(address, _SEMAPHORE_RLOCK_SIZE):
            mutex = address + self._header
            locked = self._memory.u8(mutex) & 1 != 0
            owner = self._memory.u64(mutex + 8) if locked else 0
            return Lock(address, NodeKind.RLOCK, name, mutex, locked, owner, mutex + 8)
        count = self._memory.u64(address + layout["rlock.rlock_count"])
        owner_at = address + layout["rlock.rlock_owner"]
        owner = self._memory.u64(owner_at) if count else 0
        word = self._memory.u64(address + self._header)
        return Lock(address, NodeKind.RLOCK, name, word, count > 0, owner, owner_at)

    def _between_processes(self, address: int) -> Lock:
        """What ``multiprocessing`` makes its locks and semaphores of.

        A lock that is not recursive does not differ from a semaphore for one: what wraps it tells.
        The first half of glibc's ``sem_t`` is its value (sysdeps/nptl/internaltypes.h).
        """
        fields = address + self._header
        word = self._memory.u64(fields)
        taken = self._memory.i32(fields + _SEMLOCK_COUNT)
        maximum = self._memory.i32(fields + _SEMLOCK_MAXIMUM)
        recursive = self._memory.i32(fields + _SEMLOCK_KIND) == _RECURSIVE
        return Lock(
            address,
            NodeKind.RLOCK if recursive else NodeKind.SEMAPHORE,
            "multiprocessing.RLock" if recursive else "multiprocessing.Semaphore",
            word,
            locked=self._memory.u32(word) == 0,
            owner=self._memory.u64(fields + _SEMLOCK_LAST) if taken > 0 else 0,
            units=maximum if maximum < _SEM_VALUE_MAX else None,
            shared=True,
            taken=taken,
        )

    def semaphore(self, address: int) -> Lock:
        """A ``threading.Semaphore`` as the lock that it is; a bounded one knows its units.

        Raises:
            MemoryReadError: its class cannot be read.
        """
        name = self._objects.qualified_type(address)
        initial = self._objects.attributes(address).get("_initial_value")
        units = None
        if initial and self._objects.kind(initial) == "int":
            units = self._objects.integer(initial)
        return Lock(address, NodeKind.SEMAPHORE, name, 0, locked=True, units=units)
