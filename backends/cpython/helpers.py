"""Locks that functions took which a frame has called, and which have returned: ``self.begin()``.

Where a lock is taken in one function and given back in another one, neither is on the stack while
it is held. What remains is the caller, and which calls every way to its line leads over: if one of
the functions called there takes a lock on each way through it, and nothing called since can have
given it back, the caller seems to hold it. As for ``acquire()`` in a frame, that is an inference.
"""

from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.acquisitions import Acquisition
from hangtui.backends.cpython.bytecode import Call, reachable
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.positions import Position, Positions
from hangtui.backends.cpython.releases import GIVES
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass

_DEPTH = 3
"""Functions that call each other, from a frame on."""
_ACQUIRE = ("acquire",)
_RETURNS = ("RETURN_VALUE", "RETURN_CONST")
_YIELDS, _AWAITS = ("YIELD_VALUE", "YIELD_FROM"), "GET_AWAITABLE"


@dataclass(frozen=True, slots=True)
class _Called:
    """A call in a code object."""

    mention: Mention
    awaited: bool

    @property
    def call(self) -> Call:
        """As positions are told of."""
        mention = self.mention
        assert mention.receiver is not None
        return Call(
            mention.called, mention.offset, mention.receiver, plain=True, until=mention.until
        )


class Helpers:
    """Looks into the functions that frames of one interpreter have called."""

    def __init__(
        self, objects: Objects, codes: CodeReader, positions: Positions, values: Values
    ) -> None:
        self._objects = objects
        self._codes = codes
        self._positions = positions
        self._values = values
        self._mentions = Mentions(positions.bytecode, objects.memory.spent)
        self._known: dict[tuple[int, int], list[Acquisition]] = {}
        self._calls: dict[int, tuple[_Called, ...]] = {}
        self._taken: dict[tuple[int, int], tuple[int, ...]] = {}
        self._gives: dict[tuple[int, int, int], bool] = {}

    def took(self, frame: Frame) -> list[Acquisition]:
        """What functions that *frame* has called took, and none since gave back. Never raises."""
        if frame.in_library or frame.installed:
            return []
        key = frame.address, frame.instruction
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = []
            with suppress(DamagedDataError), foreign_data():
                known += self._took(frame)
        return known

    def gave(self, frame: Frame, lock: int, since: int | None = None) -> bool:
        """Whether a function that *frame* has called can have given *lock* back, in a call after
        that at *since*. Never raises."""
        if frame.in_library:
            return False
        try:
            with foreign_data():
                return self._gave(frame, lock, since)
        except DamagedDataError:
            return True

    @staticmethod
    def _before(position: Position, called: _Called) -> bool:
        """Whether the frame does not stand in this call, nor in what makes its arguments."""
        mention = called.mention
        return not mention.start < position.here < mention.until

    def _took(self, frame: Frame) -> Iterator[Acquisition]:
        position, scope = self._positions.of(frame), self._values.frame(frame)
        for called in self._called(frame.code):
            if not self._before(position, called):
                continue
            function = self._function(called, scope)
            locks = self._takes(function, _DEPTH) if function else ()
            if not locks or not self._positions.surely_passed(position, called.call):
                continue
            for lock in locks:
                if not self._gave(frame, lock, called.mention.called):
                    line = self._codes.line(frame.code, called.mention.offset)
                    text = f"it called {called.mention.text(frame.code)}(), which takes the lock"
                    text = f"{text}, and nothing since gives it back"
                    yield Acquisition(lock, line, text, called.mention.called)

    def _gave(self, frame: Frame, lock: int, since: int | None) -> bool:
        position, scope = self._positions.of(frame), self._values.frame(frame)
        again = () if since is None else (since,)
        for called in self._called(frame.code):
            if not self._before(position, called):
                continue
            function = self._function(called, scope)
            if (
                function is not None
                and self._may_give(function, lock, _DEPTH)
                and self._positions.passed(position, called.call, again)
            ):
                return True
        return False

    # -- what a function does ------------------------------------------------------------------

    def _function(self, called: _Called, scope: Scope) -> Function | None:
        """The Python function that a call runs; None: none, or it does not run in this call."""
        mention = called.mention
        if mention.receiver is None:
            return None
        try:
            owner = self._values.of(mention.receiver, scope)
            function = self._values.called(owner, mention.name) if owner else None
            if function is None:
                return None
            code = self._codes.code(function.code)
        except MemoryReadError:
            return None
        names = {one.name for one in self._positions.bytecode.instructions(code)}
        if _AWAITS in names:
            return function if called.awaited else None
        return None if names.intersection(_YIELDS) else function

    def _takes(self, function: Function, depth: int) -> tuple[int, ...]:
        """The locks that each call of a function takes and does not give back."""
        key = function.code, function.bound
        known = self._taken.get(key)
        if known is None:
            self._taken[key] = ()  # while it is looked into: functions call themselves
            known = self._taken[key] = tuple(self._look(function, depth))
        return known

    def _look(self, function: Function, depth: int) -> Iterator[int]:
        code, scope = self._entered(function)
        if code is None:
            return
        flow = self._positions.bytecode.successors(code)
        ends = self._ends(code)
        for call in self._positions.bytecode.calls(code, _ACQUIRE):
            lock = self._values.of(call.receiver, scope) if call.plain else None
            if (
                lock
                and not self._method(lock)
                and not ends & reachable(flow, 0, {call.start})
                and not self._given_after(code, scope, lock, reachable(flow, call.start), depth)
            ):
                yield lock
        for called in self._called(code) if depth else ():
            inner = self._function(called, scope)
            for lock in self._takes(inner, depth - 1) if inner else ():
                at = called.mention.called
                after = reachable(flow, at)
                if not ends & reachable(flow, 0, {at}) and not self._given_after(
                    code, scope, lock, after - {at}, depth
                ):
                    yield lock

    def _method(self, lock: int) -> bool:
        """Whether what seems to be a lock has an ``acquire()`` written in Python that is looked
        into by itself: a wrapper of the program's."""
        function = self._values.called(lock, "acquire")
        if function is None:
            return False
        return not library_file(self._codes.code(function.code).filename)

    def _given_after(
        self, code: Code, scope: Scope, lock: int, after: set[int], depth: int
    ) -> bool:
        """Whether one of the instructions *after* may give *lock* back."""
        names = frozenset(name for name in code.names if GIVES.search(name))
        for call in self._positions.bytecode.calls(code, names):
            if call.start in after and self._values.of(call.receiver, scope) in (lock, None):
                return True
        for called in self._called(code) if depth else ():
            if called.mention.called in after:
                inner = self._function(called, scope)
                if inner is not None and self._may_give(inner, lock, depth - 1):
                    return True
        return False

    def _may_give(self, function: Function, lock: int, depth: int) -> bool:
        key = function.code, function.bound, lock
        known = self._gives.get(key)
        if known is None:
            self._gives[key] = False
            code, scope = self._entered(function)
            known = self._gives[key] = code is not None and self._given_after(
                code, scope, lock, set(self._positions.bytecode.successors(code)), depth
            )
        return known

    def _entered(self, function: Function) -> tuple[Code | None, Scope]:
        """The code of a function of the program's, and what its variables are when it begins."""
        self._objects.memory.spent.objects(1)
        code = self._codes.code(function.code)
        scope = self._values.call(function, code.variables)
        known = self._positions.bytecode.is_known(code) and not library_file(code.filename)
        return (code if known else None), scope

    def _ends(self, code: Code) -> set[int]:
        """Where it returns."""
        instructions = self._positions.bytecode.instructions(code)
        return {one.start for one in instructions if one.name in _RETURNS}

    def _called(self, code: Code) -> tuple[_Called, ...]:
        """The calls in a code object: of what comes first among all that a call takes."""
        known = self._calls.get(code.address)
        if known is None:
            first: dict[int, Mention] = {}
            for mention in self._mentions.of(code):
                if mention.called < mention.until and mention.called not in first:
                    first[mention.called] = mention
            awaits = [
                one.start
                for one in self._positions.bytecode.instructions(code)
                if one.name == _AWAITS
            ]
            known = self._calls[code.address] = tuple(
                _Called(one, any(at < place < one.until for place in awaits))
                for at, one in first.items()
                if one.receiver is not None
            )
        return known
