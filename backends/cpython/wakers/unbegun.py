"""Coroutines that were made and that nobody has begun, and generators that somebody left before
their end: what one would do, nobody comes to.

A call of an ``async def`` that is not awaited does nothing, nor does what stands behind a ``yield``
if nobody asks for the next item. Whoever waits for what it would bring waits for ever, and no stack
shows why.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Unbegun, clean

_MOST_FRAMES = 2_000
"""Whose variables are looked at."""
_MOST_ITEMS = 100
"""Of a sequence that a variable has."""
_SEQUENCES = ("list", "tuple", "collections.deque")
_MOST_ATTRIBUTES = 50
_MAX_TEXT = 120
_GENERATORS = ("generator", "async_generator")


class _Stopped(NamedTuple):
    frame: Frame
    begun: bool

    def told(self, kept: str) -> Unbegun:
        """*kept*: where it was found."""
        function = clean(self.frame.code.function, _MAX_TEXT)
        return Unbegun(function, clean(self.frame.place, _MAX_TEXT), kept, self.begun)


class UnbegunCoroutines:
    """Finds them from the frames of one interpreter, in variables and in sequences of these."""

    def __init__(self, objects: Objects, frames: Frames, containers: Containers) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers

    def of(
        self, wanted: Mapping[int, Container[str]], frames: Iterable[Frame]
    ) -> dict[int, Unbegun]:
        """For objects of *wanted*, by their addresses, a coroutine or generator that has one as a
        variable, or as an attribute of one, and whose code uses one of the names given for it.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found: dict[int, Unbegun] = {}
        if "state.FRAME_CREATED" not in self._objects.layout.offsets:
            return found
        own = list(frames)[:_MOST_FRAMES]
        known = {frame.slots for frame in own}  # a task has begun, or its turn will come
        for frame in own:
            for name, value in self._frames.variables(frame).items():
                for one in self._stopped(value):
                    if one.frame.slots in known:
                        continue
                    kept = clean(f"{name} of {frame.code.bare_name}", _MAX_TEXT)
                    for address in self._variables(one.frame):
                        if address in wanted and self._uses(one.frame, wanted[address]):
                            found.setdefault(address, one.told(kept))
        return found

    def _stopped(self, value: int) -> Iterator[_Stopped]:
        """What a variable has of them, or a sequence that it has."""
        if self._objects.kind(value) in _GENERATORS:
            with suppress(MemoryReadError):
                frame = self._frames.suspended(value)
                if frame and frame.plausible and self._is(value, "state.FRAME_SUSPENDED"):
                    yield _Stopped(frame, begun=True)
            return
        for coroutine in self._coroutines(value):
            begins = self._created(coroutine)
            if begins is not None:
                yield _Stopped(begins, begun=False)

    def _coroutines(self, value: int) -> Iterator[int]:
        items = [value]
        if self._objects.kind(value) in _SEQUENCES:
            items = self._containers.sequence(value)[:_MOST_ITEMS]
        return (one for one in items if self._objects.kind(one) == "coroutine")

    def _is(self, generator: int, state: str) -> bool:
        """Whether a coroutine or generator is in some state.

        Raises:
            MemoryReadError: it cannot be read.
        """
        layout, memory = self._objects.layout, self._objects.memory
        memory.spent.objects(1)
        if layout.since(3, 11):
            now = memory.u8(generator + layout["gen.gi_frame_state"])
        else:
            at = memory.u64(generator + layout["gen.gi_frame"])
            now = memory.u8(at + layout["frameobj.f_state"]) if at else -1
        return now == layout[state] & 255

    def _created(self, coroutine: int) -> Frame | None:
        """The frame of a coroutine that has not begun."""
        try:
            if not self._is(coroutine, "state.FRAME_CREATED"):
                return None
            frame = self._frames.suspended(coroutine)
            # Before 3.11 it stands before its first line.
            return frame and replace(frame, line=frame.code.first_line)
        except MemoryReadError:
            return None

    def _variables(self, frame: Frame) -> Iterator[int]:
        for value in self._frames.variables(frame).values():
            yield value
            yield from list(self._objects.attributes(value).values())[:_MOST_ATTRIBUTES]

    def _uses(self, frame: Frame, names: Container[str]) -> bool:
        return any(name in names for name in frame.code.names)
