"""Which sleeping threads look for nothing between one sleep and the next.

``while True: time.sleep(3600)`` is rest, and ``time.sleep(5)`` in no loop at all goes on by itself;
``while not path.exists(): time.sleep(0.2)`` waits. They look alike from outside, and the code tells
them apart.
"""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress

from hangtui.backends.cpython.application import application_frame, of_application
from hangtui.backends.cpython.bytecode import SETUPS, Bytecode, reachable
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.code_loops import Flow, Loop, after, backwards, cycle, innermost
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.library_sleeps import (
    awaited_sleep,
    awaits_deferred,
    switched_sleep,
)
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import NodeKind

_SLEEPS = frozenset({"sleep", "deferLater"})
"""What is called for it: ``time.sleep``, ``gevent.sleep``, Twisted's ``deferLater(reactor, 1)``."""
_ASKS = frozenset("is_set is_alive done empty full locked exists len qsize".split())
"""What is called to look whether something has changed, and changes nothing itself."""
_TAKES = "acquire"
_MOST_HELPERS = 3
"""Functions of the program below one another that do nothing more than to sleep."""


class SleepLoops:
    """Reads the code of one interpreter."""

    def __init__(self, objects: Objects) -> None:
        self._spent = objects.memory.spent
        self.bytecode = Bytecode(objects.layout.version, self._spent)
        self.mentions = Mentions(self.bytecode, self._spent)
        self._known: dict[tuple[int, int], bool] = {}
        """By code and instruction, what `_repeats` says: threads have the same callers."""

    def only_sleeps(self, frames: Sequence[Frame]) -> bool | None:
        """Whether the innermost of *frames* is the application's, and sleeps in a loop that does
        nothing else, or in none; None: some of the code cannot be read. Never raises."""
        if not frames or not of_application(frames[0]):
            return False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            return self._sleeps(frames)
        return None

    def task_only_sleeps(self, frames: Sequence[Frame]) -> bool | None:
        """The same of the frames of a task, of which the innermost are its library's sleep."""
        below = frames[awaited_sleep(frames) :]
        if len(below) in (0, len(frames)) or not of_application(below[0]):
            return False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            return self._sleeps(below, awaited=True)
        return None

    def task_goes_round(self, frames: Sequence[Frame]) -> bool:
        """Whether a task with these frames sleeps in a loop of the application that is not left.
        Never raises."""
        below = frames[awaited_sleep(frames) :]
        if len(below) in (0, len(frames)) or not of_application(below[0]):
            return False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            return self.bytecode.is_known(below[0].code) and self.loop(below[0]).endless
        return False

    def greenlet_sleeps_for_ever(self, frames: Sequence[Frame]) -> bool | None:
        """Whether a greenlet with these frames, of which the innermost is its library's ``sleep``,
        does nothing any more but sleep, again and again; None: some of the code cannot be read.
        Never raises."""
        below = frames[switched_sleep(frames) :]
        if len(below) in (0, len(frames)) or not of_application(below[0]):
            return False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            return self.loop(below[0]).endless and self._sleeps(below)
        return None

    def looks_at(
        self, frames: Sequence[Frame], kind: NodeKind
    ) -> tuple[Frame, tuple[Mention, ...]]:
        """What the end of the loop depends on in which a thread, task or greenlet with these
        *frames* sleeps, with the frame of that; empty: it sleeps in none that can be left.

        Raises:
            BudgetSpentError: too much was looked at.
        """
        awaited = kind is NodeKind.TASK
        index, proven = _asleep(frames, kind)
        names = _SLEEPS
        for frame in frames[index : index + _MOST_HELPERS]:
            mentions = self.mentions.of(frame.code)
            calls = [one for one in mentions if proven or _names(one, frame.code, names)]
            if not calls or not self.bytecode.is_known(frame.code):
                break
            flow, here = self._flow(frame)
            loop = self._loop_at(frame, flow, here)
            if not _is_current(calls, mentions, here, awaited=awaited):
                break
            if loop.repeats or any(one.start > here for one in mentions):
                inner = _ends(mentions, innermost(flow, here), flow)
                return frame, inner or _ends(mentions, loop, flow)
            names, proven = frozenset({frame.code.bare_name}), False
        return frames[0], ()

    def spins_at(self, frames: Sequence[Frame]) -> tuple[Frame, tuple[Mention, ...]]:
        """The same of one that is not asleep, and whose innermost frame of the application stands
        in a loop that mentions nothing else but what is to sleep by its name: that may be another
        function, or has just returned.

        Raises:
            BudgetSpentError: too much was looked at.
        """
        frame = application_frame(frames)
        if frame is None or not self.bytecode.is_known(frame.code):
            return frames[0], ()
        mentions = self.mentions.of(frame.code)
        flow, here = self._flow(frame)
        loop = self._loop_at(frame, flow, here)
        ends = _ends(mentions, loop, flow)
        others = [one for one in mentions if one.start in loop.inside and one not in ends]
        called = [one for one in ends if one.called < one.until]
        asks = all(_names(one, frame.code, _ASKS) for one in called)
        looks = asks and all(_names(one, frame.code, _SLEEPS) for one in others)
        return frame, ends if looks else ()

    def _sleeps(self, frames: Sequence[Frame], *, awaited: bool = False) -> bool | None:
        """*awaited*: what is called has returned what is awaited since."""
        if not all(self.bytecode.is_known(frame.code) for frame in frames):
            return None
        loop = self.loop(frames[0])
        mentions = self.mentions.of(frames[0].code)
        sleeps = [one for one in mentions if _names(one, frames[0].code, _SLEEPS)]
        if not _is_current(sleeps, mentions, loop.here, awaited=awaited):
            return False  # it awaits something else, or something else sleeps, in C
        calls = {one.called for one in sleeps}
        inside = (one for one in mentions if one.start in loop.inside)
        if loop.retries or not all(one in sleeps or one.called in calls for one in inside):
            return False
        return loop.endless or not any(map(self._repeats, frames[1:]))

    def _repeats(self, frame: Frame) -> bool:
        """Whether it may come back to where it stands; or to a loop: of one whose condition makes
        the call, the first turn lies before it (CPython 3.10)."""
        key = frame.code.address, frame.instruction
        if key not in self._known:
            flow, here = self._flow(frame)
            repeats = self._loop_at(frame, flow, here).repeats
            self._known[key] = repeats or self._loops_ahead(frame, flow, here)
        return self._known[key]

    def _loops_ahead(self, frame: Frame, flow: Flow, here: int) -> bool:
        """Whether it comes to a call in a loop. All of a loop lies between the ends of some jumps
        back."""
        coming = after(flow, here)
        back = [(at, start) for start in coming for at in flow.get(start, ()) if at <= start]
        if not back:
            return False
        first, last = min(at for at, _ in back), max(start for _, start in back)
        calls = {one.start for one in self.mentions.of(frame.code) if first <= one.start <= last}
        return any(start in after(flow, start) for start in coming & calls)

    def loop(self, frame: Frame) -> "Loop":
        """The loop that a frame stands in."""
        return self._loop_at(frame, *self._flow(frame))

    def only_takes(self, frame: Frame) -> bool:
        """Whether it stands in a loop that calls ``acquire``, and nothing else. Never raises."""
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            inside = self.loop(frame).inside if self.bytecode.is_known(frame.code) else ()
            called = [
                one
                for one in self.mentions.of(frame.code)
                if one.start in inside and (one.name or one.called < one.until)
            ]
            return bool(called) and all(one.name == _TAKES for one in called)
        return False

    def handled_loop(self, frame: Frame) -> "Loop":
        """The loop that a frame stands in which goes on after what is raised, too."""
        _, here = self._flow(frame)
        flow = self.bytecode.successors(frame.code)
        return Loop(here, frozenset(cycle(flow, here)), ends=True)

    def may_precede(self, frame: Frame) -> AbstractSet[int]:
        """The instructions after which it may have come to where it stands, all before that if it
        is in a handler: what other branches do is not among them."""
        flow, here = self._flow(frame)
        before = reachable(backwards(flow), here)
        return before if min(flow, default=0) in before else {one for one in flow if one <= here}

    def _loop_at(self, frame: Frame, flow: Flow, here: int) -> "Loop":
        inside = cycle(flow, here)
        if any(one.start in inside for one in self.mentions.of(frame.code)):
            return Loop(here, frozenset(inside), ends=after(flow, here) > inside)
        # None, or just the one by which an await is made of instructions.
        retries = not cycle(self.bytecode.successors(frame.code), here) <= inside
        return Loop(here, frozenset(), ends=True, retries=retries)

    def _flow(self, frame: Frame) -> tuple[Flow, int]:
        """Its code without handlers, and where it stands."""
        instructions = self.bytecode.instructions(frame.code)
        flow = {
            one.start: (one.end,) if one.name in SETUPS else self.bytecode.following(one)
            for one in instructions
        }
        self._spent.objects(len(flow) >> 2)
        return flow, max((start for start in flow if start <= frame.instruction), default=0)


