"""Which frames are handlers of signals: the interpreter calls one with the signal's number and the
frame that the signal interrupted, and that is the one below it on the stack."""

import signal
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import PythonFrame

_MOST_ARGUMENTS = 3
"""A method has its object before the number and the frame."""
_BOTH = 2
"""The number and the frame."""


class Handlers:
    """Finds them in one interpreter."""

    def __init__(self, objects: Objects, frames: Frames) -> None:
        self._objects = objects
        self._frames = frames

    def added(
        self, frames: Sequence[Frame], shown: tuple[PythonFrame, ...]
    ) -> tuple[PythonFrame, ...]:
        """*shown*, with the name of the signal in each frame that handles one. *frames*: the same
        frames as they were read. Never raises."""
        for index, (handler, below) in enumerate(pairwise(frames)):
            if not handler.entry or not handler.code.local_count:
                continue
            try:
                name = self._signal(handler, below)
            except (MemoryReadError, BudgetSpentError):
                continue
            if name is not None:
                changed = replace(shown[index], signal=name)
                shown = (*shown[:index], changed, *shown[index + 1 :])
        return shown

    def _signal(self, handler: Frame, below: Frame) -> str | None:
        """The signal that a frame was called for; None: for none."""
        count = min(_MOST_ARGUMENTS, handler.code.local_count)
        values = [one for index in range(count) for one in self._given(handler, index)]
        for number, interrupted in pairwise(values):
            kinds = self._objects.kind(number), self._objects.kind(interrupted)
            if kinds != ("int", "frame"):
                continue
            if self._frames.of_object(interrupted).address == below.address:
                return _name(self._objects.integer(number))
        return None

    def _given(self, handler: Frame, index: int) -> Sequence[int]:
        """An argument; of ``*args`` both that it may have been called with."""
        value = self._frames.variable(handler, index)
        if self._objects.kind(value) == "tuple" and self._objects.size(value) == _BOTH:
            return self._objects.tuple_items(value)
        return (value,)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
