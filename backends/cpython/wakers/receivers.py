"""What the expression means on which a call is made: the object, or those that it may be."""

from collections.abc import Iterable, Mapping

from hangtui.backends.cpython.bytecode import Expression, Root
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Scope, Values
from hangtui.dataclass import dataclass
from hangtui.model import Complement

_MOST_ITEMS = 20
"""Of a queue that a loop takes from."""
_MOST_GONE_OVER = 500
"""Items of one container that a loop goes over beside others."""
_SEVERAL = 2
"""Places at which such a variable is stored."""
_OUT = frozenset({"pop", "popitem", "popleft", "get_nowait"})
_AWAITS = frozenset({"wait", "result", "exception"})
_ITSELF = frozenset({"self", "cls"})
"""What methods call what they are bound to."""
_FURTHER = 2
"""Attributes by which code comes to what another object has."""
_PLAIN = frozenset({"dict", "list", "tuple", "set", "frozenset", "str", "bytes", "int", "float"})
"""Types of the language, none of which is waited for; two of them have a method ``get``, too."""

Wanted = Mapping[int, Mapping[str, Complement]]
"""By the address of what is waited for: the methods that end the wait."""
Arguments = frozenset[tuple[int, str]]
"""What of interest is handed on in a call, with what the caller calls it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where calls are looked at: some code, and what its variables are known to be."""

    code: Code
    scope: Scope
    stored: frozenset[int]
    known: frozenset[int]
    """What a receiver that cannot be told may be."""
    depth: int
    kept: frozenset[tuple[int, int]] = frozenset()
    """Mentions, with the slots of variables that are not stored before them."""
    handed: Arguments = frozenset()
    """What of interest the caller hands on."""


_COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"})
"""Builtins that give what lies in another container."""