def _asleep(frames: Sequence[Frame], kind: NodeKind) -> tuple[int, bool]:
    """How many of *frames* are a library's, below the one whose call may sleep; and whether these
    are a sleep for sure."""
    if kind is NodeKind.TASK:
        found = awaited_sleep(frames)
        return found or int(awaits_deferred(frames)), found > 0
    found = switched_sleep(frames) if kind is NodeKind.GREENLET else 0
    return found, found > 0


def _names(one: Mention, code: Code, names: AbstractSet[str]) -> bool:
    """Whether it is of one of *names*: an attribute's, or a variable's own."""
    return (one.name or one.text(code)) in names


def _is_current(
    calls: Collection[Mention], mentions: Iterable[Mention], here: int, *, awaited: bool
) -> bool:
    """Whether one of *calls* is what the frame stands in. *awaited*: what is called has returned
    what is awaited since."""
    if awaited:
        before = (one for one in mentions if one.called < here)
        return max(before, key=lambda one: one.called, default=None) in calls
    return any(one.start < here <= one.called < one.until for one in calls)


def _ends(mentions: Iterable[Mention], loop: Loop, flow: Flow) -> tuple[Mention, ...]:
    """Those on which it depends whether a loop is left."""
    leads_out = {
        start for start in loop.inside
        if len(flow[start]) > 1 and not loop.inside.issuperset(flow[start])
    }  # fmt: skip
    return tuple(one for one in mentions if one.start in loop.inside and one.until in leads_out)
