"""Which calls that end a wait a frame may come to: in its own code, or in functions that it calls
on the way."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from hangtui.backends.cpython.bytecode import Expression, Root
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.wakers.complements import COMMON_NAMES
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import Complement, clean

_DEPTH = 4
"""Functions that call each other, from a frame on."""
_TAKES = "acquire"
_MOST_ITEMS = 20
"""Of a queue that a loop takes from."""
_MAX_FUNCTIONS = 4_000
"""That are looked into, in sum over a process."""

Wanted = Mapping[int, Mapping[str, Complement]]
"""By the address of what is waited for: the methods that end the wait."""


class Reach(NamedTuple):
    """A call that ends a wait."""

    target: int
    complement: Complement
    text: str
    """``self.ready.notify``."""
    line: str
    """``file:line``."""
    direct: bool
    """It stands in the frame's own code, not in a function that this calls."""
    of_others: bool
    """What it is called on comes from where the target is not."""


_Arguments = frozenset[tuple[int, str]]
"""What of interest is handed on in a call, with what the caller calls it."""


@dataclass(frozen=True, slots=True)
class _Place:
    code: Code
    scope: Scope
    stored: frozenset[int]
    known: frozenset[int]
    """What a receiver that cannot be told may be."""
    depth: int
    kept: frozenset[tuple[int, int]] = frozenset()
    """Mentions, with the slots of variables that are not stored before them."""
    handed: _Arguments = frozenset()
    """What of interest the caller hands on."""


def _fails(reach: Reach) -> bool:
    """Whether it ends a wait with an error, as code does that could not do what it is there for."""
    return reach.text.endswith("set_exception")


