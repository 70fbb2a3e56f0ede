"""What a pool or limiter counts of itself."""

import math
from collections.abc import Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.libraries import Term
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.references import References
from hangtui.backends.memory.damage import MemoryReadError

_MOST = 1 << 30
"""More than this is no limit."""


class Counts:
    """Reads counts of objects of one interpreter."""

    def __init__(self, objects: Objects, references: References, containers: Containers) -> None:
        self._objects = objects
        self._references = references
        self._containers = containers

    def sum(self, owner: int, terms: Sequence[Term]) -> int | None:
        """A sum over attributes of *owner*; None: one is not there, or it is no sensible count."""
        values = [self._value(owner, term) for term in terms]
        if not values or None in values:
            return None
        total = sum(term.sign * (value or 0) for term, value in zip(terms, values, strict=True))
        return total if 0 <= total < _MOST else None

    def _value(self, owner: int, term: Term) -> int | None:
        if term.way[0].isdecimal():
            return int(term.way[0])
        found = self._references.attribute(owner, *term.way)
        if not found:
            return None
        try:
            match term.of:
                case "len":
                    return self._length(found)
                case "maxlen":
                    return self._bound(found)
                case _:
                    return self._number(found)
        except MemoryReadError:
            return None

    def _number(self, address: int) -> int | None:
        if self._objects.kind(address) == "bool":
            return int(self._containers.true(address))
        whole = self._containers.integer(address)
        if whole is not None:
            return whole
        number = self._containers.number(address)
        return int(number) if number is not None and math.isfinite(number) else None

    def _bound(self, deque: int) -> int | None:
        """``deque.maxlen``, three words behind its index of the left end; None: it has none."""
        if self._objects.kind(deque) != "collections.deque":
            return None
        place = deque + self._objects.layout["deque.leftindex"] + 24
        found = self._objects.memory.i64(place)
        return found if found >= 0 else None

    def _length(self, address: int) -> int | None:
        kind = self._objects.kind(address)
        if kind in ("set", "frozenset"):
            return self._containers.field(address, 1)  # after the used and removed entries together
        if kind in ("list", "tuple", "collections.deque"):
            return self._objects.size(address)
        if kind in ("dict", "collections.OrderedDict", "OrderedDict", "collections.defaultdict"):
            return self._containers.field(address)
        return None
