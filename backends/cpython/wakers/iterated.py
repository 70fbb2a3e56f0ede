"""What a ``for`` calls again and again, without a name in its bytecode: ``get``, of
``for job in iter(jobs.get, None)``."""

from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.sole import Sole

_CALLS = "callable_iterator"
"""Its first field is what it calls (Objects/iterobject.c)."""
_AROUND: Mapping[str, int] = {
    "enumerate": 1,
    "filter": 1,
    "map": 0,
    "zip": 1,
    "itertools.chain": 1,
    "itertools.islice": 0,
    "itertools.takewhile": 1,
}
"""Iterators over others, and the field with that one, or with a tuple of them
(Objects/enumobject.c, Python/bltinmodule.c, Modules/itertoolsmodule.c)."""
_NESTED = 3
_MANY = 1 << 20
"""More references than an iterator has: the word is a link of what is free by now."""


class Iterated:
    """Looks at the value stacks of one interpreter's frames."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        codes: CodeReader,
        mentions: Mentions,
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._codes = codes
        self._mentions = mentions
        self._references = Sole(objects)

    def calls(self, frame: Frame) -> tuple[int, ...]:
        """What the loops of a frame call for their next item.

        Raises:
            DamagedDataError: what was read is not what it should be.
        """
        slots = dict.fromkeys(filter(None, self._frames.stack_slots(frame)))
        return tuple(call for one in slots for call in self._called(one, _NESTED))

    def line(self, frame: Frame) -> int | None:
        """The line of a ``for`` to which a frame comes; None: to none any more."""
        ahead = self._mentions.iterates_at(frame.code, frame.instruction)
        return None if ahead is None else self._codes.line(frame.code, ahead)

    def _called(self, value: int, depth: int) -> Iterator[int]:
        kind = self._objects.kind(value) or ""
        if kind != _CALLS and kind not in _AROUND:
            return
        # A slot above the height of the stack keeps what was there before.
        counts = not self._objects.layout.free_threaded
        if counts and not 0 < (self._references.count(value) or 0) < _MANY:
            return
        inner = self._containers.field(value, _AROUND.get(kind, 0))
        if kind == _CALLS:
            yield from filter(None, (inner,))
        elif depth and inner:
            for one in self._containers.sequence(inner) or (inner,):
                yield from self._called(one, depth - 1)
