"""Whether what code fetches, asks and calls changes anything, as far as the objects tell."""

from collections.abc import Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.looking.items import (
    CHANGES,
    CONTAINERS,
    ITERATOR,
    PLAIN,
    PLAIN_KINDS,
    UNKNOWN,
    DoesMoreError,
    Item,
    concrete,
    iterator_over,
    made_of,
    of_object,
)
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.values import Function, Values

LOCKS = frozenset({"_thread.lock", "_thread.RLock", "lock", "RLock"})
_CLOCKS = frozenset(
    {"time", "monotonic", "perf_counter", "process_time", "time_ns", "monotonic_ns"}
)
_BUILTINS = frozenset(
    {"len", "isinstance", "issubclass", "bool", "int", "float", "str", "abs", "min", "max", "id",
     "callable", "repr", "round"}
)  # fmt: skip
"""Of these arguments they make a value, and do nothing else, if those are plain or containers."""
_PRINTS = frozenset({"end", "flush", "sep"})
"""What ``print`` may be told without being given a file."""
_REDUCES = frozenset({"any", "all", "sum"})
"""The same of items that are plain themselves."""
_MAKES_ITERATORS = frozenset({"list", "tuple", "set", "range", "sorted", "reversed", "enumerate"})
_ASKS = {
    **dict.fromkeys(CONTAINERS, frozenset({"get", "keys", "values", "items", "copy", "count"})),
    **dict.fromkeys(LOCKS, frozenset({"locked", "_is_owned"})),
    **dict.fromkeys(
        ("_asyncio.Task", "_asyncio.Future", "Task", "Future"), frozenset({"done", "cancelled"})
    ),
}
"""By type of C: its methods that only tell something."""
_DYNAMIC = ("__getattribute__", "__getattr__")
_SEQUENCES = frozenset({"list", "tuple", "collections.deque"})
_MOST_KEYS = 64
_MOST_ITEMS = 32
"""Of a container that is gone through one by one."""


