"""What a pool has lent out, told from what else is in reach of an object."""

from collections.abc import Collection, Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.pools.anchors import Anchor
from hangtui.backends.cpython.references import How, Reference, References
from hangtui.model import NodeKind, clean

_STEPS = 5
"""From a variable to what was lent: the session, its transaction, the table of its connections,
the connection, what that has from the pool."""
_NEAR = 1
"""How many steps a manager may be away from what leaving it gives back."""


class LentThings:
    """Looks for what one pool lent out, each object once."""

    def __init__(
        self, anchor: Anchor, references: References, classes: Classes, containers: Containers
    ) -> None:
        self.anchor = anchor
        self._known = anchor.known
        self._references = references
        self._classes = classes
        self._containers = containers
        self._found: dict[int, tuple[tuple[int, int], ...]] = {}
        self._lent: dict[int, bool] = {}
        self.common: Collection[int] = ()
        """What several refer to: nothing that it leads to is had by one of them."""
        self._resting = self._items(anchor.known.resting if anchor.known else ())
        self._among = self._items(anchor.known.among if anchor.known else ()) - self._resting
        self._borrowers = self._items(anchor.known.borrowers if anchor.known else ())
        self._told = bool(
            self._known and (self._known.things or self._known.among or self._known.borrowers)
        )

    def _items(self, way: Sequence[str]) -> set[int]:
        place = self._references.attribute(self.anchor.address, *way) if way else 0
        if not place:
            return set()
        if self._containers.holds_items(place):
            return {address for _, address in self._references.referents(place)}
        return set() if self._references.is_none(place) else {place}

    def take(self, tasks: Collection[int]) -> set[int]:
        """The *tasks* that the pool itself records as borrowers: no frame need show them."""
        return {address for address in self._borrowers if address in tasks}

    def others(self, tasks: Collection[int]) -> set[int]:
        """What else a limiter records as borrowers: neither tasks that are not known, or have
        ended, nor what its library puts in the place of a thread."""
        if self._known is None or self._known.kind is not NodeKind.LIMITER:
            return set()
        return {one for one in self._borrowers if one not in tasks and not self._is_task(one)}

    def _is_task(self, address: int) -> bool:
        kind = self._references.kind(address)
        if kind is None or kind.startswith("_asyncio."):
            return True
        packages = ("asyncio", self._known.package if self._known else "")
        return any(
            name == "Task" or module.partition(".")[0] in packages
            for module, name in self._classes.of(address)
        )

    def title(self, address: int) -> str:
        """Its type: ``Session``."""
        classes = self._classes.of(address)
        return classes[0][1] if classes else clean(self._references.kind(address) or "object", 80)

    def things(self, start: int) -> tuple[tuple[int, int], ...]:
        """What was lent out and is in reach of an object, each with the steps to it."""
        if self._known is None or not (self._known.things or self._known.among):
            return ()
        if start == self.anchor.address or start in self.common:
            return ()  # who knows the pool has nothing of it
        if start not in self._found:
            around = (self.anchor.address, *self.common)
            found = self._references.walk(start, _STEPS, around)
            self._found[start] = tuple(
                (address, len(way))
                for way, address in found
                if address not in (self.anchor.address, *self._resting) and self._is_lent(address)
            )
        return self._found[start]

    def entered(self, one: Reference) -> tuple[tuple[int, int], ...]:
        """The same of a manager that was entered. Where nothing tells what is lent out, it is
        what the manager stands for that leads to the pool, or that is a generator of its own."""
        if self._told:
            return self.things(one.address)
        if one.address == self.anchor.address:
            itself = self._known is not None and self._known.kind is NodeKind.LIMITER
            own = one.how is How.BEHIND_WITH and one.name == "self"
            return ((one.frame.address + (one.line or 0), 0),) if itself or own else ()
        if one.how is not How.WITH:
            return ()
        way = self._references.path(one.address, {self.anchor.address}, _NEAR)
        return () if way is None else ((one.address, 0),)

    def _is_lent(self, address: int) -> bool:
        if address not in self._lent:
            self._lent[address] = self._leads_here(address)
        return self._lent[address]

    def _leads_here(self, address: int) -> bool:
        if address in self._among:
            return True
        for thing in self._known.things if self._known else ():
            if self._classes.is_a(address, thing.package, thing.class_name):
                leads = self._references.attribute(address, *thing.pool) == self.anchor.address
                lent = not thing.lent or self._is_there(address, thing.lent)
                return leads and lent
        return False

    def _is_there(self, address: int, way: Sequence[str]) -> bool:
        found = self._references.attribute(address, *way)
        nothing = self._references.is_none(found) or self._references.is_false(found)
        return bool(found) and not nothing

    def of_library(self, address: int) -> bool:
        """Whether it is an object of the pool's library, or of one that stands before that."""
        known = self._known
        things = {thing.package for thing in known.things} if known else set[str]()
        own = {known.package, *known.through} if known else set[str]()
        return self._classes.package(address) in {*things, *own}

    def gives_back(self, entered: Reference, steps: int) -> bool:
        """Whether leaving a ``with`` gives back what is so many steps away from its manager, or
        from a variable behind that: the manager is the library's own, or next to it."""
        if self._known is None:
            return steps == 0
        package = self._classes.package(entered.address)
        things = {thing.package for thing in self._known.things}
        packages = {self._known.package, *things, *self._known.through}
        return steps <= _NEAR or package in packages
