"""Locks of greenlets: the semaphores of gevent and eventlet, and the reentrant locks made of them.

The locks of ``threading`` are of these kinds once it is patched.
"""

from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeKind, clean

_COUNTER, _INITIAL = 64, 80
"""Of ``gevent.lock.Semaphore``, and of the bounded one (gevent/_gevent_c_semaphore.pxd)."""
_PLAIN = ("gevent.thread.LockType", "eventlet.lock.Lock", "eventlet.green.thread.LockType")
_REENTRANT = ("gevent.lock.RLock", "threading._RLock", "gevent.thread.RLock")


class GreenletLocks(Locks):
    """Reads them."""

    def __init__(self, objects: Objects, members: Members) -> None:
        super().__init__(objects)
        self._members = members
        self.semaphores: set[int] = set()
        """The types ``Semaphore`` of both, and those derived from them."""
        self._titles: dict[int, str] = {}

    def read(self, address: int) -> Lock | None:
        """The lock at *address*; None where there is none. Never raises."""
        known = super().read(address)
        if known is not None or self._objects.kind(address) is None:
            return known
        try:
            kind = self._objects.type_of(address)
            if kind in self.semaphores:
                return self.of_semaphore(address)
            if self._title(kind, address) in _REENTRANT:
                return self._of_greenlet(address)
        except MemoryReadError:
            pass
        return None

    def _title(self, kind: int, address: int) -> str:
        if kind not in self._titles:
            self._titles[kind] = clean(self._objects.qualified_type(address), 100)
        return self._titles[kind]

    def of_semaphore(self, address: int) -> Lock:
        """A semaphore; what stands for ``threading.Lock`` is a bounded one for one.

        Raises:
            MemoryReadError: it cannot be read.
        """
        counter = self._members.number(address, "counter", _COUNTER)
        title = self._title(self._objects.type_of(address), address)
        locked = counter is not None and counter <= 0
        if title in _PLAIN:
            return Lock(address, NodeKind.LOCK, title, 0, locked)
        units = None
        if "Bounded" in title:
            units = self._members.number(address, "_initial_value", _INITIAL)
        if title.startswith("gevent."):
            title = f"gevent.lock.{title.rpartition('.')[2]}"
        return Lock(address, NodeKind.SEMAPHORE, title, 0, locked, units=units)

    def _of_greenlet(self, address: int) -> Lock | None:
        """A reentrant lock, which knows the greenlet that has it: the object, or its address."""
        known = self._members.all(address)
        if self._objects.kind(known.get("_block", 0)) is None:
            return None
        owner = known.get("_owner", 0)
        kind = self._objects.kind(owner)
        who = self._objects.integer(owner) if kind == "int" else 0 if kind == "NoneType" else owner
        title = self._title(self._objects.type_of(address), address).replace("._RLock", ".RLock")
        return Lock(address, NodeKind.RLOCK, title, 0, locked=bool(who), owner=who)

    def block_of(self, reentrant: int) -> int:
        """The semaphore that a reentrant lock is made of; 0: it is none."""
        return self._members.all(reentrant).get("_block", 0)