class Judge:
    """Asks the objects of one interpreter."""

    def __init__(self, objects: Objects, values: Values, containers: Containers) -> None:
        self._objects = objects
        self._values = values
        self._containers = containers

    def item(self, address: int, name: str = "") -> Item:
        """The object at an address."""
        return of_object(address, self._objects, name)

    def attribute(self, owner: Item, name: str) -> Item | Function:
        """What an attribute is; the function that is called for it, if it is a property.

        Raises:
            DoesMoreError: to fetch it may do anything.
        """
        if not owner.address:
            return self._of_plain(owner, name)
        objects, address = self._objects, owner.address
        kind = objects.kind(address)
        if kind in ("module", "type"):
            found = self._values.attribute(address, name)
            if not found:
                raise DoesMoreError
            return self.item(found, name)
        if kind in PLAIN_KINDS or kind in _ASKS:
            return Item(name=name, owner=address, plain=False)
        self._plainly(address)
        of_class = objects.class_attribute(address, name)
        sort = objects.kind(of_class) if of_class else None
        if sort == "property":
            getter = self._values.function(self._getter(of_class), address)
            if getter is None:
                raise DoesMoreError
            return getter
        own = objects.attributes(address).get(name)
        return self.item(own, name) if own else self._of_class(address, of_class, name)

    def _of_class(self, address: int, of_class: int, name: str) -> Item:
        """What an object has from its class."""
        sort = self._objects.kind(of_class) if of_class else None
        if sort in ("function", "staticmethod", "classmethod"):
            return Item(of_class, name=name, owner=address)
        if sort == "member_descriptor":
            slot = self._values.attribute(address, name)
            if slot and slot != of_class:
                return self.item(slot, name)
        if not of_class or (sort or "").endswith(("descriptor", "property")):
            raise DoesMoreError
        return self.item(of_class, name)

    def _of_plain(self, owner: Item, name: str) -> Item:
        if owner.plain:
            return Item(name=name, owner=0, plain=True, changes=owner.changes)
        raise DoesMoreError

    def _plainly(self, address: int) -> None:
        """Refuse an object whose class has its own way to find attributes, or is made in C."""
        for name in _DYNAMIC:
            found = self._objects.class_attribute(address, name)
            if found and self._objects.kind(found) == "function":
                raise DoesMoreError
        if not self._objects.classes(address):
            raise DoesMoreError

    def _getter(self, descriptor: int) -> int:
        """``fget`` of a property: the first field of it."""
        return self._objects.memory.u64(descriptor + self._objects.header)

    def sets(self, owner: Item, name: str) -> None:
        """Refuse to set an attribute if that may do more."""
        if not owner.address:
            raise DoesMoreError
        self._plainly(owner.address)
        for special in ("__setattr__", name):
            found = self._objects.class_attribute(owner.address, special)
            kind = self._objects.kind(found) if found else None
            plain = kind in (None, "wrapper_descriptor", "member_descriptor", *PLAIN_KINDS)
            if not plain and kind not in CONTAINERS:
                raise DoesMoreError

    def truth(self, item: Item) -> bool | None:
        """Whether it counts as true; None: that depends on what is in it."""
        if item.changes:
            raise DoesMoreError
        if item.known:
            return bool(item.value)
        if item.plain or not item.address:
            if not item.plain:
                raise DoesMoreError
            return None
        kind = self._objects.kind(item.address)
        if kind in CONTAINERS or kind in PLAIN_KINDS:
            return None
        for name in ("__bool__", "__len__"):
            if self._objects.class_attribute(item.address, name):
                raise DoesMoreError
        return True

    def compared(self, one: Item, other: Item) -> Item:
        """What a comparison of two values makes, which may ask the objects themselves."""
        for item in (one, other):
            if not item.plain and not self._compares_plainly(item):
                raise DoesMoreError
        return made_of(one, other)

    def _compares_plainly(self, item: Item) -> bool:
        if not item.address:
            return False
        kind = self._objects.kind(item.address)
        if kind in CONTAINERS or kind in PLAIN_KINDS:
            return True
        found = self._objects.class_attribute(item.address, "__eq__")
        return not found or self._objects.kind(found) == "wrapper_descriptor"

    def contains(self, container: Item, item: Item) -> Item:
        """What ``item in container`` makes."""
        kind = self._objects.kind(container.address) if container.address else None
        if not (container.plain or kind in CONTAINERS):
            raise DoesMoreError
        return made_of(container, item)

    def subscript(self, container: Item, key: Item) -> Item:
        """``container[key]``."""
        kind = self._objects.kind(container.address) if container.address else None
        if kind == "dict" and key.known and not key.changes:
            for number, (at, value) in enumerate(self._objects.items(container.address)):
                if number > _MOST_KEYS:
                    break
                found = self.item(at)
                if found.known and type(found.value) is type(key.value) and found[1] == key[1]:
                    return self.item(value)
        if not (container.plain or kind in CONTAINERS) or key.changes:
            raise DoesMoreError
        if kind in _SEQUENCES and isinstance(key.value, int) and key.known:
            items = self._containers.sequence(container.address)
            if -len(items) <= key.value < len(items):
                return self.item(items[key.value])
        return PLAIN if container.plain else UNKNOWN

    def iterated(self, item: Item) -> Item:
        """An iterator over it."""
        kind = self._objects.kind(item.address) if item.address else None
        if item.changes or not (item.plain or kind in CONTAINERS or item.name == ITERATOR.name):
            raise DoesMoreError
        few = kind in _SEQUENCES and self._objects.size(item.address) <= _MOST_ITEMS
        return iterator_over(item.address) if few else ITERATOR

    def taken(self, iterator: Item) -> tuple[Item, Item] | None:
        """The next item of a container that is known, and the iterator behind it; None: there is
        none left."""
        items, index = self._containers.sequence(iterator.owner), int(iterator.value or 0)
        if index >= len(items):
            return None
        return self.item(items[index]), iterator_over(iterator.owner, index + 1)

    def is_lock(self, item: Item) -> bool:
        """Whether it is a lock, or a condition of threading's."""
        if not item.address:
            return False
        kind = self._objects.kind(item.address) or ""
        return kind in LOCKS or self._objects.qualified_type(item.address) == "threading.Condition"

    def builtin(self, called: Item, arguments: Sequence[Item]) -> Item | None:
        """What a function of C makes of these; None: it is none that is known to do nothing else.

        It may be one of an object: ``self.items.get``.
        """
        kind = self._objects.kind(called.address) if called.address else None
        if kind == "builtin_function_or_method" and called.name in _CLOCKS:
            return CHANGES
        if called.owner and not called.address:
            of = self._objects.kind(called.owner) or ""
            if of in PLAIN_KINDS:
                return made_of(*arguments)
            if called.name not in _ASKS.get(of, ()) or any(one.changes for one in arguments):
                return None
            return UNKNOWN if called.name == "get" else PLAIN
        if called.plain and not called.address:
            return made_of(called, *arguments)
        own = kind in (None, "builtin_function_or_method", "type")
        plainly = called.name in _BUILTINS and all(map(self._is_plain, arguments))
        reduces = called.name in _REDUCES and all(map(self._is_of_plain, arguments))
        if own and (plainly or reduces):
            return made_of(*arguments)
        if own and called.name in _MAKES_ITERATORS and all(map(self._is_plain, arguments)):
            return ITERATOR
        return None

    def prints(self, called: Item, arguments: Sequence[Item], keywords: Sequence[str]) -> bool:
        """Whether a call prints values, on to standard output."""
        kind = self._objects.kind(called.address) if called.address else None
        own = called.name == "print" and kind in (None, "builtin_function_or_method")
        plainly = all(one.plain for one in arguments)
        return own and not called.owner and plainly and _PRINTS.issuperset(keywords)

    def _is_of_plain(self, item: Item) -> bool:
        """Whether it is plain, or a container of nothing else."""
        kind = self._objects.kind(item.address) if item.address and not item.plain else None
        if kind not in _SEQUENCES:
            return item.plain
        items = self._containers.sequence(item.address)
        few = self._objects.size(item.address) <= _MOST_ITEMS
        return few and all(self.item(one).plain for one in items)

    def _is_plain(self, item: Item) -> bool:
        kind = self._objects.kind(item.address) if item.address else None
        return item.plain or kind in CONTAINERS or kind == "type"


def computed(name: str, one: Item, other: Item) -> Item | None:
    """The value of a comparison of two known ones; None: they are not, or cannot be compared."""
    if not (one.known and other.known):
        return None
    left, right = one.value, other.value
    if name in ("==", "!="):
        return concrete((left == right) is (name == "=="))
    if isinstance(left, int | float) and isinstance(right, int | float):
        return concrete({"<": left < right, "<=": left <= right, ">": left > right,
                         ">=": left >= right}[name])  # fmt: skip
    return None
