"""What is waited for that lies within two steps of an object: its attributes, items, cells."""

from collections.abc import Collection
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython import simple_queue
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.references import References
from hangtui.backends.memory.damage import MemoryReadError

_STEPS = 2
_LEAVES = frozenset(
    {
        *("int", "str", "float", "bool", "NoneType", "bytes", "type", "module", "code"),
        *("_thread.lock", "_thread.RLock", "builtin_function_or_method"),
    }
)
_PRIMITIVES = ("queue.", "asyncio.locks.", "asyncio.queues.")
_QUEUES = ("queue.", "asyncio.queues.")
_OF_THREADING = ("Event", "Condition", "Barrier", "Semaphore", "BoundedSemaphore")
_OF_TRIO = ("Task", "Nursery", "CancelScope", "Event", "Semaphore", "CapacityLimiter")
"""What leads to nothing of the program's that is waited for by itself."""
_CONTAINERS = frozenset({"dict", "list", "set", "tuple", "collections.deque", "deque"})
_UNORDERED = frozenset({"dict", "set"})
_CALLS = frozenset({"function", "functools.partial"})
_OF_A_QUEUE = ("_queue", "queue")
"""Where the queues of asyncio and of `queue` have their items."""
_MAX_LOOKED = 10_000
"""Objects whose attributes are looked at, in sum over a process."""
_MAX_LETTERS = 100
"""Items of one queue that are looked into."""


class Near:
    """Finds *wanted* objects near others of one interpreter; each object is looked at once."""

    def __init__(self, wanted: Collection[int], objects: Objects, references: References) -> None:
        self._objects = objects
        self._wanted = frozenset(wanted)
        self._references = references
        self._known: dict[tuple[int, int], frozenset[int]] = {}
        self._kept: dict[int, frozenset[int]] = {}
        self._leaves: dict[int, bool] = {}
        self._in_queues: dict[int, frozenset[int] | None] = {}
        self._looked = 0

    @property
    def whole(self) -> bool:
        """Whether no object was left out."""
        return self._looked <= _MAX_LOOKED

    def targets(self, address: int, steps: int = _STEPS) -> frozenset[int]:
        """Those within so many steps of the object at *address*, itself included."""
        if not address:
            return frozenset()
        key = address, steps
        known = self._known.get(key)
        if known is None:
            # While it is looked at: objects refer to each other.
            known = self._known[key] = self._wanted & {address}
            if not known and steps and not self._is_leaf(address):
                known = self._known[key] = self._look(address, steps)
        return known

    def items(self, address: int) -> frozenset[int] | None:
        """What a container or a queue has in it, also within containers in it; None: it is neither
        of these."""
        if self._objects.kind(address) in _CONTAINERS:
            return self._nested(address)
        if address not in self._in_queues:
            self._in_queues[address] = self._items_of_queue(address)
        return self._in_queues[address]

    def _items_of_queue(self, address: int) -> frozenset[int] | None:
        """The items, and what the first of them have in them, as letters that bear where to answer
        to; None: it is no queue."""
        if self._objects.kind(address) == simple_queue.KIND:
            with suppress(MemoryReadError):
                return self._within(frozenset(simple_queue.items(self._objects, address)))
            return frozenset()
        kept = self._queued(address)
        return self._within(self._inner(kept)) if kept else None

    def _nested(self, container: int) -> frozenset[int]:
        inner = self._inner(container)
        nested = (one for one in inner if self._objects.kind(one) in _CONTAINERS)
        return inner.union(*map(self._inner, nested))

    def _within(self, items: frozenset[int]) -> frozenset[int]:
        nested = (one for one in items if self._objects.kind(one) in _CONTAINERS)
        return items.union(*map(self._inner, islice(nested, _MAX_LETTERS)))

    def _queued(self, address: int) -> int:
        """The container in which a queue has its items; 0: it is none."""
        attributes = self._objects.attributes(address)
        kept = next((attributes[name] for name in _OF_A_QUEUE if name in attributes), 0)
        return kept if kept and self._is_leaf(address) else 0

    def by_key(self, address: int) -> bool:
        """Whether each item is fetched from it by its key."""
        return self._objects.kind(address) == "dict"

    def in_turn(self, address: int) -> bool:
        """Whether the items come out of it in turn: not each by its key, whenever that is asked."""
        return self._objects.kind(address) not in _UNORDERED

    def kept(self, address: int) -> frozenset[int]:
        """What of interest lies in the containers and queues that an object has, also within those
        in them."""
        known = self._kept.get(address)
        if known is None:
            inner = self._inner(address) if address and not self._is_leaf(address) else ()
            lists = [one for one in inner if self._objects.kind(one) in _CONTAINERS]
            lists += filter(None, (self._queued(one) for one in self._queues(inner)))
            known = self._wanted & frozenset[int]().union(*map(self._nested, lists))
            self._kept[address] = known
        return known

    def by_calls(self, address: int) -> frozenset[int]:
        """What of interest those calls lead to that an object, or a part of it, keeps in a list:
        they are made once it is done."""
        parts = (address, *(self.items(address) or ()))
        kept = (one for part in parts for one in self._inner(part))
        lists = (self.items(one) for one in kept if self._objects.kind(one) in _CONTAINERS)
        calls = (call for found in lists if found for call in found)
        return frozenset[int]().union(*(self._of_call(call, _STEPS) for call in calls))

    def _of_call(self, call: int, steps: int) -> frozenset[int]:
        """By what a function closes over, or a partial call has been given."""
        if not steps or self._objects.kind(call) not in _CALLS:
            return frozenset()
        inner = self._inner(call)
        found = frozenset[int]().union(*(self.targets(one, 1) for one in inner))
        return found.union(*(self._of_call(one, steps - 1) for one in inner))

    def inside(self, address: int) -> frozenset[int] | None:
        """What of interest an object has, or what it has does, within two steps. None: that cannot
        be told, as of what is written in C."""
        inner = self._inner(address)
        found = self._wanted & inner
        return found.union(*map(self.targets, inner)) if inner else None

    def _queues(self, objects: Collection[int]) -> list[int]:
        return [one for one in objects if self._is_queue(one)]

    def _is_queue(self, address: int) -> bool:
        if not self._is_leaf(address) or self._objects.kind(address) in _LEAVES:
            return False
        with suppress(MemoryReadError):
            return self._objects.qualified_type(address).startswith(_QUEUES)
        return False

    def _inner(self, address: int) -> frozenset[int]:
        self._looked += 1
        return frozenset(value for _, value in self._references.referents(address))

    def _is_leaf(self, address: int) -> bool:
        kind = self._objects.kind(address)
        if kind is None or kind in _LEAVES:
            return True
        type_ = self._objects.type_of(address)
        known = self._leaves.get(type_)
        if known is None:
            known = self._leaves[type_] = self._is_primitive(address)
        return known

    def _is_primitive(self, address: int) -> bool:
        try:
            module, _, name = self._objects.qualified_type(address).rpartition(".")
        except MemoryReadError:
            return True
        return (
            f"{module}.".startswith(_PRIMITIVES)
            or (module == "threading" and name in _OF_THREADING)
            or (module in ("trio", "trio.lowlevel") and name in _OF_TRIO)
        )

    def _look(self, address: int, steps: int) -> frozenset[int]:
        if not self.whole:
            return frozenset()
        inner = self._inner(address)
        found = self._wanted & inner
        if steps > 1:
            found = found.union(*(self.targets(one, steps - 1) for one in inner))
        return found
