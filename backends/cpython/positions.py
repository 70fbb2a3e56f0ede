"""Where a frame stands among the calls of its code: which it has made, is in, or may come to.

What a call's receiver is now is taken for what it was when the call was made.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Call, Expression, Root, reachable
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError


class Position(NamedTuple):
    """A frame, the instruction that it stands on, and what can follow on each one."""

    frame: Frame
    here: int
    successors: Mapping[int, tuple[int, ...]]


class Positions:
    """Looks at the frames of one interpreter."""

    def __init__(
        self, objects: Objects, frames: Frames, containers: Containers | None = None
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self.bytecode = Bytecode(objects.layout.version, objects.memory.spent)

    def of(self, frame: Frame) -> Position:
        """Where *frame* stands."""
        successors = self.bytecode.successors(frame.code)
        here = max((start for start in successors if start <= frame.instruction), default=0)
        return Position(frame, here, successors)

    def inside(self, position: Position, call: Call) -> bool:
        """Whether the frame is in this very call, which has not returned."""
        return call.start < position.here < call.until

    def passed(self, position: Position, call: Call, again: Collection[int] = ()) -> bool:
        """Whether the frame can have made this call before it came to where it stands, without a
        call that begins at one of *again* after it."""
        if self.inside(position, call) or call.start == position.here:
            return False
        return position.here in self._reachable(position, call.start, again)

    def surely_passed(self, position: Position, call: Call) -> bool:
        """Whether every way to where the frame stands leads over this call, and it has returned."""
        if self.inside(position, call) or call.start >= position.here:
            return False
        return position.here not in self._reachable(position, 0, {call.start})

    def ahead(self, position: Position, call: Call, without: Collection[int] = ()) -> bool:
        """Whether the frame may come to this call, without one that begins at one of *without*."""
        following = position.successors.get(position.here, ())
        return any(call.start in self._reachable(position, start, without) for start in following)

    def enters_with(self, position: Position) -> bool:
        """Whether the frame is entering a ``with`` block."""
        return self.bytecode.enters_with(position.frame.code, position.here)

    def _reachable(self, position: Position, start: int, without: Collection[int] = ()) -> set[int]:
        self._objects.memory.spent.objects(len(position.successors) >> 3)
        return reachable(position.successors, start, without)

    def value(self, frame: Frame, expression: Expression) -> int | None:
        """The object that an expression means in *frame* now."""
        try:
            root = self._root(frame, expression)
            return self.follow(root, expression.attributes) if root else None
        except MemoryReadError:
            return None

    def _root(self, frame: Frame, expression: Expression) -> int:
        if expression.root is Root.GLOBAL:
            return self._objects.named(frame.namespace).get(expression.name, 0)
        return self._frames.variable(frame, expression.slot)

    def follow(self, value: int | None, attributes: tuple[str, ...]) -> int | None:
        """What *attributes*, one of the other, are on *value*.

        Raises:
            MemoryReadError: an object could not be read.
        """
        for name in attributes:
            if not value:
                return None
            if self._objects.kind(value) == "module":
                value = self._objects.named(self._objects.module_namespace(value)).get(name)
            else:
                value = self._objects.attributes(value).get(name) or self._slot(value, name)
        return value

    def _slot(self, value: int, name: str) -> int | None:
        """What an object of a class with ``__slots__`` has there."""
        return (self._containers.slot(value, name) if self._containers else 0) or None
