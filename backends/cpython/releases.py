"""Whether a lock that a thread took may have been given back since, while it is still in the block
or function that took it.

Programs do that: a condition that somebody wrote, a context manager that unlocks for a moment, a
wrapper whose ``unlock()`` is called in the middle. So each call between, in the frame that took the
lock and in those that it called, whose name says that it gives something back is looked at, and on
what it was called.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from hangtui.backends.cpython.bytecode import Call
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.locks import Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.positions import Positions
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

GIVES = re.compile(r"release|unlock", re.IGNORECASE)
"""Names of methods that give a lock back: release, release_write, _release_save, unlock."""
_FUNCTIONS = ("function", "method", "builtin_function_or_method")
_ENTERS = ("__enter__", "__aenter__")
_LEAVES = ("__exit__", "__aexit__")


class Releases:
    """Looks for releases in frames of one interpreter."""

    def __init__(self, objects: Objects, positions: Positions, locks: Locks | None = None) -> None:
        self._objects = objects
        self._locks = locks or Locks(objects)
        self._positions = positions
        self._names: dict[int, frozenset[str]] = {}

    def by_frames(self, frames: Iterable[Frame], lock: int) -> bool:
        """Whether one of *frames* can have given *lock* back before it came to its line."""
        return any(self.by_frame(frame, lock) for frame in frames)

    def by_frame(self, frame: Frame, lock: int, again: Collection[int] = ()) -> bool:
        """Whether *frame* can have given *lock* back before it came to its line, without having
        called what begins at one of *again* since: what it took last. Never raises."""
        names = self._giving(frame.code)
        if not names:
            return False
        try:
            return self._gave(frame, lock, names, again)
        except DamagedDataError:
            return True

    @foreign_data()
    def _gave(
        self, frame: Frame, lock: int, names: Collection[str], again: Collection[int]
    ) -> bool:
        if not self._positions.bytecode.is_known(frame.code):
            return True
        position = self._positions.of(frame)
        return any(
            self._positions.passed(position, call, again) and self._concerns(frame, call, lock)
            for call in self._positions.bytecode.calls(frame.code, names)
        )

    def ahead(self, frames: Iterable[Frame], lock: int) -> bool:
        """Whether one of *frames* may come to give *lock* back, without taking it before; not
        counted is what it may do to something that is not known to be *lock* or to wrap it."""
        with suppress(DamagedDataError):
            return any(self._ahead(frame, lock) for frame in frames)
        return False

    @foreign_data()
    def _ahead(self, frame: Frame, lock: int) -> bool:
        names = self._giving(frame.code)
        if not names or not self._positions.bytecode.is_known(frame.code):
            return False
        position = self._positions.of(frame)
        takes = [
            call.start
            for call in self._positions.bytecode.calls(frame.code, ("acquire",))
            if self._concerns(frame, call, lock)
        ]
        return any(
            self._positions.ahead(position, call, takes)
            and self._surely_concerns(frame, call, lock)
            for call in self._positions.bytecode.calls(frame.code, names)
        )

    def takes_again(self, frames: Sequence[Frame]) -> bool | None:
        """Whether the innermost of *frames* waits as those do that gave a lock back for a moment:
        by calling ``acquire()`` where none of *frames* gives it back later. None: perhaps.

        The others enter a ``with`` block, or call ``release()`` afterwards.
        """
        try:
            return self._takes_again(frames)
        except DamagedDataError:
            return None

    @foreign_data()
    def _takes_again(self, frames: Sequence[Frame]) -> bool | None:
        innermost = frames[0]
        position = self._positions.of(innermost)
        name = innermost.code.bare_name
        calls = self._positions.bytecode.calls(innermost.code, ("acquire",))
        if name in _ENTERS or not any(self._positions.inside(position, c) for c in calls):
            return False
        if name in _LEAVES:
            return True
        return None if not any(map(self._goes_on_to_release, frames)) else False

    def _goes_on_to_release(self, frame: Frame) -> bool:
        position = self._positions.of(frame)
        if self._positions.enters_with(position):
            return True
        calls = self._positions.bytecode.calls(frame.code, self._giving(frame.code))
        return any(self._positions.ahead(position, call) for call in calls)

    def _concerns(self, frame: Frame, call: Call, lock: int) -> bool:
        """Whether a call may be one of *lock*: on it, on what has it, or on something unknown."""
        value = self._positions.value(frame, call.receiver)
        if value is None or value == lock:
            return True
        if self._objects.kind(value) in _FUNCTIONS:
            return self._objects.bound_to(value) in (0, lock)
        if self._locks.read(value) is not None:
            return False  # another lock
        return self._has(value, lock)

    def _surely_concerns(self, frame: Frame, call: Call, lock: int) -> bool:
        """Whether a call is known to be one of *lock*: on it, or on what keeps it."""
        value = self._positions.value(frame, call.receiver)
        if not value:
            return False
        if self._objects.kind(value) in _FUNCTIONS:
            return self._objects.bound_to(value) == lock
        return value == lock or (self._locks.read(value) is None and self._has(value, lock))

    def _has(self, value: int, lock: int) -> bool:
        """Whether an object keeps *lock*, itself or in what wraps it."""
        inner = self._objects.attributes(value).values()
        self._objects.memory.spent.objects(len(inner))
        return lock in inner or any(lock in self._objects.attributes(one).values() for one in inner)

    def _giving(self, code: Code) -> frozenset[str]:
        """The names that a function mentions of what gives something back."""
        known = self._names.get(code.address)
        if known is None:
            names = frozenset(name for name in code.names if GIVES.search(name))
            known = self._names[code.address] = names
        return known