class Callees:
    """Looks along the calls of one interpreter's code."""

    def __init__(
        self, wanted: Wanted, codes: CodeReader, mentions: Mentions, values: Values, near: Near
    ) -> None:
        self._wanted = wanted
        self.names = frozenset(name for names in wanted.values() for name in names)
        self._codes = codes
        self._mentions = mentions
        self._values = values
        self._near = near
        self._known: dict[tuple[int, int, _Arguments], tuple[Reach, ...]] = {}
        self._left = _MAX_FUNCTIONS
        self._named = 0
        """How often a method of one of the wanted names was met."""
        self._barren: set[tuple[int, int]] = set()
        """Functions, with the type of their ``self``, from which none is met."""

    def ahead(
        self,
        frame: Frame,
        called: Frame | None,
        exits: Iterable[int],
        known: frozenset[int],
    ) -> list[Reach]:
        """What *frame* comes to.

        *called*: the frame that it called; *exits*: what leaving its ``with`` blocks calls;
        *known*: what is waited for and it refers to.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        found: dict[int, Reach] = {}
        ahead = self._mentions.ahead(frame.code, frame.instruction)
        scope = self._values.frame(frame)
        place = _Place(frame.code, scope, ahead.stored, known, 0, ahead.kept)
        running = called.code.address if called else 0
        for reach in (
            *(reach for one in exits for reach in self._leaving(one)),
            *self._reached(ahead.current, place, running),
            *self._reached(ahead.mentions, place),
        ):
            other = found.get(reach.target)
            if other is None or other.of_others or _fails(other) > _fails(reach):
                found[reach.target] = reach
        return list(found.values())

    def whole(self, frame: Frame) -> list[Reach]:
        """What the code of *frame* comes to anywhere, with the variables that it has now.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        nothing, scope = frozenset[int](), self._values.frame(frame)
        own = scope.slots.get(0, 0) if frame.code.variables[:1] == ("self",) else 0
        place = _Place(frame.code, scope, nothing, self._near.targets(own), 0)
        return list(self._reached(self._mentions.of(frame.code), place))

    def written(self, function: Function, code: Code) -> Iterator[Reach]:
        """The calls in a function's own code that would end waits, were it called. A result that
        is set on what the code takes from somewhere counts if its ``self`` leads to what waits.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        mentions = [one for one in self._mentions.of(code) if one.name in self.names]
        if not mentions:
            return
        scope = self._values.call(function, code.variables)
        place = _Place(code, scope, frozenset(), self._near.targets(function.bound), 0)
        for mention in mentions:
            value = self._receiver(mention, place)
            for reach in self._direct(mention, value, place):
                taken = mention.receiver is None or self._is_taken(mention.receiver, code)
                of_results = reach.complement is Complement.SET_RESULT
                if value is not None or (of_results and taken and not reach.of_others):
                    yield reach

    def _is_taken(self, receiver: Expression, code: Code) -> bool:
        """Whether a local variable is made from something that the code says."""
        return receiver.root is Root.LOCAL and bool(self._mentions.origins(code, receiver.slot))

    def _reached(
        self, mentions: tuple[Mention, ...], place: _Place, running: int = 0
    ) -> Iterator[Reach]:
        """*running*: the code that was called already, and stands on its own."""
        for mention in mentions:
            value = self._receiver(mention, place)
            if mention.name in self.names:
                self._named += 1
                yield from self._direct(mention, value, place)
            if value is not None and value not in self._wanted:
                yield from self._through(mention, value, mentions, place, running)
            for item in self._items(mention, place):
                yield from self._through(mention, item, mentions, place, running)

    def _items(self, mention: Mention, place: _Place) -> list[int]:
        """What a loop's variable means next: what lies in the queue that it is taken from."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL or not mention.name:
            return []
        if receiver.slot not in place.stored:
            return []
        found: list[int] = []
        for origins in self._mentions.origins(place.code, receiver.slot) or ():
            source = self._receiver(origins[0], place) if origins else None
            items = self._near.items(source) if source is not None else None
            meant = (self._values.follow(one, receiver.attributes) for one in items or ())
            found += [one for one in meant if one is not None and one not in self._wanted]
        return found[:_MOST_ITEMS]

    def _leaving(self, exit_method: int) -> tuple[Reach, ...]:
        function = self._values.function(exit_method)
        return self._inside(function, frozenset(), 1) if function is not None else ()

    def _receiver(self, mention: Mention, place: _Place) -> int | None:
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

    def _direct(self, mention: Mention, value: int | None, place: _Place) -> Iterator[Reach]:
        """The call itself, on what is waited for or on what cannot be told."""
        targets: Collection[int] = (value,) if value is not None else ()
        if value is None and mention.name in COMMON_NAMES:
            targets = self._handed(mention, place)
        sources = targets
        if value is None and mention.name not in COMMON_NAMES:
            sources = self._sources(mention, place)
            targets = place.known.union(sources)
        for target in targets:
            complement = self._wanted.get(target, {}).get(mention.name)
            if complement is not None:
                yield Reach(
                    target,
                    complement,
                    clean(mention.text(place.code), 80),
                    self._line(mention, place),
                    direct=place.depth == 0,
                    of_others=target not in sources,
                )

    def _handed(self, mention: Mention, place: _Place) -> frozenset[int]:
        """What a parameter means that is called as the caller calls what it hands on."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL or receiver.attributes:
            return frozenset()
        if not mention.name or receiver.slot >= len(place.code.variables):
            return frozenset()
        name = place.code.variables[receiver.slot]
        return frozenset(target for target, called in place.handed if called == name)

    def _sources(self, mention: Mention, place: _Place) -> frozenset[int]:
        """What of interest a variable may mean, by what its values are taken from."""
        receiver = mention.receiver
        if receiver is None or receiver.root is not Root.LOCAL:
            return place.known
        found = frozenset[int]()
        for origins in self._mentions.origins(place.code, receiver.slot) or ((),):
            here = self._taken_from(origins, receiver, place)
            if here is None:
                return place.known
            found |= here
        return found

    def _taken_from(
        self, origins: Iterable[Mention], receiver: Expression, place: _Place
    ) -> frozenset[int] | None:
        """What a variable may mean once it was stored: what the first container gives away, or all
        that other objects have; None: that cannot be told."""
        found: frozenset[int] | None = None
        for origin in origins:
            source, value = self._receiver(origin, place), self._value(origin, place)
            if source is None:
                return None
            if value and self._values.is_class(value):
                found = found or frozenset()
                continue
            items = self._near.items(source)
            if items is not None:
                # What stands behind it is a key, or a default.
                meant = (self._values.follow(item, receiver.attributes) for item in items)
                return frozenset(one for one in meant if one is not None and one in self._wanted)
            here = self._near.inside(source)
            if here is None:
                return None
            found = here | (found or frozenset())
        return found

    def _line(self, mention: Mention, place: _Place) -> str:
        line = self._codes.line(place.code, mention.offset)
        name = place.code.file
        return f"{name}:{line}" if line else name

    def _through(
        self,
        mention: Mention,
        value: int,
        mentions: tuple[Mention, ...],
        place: _Place,
        running: int,
    ) -> Iterator[Reach]:
        """What a function that is called, or handed on to be called, comes to."""
        if place.depth >= _DEPTH:
            return
        try:
            function = self._values.called(value, mention.name)
        except MemoryReadError:
            return
        if function is not None and function.code != running:
            arguments = self._arguments(mention, mentions, place)
            yield from self._inside(function, arguments, place.depth + 1)

    def _arguments(
        self, mention: Mention, mentions: tuple[Mention, ...], place: _Place
    ) -> _Arguments:
        """What of interest stands between a function's name and its call."""
        between = (one for one in mentions if mention.start < one.start < mention.until)
        values = ((self._value(one, place), one.text(place.code)) for one in between)
        return frozenset(
            (value, text.rpartition(".")[2]) for value, text in values if value in self._wanted
        )

    def _value(self, mention: Mention, place: _Place) -> int:
        """What a mention is; 0: that cannot be told."""
        if mention.receiver is None:
            return 0
        owner = self._values.of(mention.receiver, place.scope)
        if owner is None or not mention.name:
            return owner or 0
        return self._values.attribute(owner, mention.name) or 0

    def _inside(self, function: Function, arguments: _Arguments, depth: int) -> tuple[Reach, ...]:
        # By itself, not by its code: wrappers of one another have that in common.
        key = function.address, function.bound, arguments
        known = self._known.get(key)
        self._named += bool(known)
        if known is None:
            self._known[key] = ()  # while it is looked into: functions call themselves
            known = self._known[key] = tuple(self._look_into(function, arguments, depth))
        return known

    def _look_into(self, function: Function, arguments: _Arguments, depth: int) -> Iterator[Reach]:
        try:
            kind = function.code, self._values.type_of(function.bound)
            if kind in self._barren:
                return
            self._left -= 1
            if self._left < 0:
                raise BudgetSpentError("functions")
            code = self._codes.code(function.code)
            if library_file(code.filename) and not self._near.targets(function.bound):
                return
            scope = self._values.call(function, code.variables)
        except MemoryReadError:
            return
        before = self._named
        known = self._near.targets(function.bound).union(value for value, _ in arguments)
        place = _Place(code, scope, frozenset(), known, depth, handed=arguments)
        mentions = self._mentions.of(code)
        # Who takes first what he gives back waits for it as well.
        took = {self._receiver(one, place) for one in mentions if one.name == _TAKES}
        for reach in self._reached(mentions, place):
            if reach.complement is not Complement.RELEASE or reach.target not in took:
                yield reach
        if self._named == before and depth == 1:
            self._barren.add(kind)
