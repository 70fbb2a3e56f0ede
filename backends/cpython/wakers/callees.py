"""Which calls that end a wait a frame may come to: in its own code, or in functions that it calls
on the way."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.wakers.direct_calls import DirectCalls
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.reach import Reach, order
from hangtui.backends.cpython.wakers.receivers import Arguments, Place, Receivers, Wanted
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Complement

_DEPTH = 4
"""Functions that call each other, from a frame on."""
_TAKES = "acquire"
_MAX_FUNCTIONS = 4_000
"""That are looked into, in sum over a process."""


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
        self._receivers = Receivers(wanted, mentions, values, near)
        self._direct = DirectCalls(wanted, codes, values, mentions, self._receivers)
        self._known: dict[tuple[int, int, Arguments], tuple[Reach, ...]] = {}
        self._may_look = _MAX_FUNCTIONS
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
        begun: frozenset[int] = frozenset(),
    ) -> list[Reach]:
        """What *frame* comes to.

        *called*: the frame that it called; *exits*: what leaving its ``with`` blocks calls;
        *known*: what is waited for and it refers to; *begun*: code that it handed on, and that
        others run by now.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        found: dict[int, Reach] = {}
        ahead = self._mentions.ahead(frame.code, frame.instruction)
        scope = self._values.frame(frame)
        place = Place(frame.code, scope, ahead.stored, known, 0, ahead.kept)
        running = begun | {called.code.address} if called else begun
        for reach in (
            *(reach for one in exits for reach in self._left(one)),
            *self._reached(ahead.current, place, running),
            *self._reached(ahead.mentions, place),
        ):
            other = found.get(reach.target)
            if other is None or order(reach) < order(other):
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
        place = Place(frame.code, scope, nothing, self._near.targets(own), 0)
        found = list(self._reached(self._mentions.of(frame.code), place))
        if own:  # in its next turn its variables would have had other values
            found += self._by_own(frame.code, Scope({0: own}, scope.namespace), own)
        return found

    def written(self, function: Function, code: Code) -> Iterator[Reach]:
        """The calls in a function's own code that would end waits, were it called; also on what
        it takes out of a container in which what waits lies. A result that is set on what the code
        takes from somewhere counts if its ``self`` leads to what waits.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        if any(one.name in self.names for one in self._mentions.of(code)):
            scope = self._values.call(function, code.variables)
            yield from self._by_own(code, scope, function.bound)

    def _by_own(self, code: Code, scope: Scope, bound: int) -> Iterator[Reach]:
        """What calls in the code itself would end, by what its ``self`` leads to."""
        near = self._near.targets(bound) | self._near.kept(bound)
        place = Place(code, scope, frozenset(), near, 0)
        for mention in (one for one in self._mentions.of(code) if one.name in self.names):
            value = self._receivers.of(mention, place)
            for reach in self._direct.of(mention, value, place, unrun=True):
                taken = mention.receiver is None or self._receivers.is_taken(mention.receiver, code)
                of_results = reach.complement is Complement.SET_RESULT
                known = value is not None or reach.kept
                if known or (of_results and taken and not reach.of_others):
                    yield reach._replace(takes=self._direct.takes(reach, mention, code))

    def nested(self, frame: Frame) -> Iterator[tuple[Code, Reach]]:
        """What functions would end that are defined in the code of *frame*, or beside it, by its
        own variables: also those that are not there any more.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        outer, scope = frame.code, self._values.frame(frame)
        for code in (*self._codes.nested(outer), *self._beside(outer, scope)):
            mentions = [one for one in self._mentions.of(code) if one.name in self.names]
            if not mentions:
                continue
            # Of its variables, those that are not local come from where it is defined.
            shared = enumerate(code.variables[code.local_count :], code.local_count)
            slots = {
                slot: scope.slots[outer.variables.index(name)]
                for slot, name in shared
                if name in outer.variables and outer.variables.index(name) in scope.slots
            }
            place = Place(code, Scope(slots, scope.namespace), frozenset(), frozenset(), 0)
            for mention in mentions:
                value = self._receivers.of(mention, place)
                for reach in self._direct.of(mention, value, place) if value is not None else ():
                    yield code, reach

    def _beside(self, code: Code, scope: Scope) -> Iterator[Code]:
        """The others that are defined in the function of the module in which *code* is, and that
        may have its variables, too: handlers of one application."""
        outer, within, _ = code.function.partition(".<locals>.")
        value = scope.namespace.get(outer, 0) if within else 0
        function = self._values.function(value) if value else None
        if function is None:
            return
        for one in self._codes.nested(self._codes.code(function.code)):
            if one.address != code.address:
                yield one

    def alike(self, code: Code, attributes: Mapping[int, str]) -> Iterator[tuple[int, str]]:
        """What a function's own code does to an attribute, by its name alone, of what it takes from
        somewhere: ``state = self.by_name.pop(name); state.finished.set()``. By what is waited for:
        ``file:line``. *attributes*: the names by which that is known."""
        for mention in self._mentions.of(code):
            receiver = mention.receiver
            if mention.name not in self.names or receiver is None or not receiver.attributes:
                continue
            if not self._receivers.is_taken(receiver, code):
                continue
            for target, attribute in attributes.items():
                if receiver.attributes[-1] == attribute and mention.name in self._wanted[target]:
                    yield target, self._direct.line(mention, code)

    def _reached(
        self, mentions: tuple[Mention, ...], place: Place, running: Collection[int] = ()
    ) -> Iterator[Reach]:
        """*running*: code that was called already, and stands on its own."""
        for mention in mentions:
            yield from self._at(mention, mentions, place, running)

    def _at(
        self,
        mention: Mention,
        mentions: tuple[Mention, ...],
        place: Place,
        running: Collection[int] = (),
    ) -> Iterator[Reach]:
        """The same of one of the *mentions*."""
        value = self._receivers.of(mention, place)
        if mention.name in self.names:
            self._named += 1
            yield from self._direct.of(mention, value, place)
        if mention.told:
            return
        if value is not None and value not in self._wanted:
            if kept := self._direct.kept(mention, value):
                self._named += bool(mention.name)  # others of that class may keep something else
                yield from self._direct.by_kept(kept, mention, place)
            yield from self._through(mention, value, mentions, place, running)
        for item in self._receivers.items(mention, place):
            if item not in self._wanted:
                yield from self._direct.by_kept(item, mention, place)
                yield from self._through(mention, item, mentions, place, running)

    def called(self, callback: int) -> tuple[Reach, ...]:
        """What a function, a method or a partial call comes to that is called later.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        owner, name = self._values.method(callback)
        complement = self._wanted.get(owner, {}).get(name)
        if complement is not None:
            return (Reach(owner, complement, name, "", of_others=False),)
        function = self._values.function(callback)
        if function is None:
            return ()
        given = self._leads(callback, "") if self._values.is_partial(callback) else Arguments()
        return self._inside(function, given, 1)

    def _left(self, exit_method: int) -> Iterator[Reach]:
        """What leaving a ``with`` comes to."""
        function = self._values.function(exit_method)
        kind = self._values.type_of(function.bound) if function else 0
        yield from (reach._replace(leaving=kind) for reach in self.called(exit_method))

    def _through(
        self,
        mention: Mention,
        value: int,
        mentions: tuple[Mention, ...],
        place: Place,
        running: Collection[int],
    ) -> Iterator[Reach]:
        """What a function that is called, or handed on to be called, comes to."""
        if place.depth >= _DEPTH:
            return
        try:
            function = self._values.called(value, mention.name)
        except MemoryReadError:
            return
        if function is not None and function.code not in running:
            arguments = self._arguments(mention, mentions, place)
            if self._values.is_partial(value):
                arguments |= self._leads(value, "")
            yield from self._inside(function, arguments, place.depth + 1)

    def _arguments(
        self, mention: Mention, mentions: tuple[Mention, ...], place: Place
    ) -> Arguments:
        """What of interest stands between a function's name and its call, or is led to by that: an
        object whose attribute it is, a container of which an item is handed on."""
        found = Arguments()
        for one in mentions:
            if mention.start < one.start < mention.until:
                name = one.text(place.code).rpartition(".")[2]
                value = self._receivers.value(one, place)
                for meant in (value,) if value else self._receivers.items(one, place):
                    found |= self._leads(meant, name)
        return found

    def _leads(self, value: int, name: str) -> Arguments:
        """What of interest an object leads to; itself, if it is that, by the caller's *name*."""
        targets = self._near.targets(value)
        return frozenset((one, name if one == value else "") for one in targets)

    def _inside(self, function: Function, arguments: Arguments, depth: int) -> tuple[Reach, ...]:
        # By itself, not by its code: wrappers of one another have that in common.
        key = function.address, function.bound, arguments
        known = self._known.get(key)
        self._named += bool(known)
        if known is None:
            self._known[key] = ()  # while it is looked into: functions call themselves
            known = self._known[key] = tuple(self._look_into(function, arguments, depth))
        return known

    def _look_into(self, function: Function, arguments: Arguments, depth: int) -> Iterator[Reach]:
        try:
            kind = function.code, self._values.type_of(function.bound)
            if kind in self._barren:
                return
            self._may_look -= 1
            if self._may_look < 0:
                raise BudgetSpentError("functions")
            code = self._codes.code(function.code)
            if library_file(code.filename) and not self._near.targets(function.bound):
                return
            scope = self._values.call(function, code.variables)
        except MemoryReadError:
            return
        before = self._named
        known = self._near.targets(function.bound).union(value for value, _ in arguments)
        place = Place(code, scope, frozenset(), known, depth, handed=arguments)
        mentions = self._mentions.of(code)
        # Who takes first what he gives back waits for it as well; who gives it back first does not,
        # as the last one of those that meet in a barrier made of semaphores.
        took = set[int | None]()
        for mention in mentions:
            for reach in self._at(mention, mentions, place):
                if reach.complement is not Complement.RELEASE or reach.target not in took:
                    yield reach
            if mention.name == _TAKES:
                took.add(self._receivers.of(mention, place))
        if self._named == before and depth == 1:
            self._barren.add(kind)
