"""Which sleeping threads look for nothing between one sleep and the next.

``while True: time.sleep(3600)`` is rest, and ``time.sleep(5)`` in no loop at all goes on by itself;
``while not path.exists(): time.sleep(0.2)`` waits. They look alike from outside, and the code tells
them apart.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bytecode import SETUPS, Bytecode, reachable
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

_SLEEP = "sleep"


class SleepLoops:
    """Reads the code of one interpreter."""

    def __init__(self, objects: Objects) -> None:
        self._spent = objects.memory.spent
        self._bytecode = Bytecode(objects.layout.version, self._spent)
        self._mentions = Mentions(self._bytecode, self._spent)

    def only_sleeps(self, frames: Sequence[Frame]) -> bool | None:
        """Whether the innermost of *frames* is the application's, and sleeps in a loop that does
        nothing else, or in none; None: some of the code cannot be read. Never raises."""
        if not frames or not of_application(frames[0]):
            return False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            return self._sleeps(frames)
        return None

    def _sleeps(self, frames: Sequence[Frame]) -> bool | None:
        if not all(self._bytecode.is_known(frame.code) for frame in frames):
            return None
        loop = self._loop(frames[0])
        mentions = self._mentions.of(frames[0].code)
        sleeps = [one for one in mentions if _SLEEP in (one.name, _root(one))]
        if not any(one.start < loop.here <= one.called < one.until for one in sleeps):
            return False  # something else sleeps, in C
        calls = {one.called for one in sleeps}
        inside = (one for one in mentions if one.start in loop.inside)
        if loop.retries or not all(one in sleeps or one.called in calls for one in inside):
            return False
        endless = bool(loop.inside) and not loop.ends
        return endless or not any(self._loop(frame).repeats for frame in frames[1:])

    def _loop(self, frame: Frame) -> "_Loop":
        """The loop that a frame stands in."""
        flow: dict[int, tuple[int, ...]] = {}
        back: dict[int, tuple[int, ...]] = {}
        instructions = self._bytecode.instructions(frame.code)
        for one in instructions:
            following = (one.end,) if one.name in SETUPS else self._bytecode.following(one)
            flow[one.start] = following
            for at in following:
                back[at] = (*back.get(at, ()), one.start)
        self._spent.objects(len(flow) >> 2)
        here = max((start for start in flow if start <= frame.instruction), default=0)
        coming: set[int] = set()
        for start in flow.get(here, ()):
            coming |= reachable(flow, start)
        if here in coming:
            inside = coming & reachable(back, here)
            return _Loop(here, frozenset(inside), ends=coming > inside)
        raising = self._bytecode.successors(frame.code)
        retries = any(here in reachable(raising, start) for start in raising.get(here, ()))
        return _Loop(here, frozenset(), ends=True, retries=retries)


class _Loop(NamedTuple):
    """A loop in a function."""

    here: int
    """Where the instruction starts on which the frame stands."""
    inside: frozenset[int]
    """Where its instructions start; empty: there is none, if nothing is raised."""
    ends: bool
    """The function goes on after it."""
    retries: bool = False
    """It comes back here only if something was raised: by what it tries again."""

    @property
    def repeats(self) -> bool:
        """Whether the frame may come back to where it stands."""
        return bool(self.inside) or self.retries


def _root(one: Mention) -> str:
    """The function's own name, where it was imported by it."""
    return "" if one.name or one.receiver is None else one.receiver.name
