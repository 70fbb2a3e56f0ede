"""Locks that a frame took with ``acquire()``, as far as its bytecode gives that away.

A plain lock records no owner, and without ``with`` nothing proves that a thread holds it. Two
signs speak for it: the frame is inside a ``try`` whose handler releases the lock, or it called
``acquire()`` on every path to where it stands and passed no ``release()`` since. Both assume that
the expression still means the same object, so they are inferences, never proof. A call that has
not returned has taken nothing yet.
"""

from collections.abc import Iterator

from hangtui.backends.cpython.bytecode import Call, Root
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.positions import Position, Positions
from hangtui.backends.cpython.releases import Releases
from hangtui.backends.cpython.try_blocks import blocks_of
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass

_HANDLER_ENDS = frozenset({"RERAISE", "END_FINALLY", "RETURN_VALUE", "POP_EXCEPT"})
_ACQUIRE, _RELEASE = ("acquire",), ("release",)
_MOST_CALLED = 50
"""Names of a function that are looked at, whether it calls a method of that name."""


@dataclass(frozen=True, slots=True)
class Acquisition:
    """An object that a frame seems to hold."""

    object: int
    line: int | None
    text: str
    """The sign, in words."""
    start: int | None = None
    """The instruction that took it, where that is known."""


class Acquisitions:
    """Reads the signs in frames of one interpreter."""

    def __init__(
        self, objects: Objects, codes: CodeReader, positions: Positions, releases: Releases
    ) -> None:
        self._objects = objects
        self._codes = codes
        self._positions = positions
        self._releases = releases
        self._kept: dict[tuple[int, int], list[str]] = {}
        """By the functions that enter and leave a manager: what is kept in between."""

    def of(self, frame: Frame) -> list[Acquisition]:
        """What *frame* seems to have acquired and not released yet. Never raises."""
        if "release" not in frame.code.names and "acquire" not in frame.code.names:
            return []
        try:
            with foreign_data():
                position = self._positions.of(frame)
                acquired = self._acquired_on_all_paths(position)
                return [*self._released_by_handler(position), *acquired]
        except DamagedDataError:
            return []

    def _released_by_handler(self, position: Position) -> Iterator[Acquisition]:
        frame = position.frame
        targets = {block.handler for block in blocks_of(self._objects, frame)}
        for call in self._positions.bytecode.calls(frame.code, _RELEASE):
            if any(self._within(frame, target, call) for target in targets):
                found = self._positions.value(frame, call.receiver)
                if found and self._may_have_taken(position, found):
                    line = self._codes.line(frame.code, call.offset)
                    text = "it is inside a try block whose handler releases the lock"
                    yield Acquisition(found, line, text)

    def _may_have_taken(self, position: Position, lock: int) -> bool:
        """Whether a frame can have *lock* where it stands: not if what would take it is still to
        come or has not returned, nor if it was given back after that."""
        calls = self._positions.bytecode.calls(position.frame.code, _ACQUIRE)
        own = [c for c in calls if self._positions.value(position.frame, c.receiver) == lock]
        if not own:  # something else took it: a method of its wrapper, the caller
            return not self._releases.by_frame(position.frame, lock)
        again = {call.start for call in own}
        passed = any(self._positions.passed(position, call, again - {call.start}) for call in own)
        inside = any(self._positions.inside(position, call) for call in own)
        return passed and not inside and not self._releases.by_frame(position.frame, lock, again)

    def _within(self, frame: Frame, handler: int, call: Call) -> bool:
        """Whether a call lies in the handler that begins at *handler*."""
        if call.offset < handler:
            return False
        instructions = self._positions.bytecode.instructions(frame.code)
        between = (i for i in instructions if i.start >= handler)
        for instruction in between:
            if instruction.start >= call.start:
                return True
            if instruction.name in _HANDLER_ENDS:
                return False
        return False

    def _acquired_on_all_paths(self, position: Position) -> Iterator[Acquisition]:
        frame = position.frame
        for call in self._positions.bytecode.calls(frame.code, _ACQUIRE):
            if not call.plain or not self._positions.surely_passed(position, call):
                continue  # it comes later, or has not returned, or another path leads here
            found = self._positions.value(frame, call.receiver)
            if found and not self._releases.by_frame(frame, found, {call.start}):
                line = self._codes.line(frame.code, call.offset)
                text = "every path to its line calls acquire(), and none release() since"
                yield Acquisition(found, line, text, call.start)

    def used(self, function: int, manager: int, methods: tuple[str, ...]) -> list[tuple[str, int]]:
        """``self.<attributes>`` on which a method of *manager*'s class calls one of *methods*.

        With each comes what it is on *manager* now. Never raises; empty where *function* is no
        Python function.
        """
        code = self._code_of(function)
        if code is None:
            return []
        found = []
        for call in self._positions.bytecode.calls(code, methods):
            path = call.receiver.attributes
            if call.receiver.root is Root.LOCAL and call.receiver.slot == 0 and path:
                value = self._positions.follow(manager, path)
                if value:
                    found.append((".".join(path), value))
        return found

    def kept_below(self, enter: int, leave: int, manager: int) -> list[tuple[str, int]]:
        """What a method that *enter* calls on ``self`` acquires, and one that *leave* calls
        releases: it is kept in between. It may be given back where entering fails, as where the
        time for a second lock is over; leaving must not take it. Never raises."""
        if (enter, leave) not in self._kept:
            taken = self._below(enter, manager, _ACQUIRE, ())
            given = self._below(leave, manager, _RELEASE, _ACQUIRE) if taken else set()
            self._kept[enter, leave] = sorted(taken & given)
        values = ((one, self._followed(manager, one)) for one in self._kept[enter, leave])
        return [(path, value) for path, value in values if value]

    def _below(
        self, function: int, manager: int, methods: tuple[str, ...], undone: tuple[str, ...]
    ) -> set[str]:
        """``self.<attributes>`` on which methods that *function* calls on ``self``, or on what an
        attribute of that is, call one of *methods*, and none of *undone*."""
        code = self._code_of(function)
        found = set[str]()
        for name in code.names[:_MOST_CALLED] if code is not None else ():
            for path, owner in self._receivers(code, name, manager) if code is not None else ():
                method = self._method(owner, name)
                if method:
                    back = {one for one, _ in self.used(method, owner, undone)}
                    taken = {one for one, _ in self.used(method, owner, methods)} - back
                    found |= {".".join((*path, one)) for one in taken}
        return found

    def _receivers(
        self, code: Code, name: str, manager: int
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """On which attributes of ``self`` a function calls methods of this *name*, none for itself,
        and what they are on *manager*."""
        calls = self._positions.bytecode.calls(code, (name,))
        paths = {
            one.receiver.attributes
            for one in calls
            if one.receiver.root is Root.LOCAL and one.receiver.slot == 0
        }
        for path in sorted(paths):
            owner = self._followed(manager, ".".join(path)) if path else manager
            if owner:
                yield path, owner

    def _method(self, owner: int, name: str) -> int:
        """The function of *owner*'s class that is called by this name; 0: none."""
        try:
            return self._objects.class_attribute(owner, name)
        except MemoryReadError:
            return 0

    def _followed(self, manager: int, path: str) -> int | None:
        try:
            return self._positions.follow(manager, tuple(path.split(".")))
        except MemoryReadError:
            return None

    def _code_of(self, function: int) -> Code | None:
        try:
            return self._codes.code(self._objects.function_code(function)) if function else None
        except MemoryReadError:
            return None
