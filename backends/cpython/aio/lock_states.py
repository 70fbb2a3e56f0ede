"""Whether locks of tasks are taken: those of asyncio, of tornado, and of anyio on asyncio."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.model import NodeKind

_WAITERS = ("_waiters", "waiters", "_read_waiters", "_write_waiters")
_OWNERS = ("_owner", "owner", "_owners", "owners", "_owning", "_holder", "_holders")
"""How packages call what their locks keep of those who wait, and of those who have it."""


class LockStates:
    """Reads them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def kind(self, address: int) -> NodeKind | None:
        """Which kind of lock is at *address*; None: none. Never raises."""
        names = self._containers.classes(address)
        if not names or not ("Lock" in names or "Semaphore" in names):
            return None
        attributes = self._objects.attributes(address)
        # tornado makes its lock of a semaphore.
        if "_waiters" not in attributes and not self._inner(attributes):
            return None
        return NodeKind.SEMAPHORE if "Semaphore" in names else NodeKind.LOCK

    def _inner(self, attributes: dict[str, int]) -> int:
        block = attributes.get("_block", 0)
        return block if "Semaphore" in self._containers.classes(block) else 0

    def locked(self, lock: int) -> bool:
        """Whether nothing of it is left."""
        attributes = self._objects.attributes(lock)
        if "_locked" in attributes:
            return self._containers.true(attributes["_locked"])
        inner = self._inner(attributes)
        value = (self._objects.attributes(inner) if inner else attributes).get("_value", 0)
        return self._containers.integer(value) == 0

    def units(self, semaphore: int) -> int | None:
        """How many tasks can hold a semaphore; only a bounded one records it."""
        attributes = self._objects.attributes(semaphore)
        for name in ("_bound_value", "_initial_value"):
            if name in attributes:
                return self._containers.integer(attributes[name])
        return None

    def owner(self, lock: int) -> int:
        """The task that a lock of anyio's records; 0: none, or it records nobody."""
        owner = self._containers.slot(lock, "_owner_task")
        return owner if owner and self._objects.kind(owner) != "NoneType" else 0

    def owners(self, lock: int) -> list[int]:
        """What may be the tasks that a lock records: of anyio's one, else what a lock of another
        package has in an attribute that says so, alone or in a list."""
        if owner := self.owner(lock):
            return [owner]
        found: list[int] = []
        for name in _OWNERS:
            value = self._field(lock, name)
            for one in (value, *self._containers.sequence(value)) if value else ():
                found += (one, *self._containers.sequence(one))
        return list(dict.fromkeys(found))

    def keeps(self, lock: int, future: int) -> bool:
        """Whether a lock has *future* among those of who waits for it."""
        values = [self._field(lock, name) for name in _WAITERS]
        return any(future in self._containers.sequence(value) for value in values if value)

    def _field(self, lock: int, name: str) -> int:
        return self._objects.attributes(lock).get(name, 0) or self._containers.slot(lock, name)
