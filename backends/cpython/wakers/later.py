"""Calls that would end a wait and that are to come: by a timer of an event loop, or by a thread or
task whose code calls what has the name of such a function, on what it does not have yet."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.bytecode import Root
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.wakers.callees import Callees
from hangtui.backends.cpython.wakers.mentions import Ahead, Mention, Mentions
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import NodeId

LoopCall = tuple[float, int]
"""When a timer fires, by ``time.monotonic()``, and what it calls."""
_MOST_TIMERS = 100
_MOST_FRAMES = 1_000


class Later:
    """Looks at the timers and at the code of one interpreter."""

    def __init__(self, callees: Callees, mentions: Mentions) -> None:
        self._callees = callees
        self._mentions = mentions

    def by_timers(self, timers: Iterable[LoopCall]) -> dict[int, float]:
        """What is waited for and one of *timers* would end the wait for, with when the first such
        fires. Never raises."""
        found: dict[int, float] = {}
        for when, callback in islice(sorted(timers), _MOST_TIMERS):
            for target in self.ended_by(callback):
                found.setdefault(target, when)
        return found

    def ended_by(self, callback: int) -> frozenset[int]:
        """What is waited for and a call of *callback* would end the wait for. Never raises."""
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            reached = self._callees.called(callback)
            return frozenset(one.target for one in reached if not one.of_others)
        return frozenset()

    def by_name(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], names: Collection[str]
    ) -> dict[str, list[NodeId]]:
        """Who is on the way to call a method of one of these *names*, on an item that a loop takes,
        say, so that it cannot be told yet whose that is. Never raises."""
        found: dict[str, list[NodeId]] = {}
        wanted = frozenset(names)
        own = (
            (node, frame)
            for node, frames in stacks.items()
            for frame in frames
            if not (frame.in_library or frame.installed)
        )
        with suppress(BudgetSpentError):
            for node, frame in islice(own, _MOST_FRAMES):
                if wanted.isdisjoint(frame.code.names):
                    continue
                for name in self._called(frame, wanted):
                    known = found.setdefault(name, [])
                    if node not in known:
                        known.append(node)
        return found

    def _called(self, frame: Frame, names: Collection[str]) -> Iterator[str]:
        with suppress(DamagedDataError), foreign_data():
            ahead = self._mentions.ahead(frame.code, frame.instruction)
            for one in ahead.mentions:
                if one.name in names and one.called < one.until and _is_taken(one, ahead):
                    yield one.name


def _is_taken(mention: Mention, ahead: Ahead) -> bool:
    """Whether what a method is called on is known only once the code comes there."""
    receiver = mention.receiver
    return receiver is None or (receiver.root is Root.LOCAL and receiver.slot in ahead.stored)