class Receivers:
    """Tells receivers within one interpreter."""

    def __init__(self, wanted: Wanted, mentions: Mentions, values: Values, near: Near) -> None:
        self._wanted = wanted
        self._mentions = mentions
        self._values = values
        self._near = near

    def of(self, mention: Mention, place: Place) -> int | None:
        """The one object that is meant; None: that cannot be told."""
        expression = mention.receiver
        if expression is None:
            return None
        value = self._values.of(expression, place.scope)
        if value in self._wanted or not mention.name:
            return value
        # A loop's variable means another object by the time of the call.
        changes = expression.root is Root.LOCAL and expression.slot in place.stored
        changes = changes and (mention.start, expression.slot) not in place.kept
        return None if changes else value

    def value(self, mention: Mention, place: Place) -> int:
        """What a mention is; 0: that cannot be told."""
        if mention.receiver is None:
            return 0
        owner = self._values.of(mention.receiver, place.scope)
        if owner is None or not mention.name:
            return owner or 0
        return self._values.follow(owner, (mention.name,)) or 0

    def items(self, mention: Mention, place: Place) -> list[int]:
        """What a loop's variable means next: what lies in the queue, or the container, that it is
        taken from."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL:
            return []
        if receiver.slot not in place.stored:
            return []
        found: list[int] = []
        for origins in self._mentions.origins(place.code, receiver.slot) or ():
            items = self._items_of(origins[0], place) if origins else None
            meant = (self._values.follow(one, receiver.attributes) for one in items or ())
            found += [one for one in meant if one is not None]
        return found[:_MOST_ITEMS]

    def out_of(self, mention: Mention, place: Place) -> frozenset[int]:
        """What of interest a variable may be that is taken out of a container: what lies there, as
        in ``answer = self.pending.pop(number)``."""
        receiver = mention.receiver
        if mention.item_of is not None:
            return self._lie_in(mention.item_of, place)
        if receiver is None or receiver.root is not Root.LOCAL or receiver.attributes:
            return frozenset()
        found = frozenset[int]()
        for origins in self._mentions.origins(place.code, receiver.slot) or ():
            items = self._made_from(origins[0], place) if origins else ()
            found |= frozenset(one for one in items if one in self._wanted)
        return found

    def gone_over(self, mention: Mention, place: Place) -> frozenset[int]:
        """What of interest a loop's variable leads to that gets one of several values: what lies in
        the containers that are gone over together, as in ``zip(batch.asked, answers)``."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL:
            return frozenset()
        found: list[int | None] = []
        for origin in self._mentions.unpacked_from(place.code, receiver.slot):
            items = list(self._made_from(origin, place))[:_MOST_GONE_OVER]
            items += [part for one in items for part in self._parts(one)]
            found += (self._values.follow(one, receiver.attributes) for one in items)
        return frozenset(one for one in found if one is not None and one in self._wanted)

    def _parts(self, item: int) -> frozenset[int]:
        """What is unpacked from an item: the values of a tuple."""
        return self._near.items(item) or frozenset() if item not in self._wanted else frozenset()

    def _lie_in(self, container: Expression, place: Place) -> frozenset[int]:
        """What of interest lies in what an item is fetched from; or, where a variable of that gets
        another value first, in what this is taken out of."""
        stored = container.root is Root.LOCAL and container.slot in place.stored
        value = None if stored else self._values.of(container, place.scope)
        found = self._near.items(value) if value is not None else None
        if found is None and container.root is Root.LOCAL and not container.attributes:
            origins = self._mentions.origins(place.code, container.slot) or ()
            taken = (self._items_of(one[0], place) for one in origins if one)
            found = frozenset[int]().union(*(one for one in taken if one))
        return frozenset(one for one in found or () if one in self._wanted)

    def _made_from(self, origin: Mention, place: Place, depth: int = _FURTHER) -> frozenset[int]:
        """What a value may be that is taken from there: what lies in the queue or the container;
        also by way of another variable, as of ``letter`` in ``subject, reply = letter``."""
        receiver = origin.receiver
        through = receiver is not None and receiver.root is Root.LOCAL and depth > 0
        if receiver is None or not through or origin.called != origin.until:
            return self._items_of(origin, place) or frozenset()
        before = self._mentions.origins(place.code, receiver.slot) or ()
        taken = [
            one for made in before if made for one in self._made_from(made[0], place, depth - 1)
        ]
        if not taken:
            return self._items_of(origin, place) or frozenset()
        names = (*receiver.attributes, *((origin.name,) if origin.name else ()))
        meant = (self._values.follow(one, names) for one in taken)
        return frozenset(one for one in meant if one)

    def _items_of(self, mention: Mention, place: Place) -> frozenset[int] | None:
        """What lies in the queue that a method is called on, or in the container that is meant."""
        source = self.of(mention, place)
        found = self._near.items(source) if source is not None else None
        value = self.value(mention, place) if found is None else 0
        return self._near.items(value) if value else found

    def handed(self, mention: Mention, place: Place) -> frozenset[int]:
        """What a parameter means that is called as the caller calls what it hands on."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL or receiver.attributes:
            return frozenset()
        if not mention.name or receiver.slot >= len(place.code.variables):
            return frozenset()
        name = place.code.variables[receiver.slot]
        return frozenset(target for target, called in place.handed if called == name)

    def sources(self, mention: Mention, place: Place) -> frozenset[int]:
        """What of interest a variable may mean, by what its values are taken from."""
        receiver = mention.receiver
        if mention.item_of is not None:
            return self._lie_in(mention.item_of, place) or place.known
        if receiver is None or receiver.root is not Root.LOCAL:
            return place.known
        found = frozenset[int]()
        if self.makes(mention, place):
            return found
        for origins in self._mentions.origins(place.code, receiver.slot) or ((),):
            here = self._taken_from(origins, receiver, place)
            if here is None:
                return place.known
            found |= here
        return found

    def makes(self, mention: Mention, place: Place) -> bool:
        """Whether what a method is called on is a variable that is either made here, or taken from
        where others left it and waited for: of such code (one computes, the others wait for that)
        the first ends what it made. Not where it is taken out: who comes second may end what the
        first one waits for."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL or receiver.attributes:
            return False
        origins = self._mentions.origins(place.code, receiver.slot) or ()
        if len(origins) < _SEVERAL or any(one and one[0].name in _OUT for one in origins):
            return False
        made = (self.value(one[0], place) for one in origins if len(one) == 1)
        if not any(value and self._values.is_class(value) for value in made):
            return False
        return any(
            one.name in _AWAITS and one.receiver == receiver
            for one in self._mentions.of(place.code)
        )

    def is_plain(self, mention: Mention, place: Place) -> bool:
        """Whether a variable is a value of a type that nobody waits for. One that a loop stores
        means another object next time, but not one of another type."""
        if mention.receiver is None or not mention.name:
            return False
        value = self._values.of(mention.receiver, place.scope)
        return value is not None and self._values.kind(value) in _PLAIN

    def is_of_nothing(self, mention: Mention, place: Place) -> bool:
        """Whether what is called is an attribute of an attribute that is ``None`` now, as of
        ``self.batcher.queue.put``: as things are, no call on anything."""
        receiver = mention.receiver
        if receiver is None:
            return False
        stored = receiver.root is Root.LOCAL and receiver.slot in place.stored
        return not stored and self._values.passes_none(receiver, place.scope)

    def is_taken(self, receiver: Expression, code: Code) -> bool:
        """Whether a local variable is made from something that the code says, or is an argument of
        the function: of the object that it is a method of, what another attribute leads to."""
        if receiver.root is not Root.LOCAL:
            return False
        slot = receiver.slot
        if not self._mentions.stores(code, slot):
            own = slot < code.local_count and code.variables[slot] in _ITSELF
            return slot < code.local_count and not (own and len(receiver.attributes) < _FURTHER)
        return bool(self._mentions.origins(code, slot)) or self._mentions.unpacks(code, slot)

    def _taken_from(
        self, origins: Iterable[Mention], receiver: Expression, place: Place
    ) -> frozenset[int] | None:
        """What a variable may mean once it was stored: what the first container gives away, or all
        that other objects have; None: that cannot be told."""
        found: frozenset[int] | None = None
        origins = tuple(origins)
        if len(origins) == 1 and (known := self._is_attribute(origins[0], place)):
            one = self._values.follow(known, receiver.attributes)
            if one is not None or self._near.by_key(known) or self._near.items(known) is None:
                return frozenset({one or 0}) & self._wanted.keys()
        for origin in origins:
            if self._copies(origin, place):
                found = found or frozenset()
                continue
            source, value = self.of(origin, place), self.value(origin, place)
            if source is None:
                return None
            if value and self._values.is_class(value):
                found = found or frozenset()
                continue
            # Of a dictionary one is fetched by its key: which one, nobody knows.
            by_key = value and self._near.by_key(value)
            items = self._near.items(source) if by_key else self._items_of(origin, place)
            if items is not None:
                # What stands behind it is a key, or a default.
                meant = (self._values.follow(item, receiver.attributes) for item in items)
                return frozenset(one for one in meant if one is not None and one in self._wanted)
            here = self._near.inside(source)
            if here is None:
                return None
            found = here | (found or frozenset())
        return found

    def _copies(self, origin: Mention, place: Place) -> bool:
        """Whether it is a builtin that gives what lies in another container, in a new one."""
        receiver = origin.receiver
        if receiver is None or receiver.root is not Root.GLOBAL or origin.name:
            return False
        return not receiver.attributes and receiver.name in _COPIES and not self.of(origin, place)

    def _is_attribute(self, origin: Mention, place: Place) -> int:
        """What an attribute of an object is that nothing is called on or with: a variable which is
        stored from it alone means that. 0: it is called, or that cannot be told."""
        owner = self.of(origin, place) if origin.called == origin.until and origin.name else None
        return (self._values.own(owner, origin.name) or 0) if owner else 0
