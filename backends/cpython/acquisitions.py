"""Locks that a frame took with ``acquire()``, as far as its bytecode gives that away.

A plain lock records no owner, and without ``with`` nothing proves that a thread holds it. Two
signs speak for it: the frame is inside a ``try`` whose handler releases the lock, or it called
``acquire()`` on every path to where it stands and passed no ``release()`` since. Both assume that
the expression still means the same object, so they are inferences, never proof.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from hangtui.backends.cpython.bytecode import Bytecode, Call, Expression, Root, reachable
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.try_blocks import blocks_of
from hangtui.backends.memory import MemoryReadError

_HANDLER_ENDS = frozenset({"RERAISE", "END_FINALLY", "RETURN_VALUE", "POP_EXCEPT"})


@dataclass(frozen=True, slots=True)
class Acquisition:
    """An object that a frame seems to hold."""

    object: int
    line: int | None
    text: str
    """The sign, in words."""


class Acquisitions:
    """Reads the signs in frames of one interpreter."""

    def __init__(self, objects: Objects, codes: CodeReader, frames: Frames) -> None:
        self._objects = objects
        self._codes = codes
        self._frames = frames
        self._bytecode = Bytecode(objects.layout.version, objects.memory.spent)

    def of(self, frame: Frame) -> list[Acquisition]:
        """What *frame* seems to have acquired and not released yet. Never raises."""
        if "release" not in frame.code.names and "acquire" not in frame.code.names:
            return []
        try:
            return [*self._released_by_handler(frame), *self._acquired_on_all_paths(frame)]
        except (MemoryReadError, IndexError, RecursionError):
            return []

    def _released_by_handler(self, frame: Frame) -> Iterator[Acquisition]:
        targets = {block.handler for block in blocks_of(self._objects, frame)}
        for call in self._bytecode.calls(frame.code, "release"):
            if any(self._within(frame, target, call) for target in targets):
                found = self.value(frame, call.receiver)
                if found:
                    line = self._codes.line(frame.code, call.offset)
                    text = "it is inside a try block whose handler releases the lock"
                    yield Acquisition(found, line, text)

    def _within(self, frame: Frame, handler: int, call: Call) -> bool:
        """Whether a call lies in the handler that begins at *handler*."""
        if call.offset < handler:
            return False
        between = (i for i in self._bytecode.instructions(frame.code) if i.start >= handler)
        for instruction in between:
            if instruction.start >= call.start:
                return True
            if instruction.name in _HANDLER_ENDS:
                return False
        return False

    def _acquired_on_all_paths(self, frame: Frame) -> Iterator[Acquisition]:
        acquires = [call for call in self._bytecode.calls(frame.code, "acquire") if call.plain]
        if not acquires:
            return
        successors = self._bytecode.successors(frame.code)
        here = max((start for start in successors if start <= frame.instruction), default=0)
        releases = self._bytecode.calls(frame.code, "release")
        for call in acquires:
            if call.start >= here or here in self._reachable(successors, 0, {call.start}):
                continue  # it comes later, or another path leads here
            found = self.value(frame, call.receiver)
            if found and not self._released_since(frame, found, call.start, here, releases):
                line = self._codes.line(frame.code, call.offset)
                text = "every path to its line calls acquire(), and none release() since"
                yield Acquisition(found, line, text)

    def _released_since(
        self, frame: Frame, found: int, acquire: int, here: int, releases: list[Call]
    ) -> bool:
        successors = self._bytecode.successors(frame.code)
        after: set[int] = set()
        for start in successors.get(acquire, ()):
            after |= self._reachable(successors, start, {acquire})
        return any(
            call.start in after
            and call.start != here
            and here in self._reachable(successors, call.start, {acquire})
            and self.value(frame, call.receiver) == found
            for call in releases
        )

    def _reachable(
        self, successors: Mapping[int, tuple[int, ...]], start: int, without: Collection[int] = ()
    ) -> set[int]:
        self._objects.memory.spent.objects(len(successors) >> 3)
        return reachable(successors, start, without)

    def may_release(self, frame: Frame, lock: int) -> bool:
        """Whether *frame* can have called ``release()`` on *lock* before it came to its line."""
        if "release" not in frame.code.names:
            return False
        if not self._bytecode.is_known(frame.code):
            return True
        successors = self._bytecode.successors(frame.code)
        here = max((start for start in successors if start <= frame.instruction), default=0)
        return any(
            call.start != here
            and here in self._reachable(successors, call.start)
            and self.value(frame, call.receiver) in (lock, None)
            for call in self._bytecode.calls(frame.code, "release")
        )

    def used(self, function: int, manager: int, methods: tuple[str, ...]) -> list[tuple[str, int]]:
        """``self.<attributes>`` on which a method of *manager*'s class calls one of *methods*.

        With each comes what it is on *manager* now. Never raises; empty where *function* is no
        Python function.
        """
        try:
            code = self._codes.code(self._objects.function_code(function))
        except MemoryReadError:
            return []
        found = []
        for method in methods:
            for call in self._bytecode.calls(code, method):
                path = call.receiver.attributes
                if call.receiver.root is Root.LOCAL and call.receiver.slot == 0 and path:
                    value = self._follow(manager, path)
                    if value:
                        found.append((".".join(path), value))
        return found

    def value(self, frame: Frame, expression: Expression) -> int | None:
        """The object that an expression means in *frame* now."""
        try:
            root = self._root(frame, expression)
            return self._follow(root, expression.attributes) if root else None
        except MemoryReadError:
            return None

    def _root(self, frame: Frame, expression: Expression) -> int:
        if expression.root is Root.GLOBAL:
            return self._objects.named(frame.namespace).get(expression.name, 0)
        return self._frames.variable(frame, expression.slot)

    def _follow(self, value: int | None, attributes: tuple[str, ...]) -> int | None:
        for name in attributes:
            if not value:
                return None
            if self._objects.kind(value) == "module":
                value = self._objects.named(self._objects.module_namespace(value)).get(name)
            else:
                value = self._objects.attributes(value).get(name)
        return value
