"""Which waits are for what comes next: a loop of the application begins its round with them, and
nothing was sent before that could be answered.

``for line in connection: answer(line)`` rests in its wait; ``send(question); recv()`` waits for an
answer. They look alike from outside, and the code tells them apart.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice, takewhile
from typing import NamedTuple

from hangtui.backends.cpython.application import before_application, of_application
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.code_loops import Loop
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.sleep_loops import SleepLoops
from hangtui.backends.cpython.wakers.mentions import Mention
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import clean

_SENDS = re.compile(
    r"(?:^|_)(?:send|request|call|query|execute|invoke|command|ask|publish|write|put|flush|post"
    r"|submit|emit|remote)"
)
"""How functions are called that give something to others, or bring an answer themselves."""
_FLUSHES = re.compile(r"(?:^|_)flush")
_RECEIVES = re.compile(r"(?:^|[._])rec(?:v|eive)")
_GIVEN = re.compile(
    r"^(?:b[lr]pop|bz(?:mpop|popmin|popmax)|blmpop|blmove|brpoplpush|xread(?:group)?|drain_events)$"
)
"""The commands of Redis by which a client waits until somebody gives something, and kombu's: what a
library sends for them asks for nothing else."""
_READS = re.compile(
    r"(?:^|_)(?:recv|receive|read|next|accept|get|wait|poll|listen|select|pop)"
    rf"|{_GIVEN.pattern}"
)
"""How those are called that take what comes."""
_HARMLESS = re.compile(rf"{_READS.pattern}|^(?:acquire|len|isinstance|time|monotonic)$")
"""And those that do neither: below the loop, nothing else is called before the wait."""
_LOOKS = re.compile(r"(?:^|\.)(?:is_\w+|len|isinstance|time|monotonic)$")
"""How those are called that only look, as whether to go on."""
_ITERATES, _AWAITS_NEXT = "FOR_ITER", "GET_ANEXT"
_SUSPENDS = ("SEND", "YIELD", "RESUME")
"""On what a coroutine stands that awaits something, which what it has called before returned."""
_AGAIN = "YIELD_FROM"
_ACCEPTS = "accept"
_MOST_FRAMES, _MOST_NAME = 60, 80
_FORKS = "/multiprocessing/popen_fork.py"
"""Above its frames stands what the parent did."""


class Takes(NamedTuple):
    """How a wait for data stands in the code."""

    next: bool | None = None
    """Whether it is for what comes next; None: some of the code cannot be read."""
    subscribes: bool = False
    """Whether one message after the other is taken in a loop that sends none before, and something
    was sent before that loop: what comes may be the answer, or what was asked to be told of."""
    answers: bool = False
    """The same, and in each round something is sent after what was taken: who has said once that it
    is there, and serves since."""
    asks: bool = False
    """Whether it stands in a loop of the application that has sent something in this round before
    it came to wait, or receives in none, and its innermost function has: what it waits for may be
    the answer to that."""


class MessageLoops:
    """Reads the code of one interpreter."""

    def __init__(self, loops: SleepLoops, objects: Objects, codes: CodeReader) -> None:
        self._loops = loops
        self._codes = codes
        self._spent = objects.memory.spent
        self._bytecode, self._mentions = loops.bytecode, loops.mentions
        self._known: dict[tuple[int, int], _Stands] = {}
        """By code and instruction: many stand alike."""

    def of(self, frames: Sequence[Frame]) -> Takes:
        """What is told of the application's *frames*, innermost first. Never raises."""
        since = takewhile(lambda frame: not frame.code.filename.endswith(_FORKS), frames)
        stack = tuple(islice(since, _MOST_FRAMES))
        inside = before_application(stack)
        own = [frame for frame in stack[len(inside) :] if of_application(frame)]
        asks = any(_SENDS.search(name) for name in _asked_through(inside))
        if asks and not own:
            return Takes(next=False)
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            if asks and not (self._bytecode.is_known(own[0].code) and self._stands(own[0]).given):
                return Takes(next=False)  # a library that asks, and waits for the answer
            if not all(self._bytecode.is_known(frame.code) for frame in own):
                return Takes()
            if not own or not self._reads_there(own[0], inside):
                return Takes(next=self._serves(inside))
            if self._takes_next(own):
                return Takes(next=True)
            subscribes = self._subscribes(own)
            answers = subscribes and self._answers(own)
            return Takes(False, subscribes, answers, self._asks(own))
        return Takes()

    def is_part(self, frames: Sequence[Frame]) -> bool:
        """Whether the application's *frames*, innermost first, wait in a loop that does something
        else in its round as well: what they wait for is one step of many. Never raises."""
        stack = tuple(islice(frames, _MOST_FRAMES))
        own = list(takewhile(of_application, stack[len(before_application(stack)) :]))
        does_more = False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            for frame in own:
                if not self._bytecode.is_known(frame.code):
                    return False
                loop = self._loops.loop(frame)
                does_more = does_more or self._does_more(frame, loop)
                if loop.inside:
                    return does_more
        return False

    def has_taken(self, frame: Frame) -> bool:
        """Whether *frame* stands in a loop that has taken something which came in this round, and
        now does something with it. Never raises."""
        stands = self._known_stands(frame)
        return stands is not None and stands.took and not stands.reads

    def takes_there(self, frame: Frame) -> bool:
        """Whether *frame* waits for what comes, or has taken it. Never raises."""
        stands = self._known_stands(frame)
        return stands is not None and (stands.took or stands.reads)

    def _known_stands(self, frame: Frame) -> "_Stands | None":
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            return self._stands(frame) if self._bytecode.is_known(frame.code) else None
        return None

    def called_at(self, frame: Frame) -> str:
        """``gevent.killall``: what a frame has called, in C, where it stands; empty: nothing, or
        that cannot be told. Never raises."""
        code = frame.code
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            here = self._loops.loop(frame).here if self._bytecode.is_known(code) else -1
            calls = [one for one in self._mentions.of(code) if one.start < here <= one.called]
            first = min(calls, key=lambda one: one.called, default=None)
            if first is not None and first.called < first.until:
                return clean(first.text(code), _MOST_NAME)
        return ""

    def _does_more(self, frame: Frame, loop: Loop) -> bool:
        """Whether its loop calls something besides where it stands, or without one its function."""
        code = frame.code
        called = [one for one in self._mentions.of(code) if one.called < one.until]
        here = max((one.called for one in called if one.called <= loop.here), default=-1)
        others = [
            one.name or one.text(code)
            for one in called
            if one.called != here and (not loop.inside or one.called in loop.inside)
        ]
        return not all(map(_LOOKS.search, others))

    def of_polled(self, frames: Sequence[Frame]) -> Takes:
        """The same of who sleeps in a library between two looks for what others give by and by; of
        all others nothing is told. Never raises."""
        own = next(filter(of_application, islice(frames, _MOST_FRAMES)), None)
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            if own and self._bytecode.is_known(own.code) and self._stands(own).given:
                return self.of(frames)
        return Takes()

    def _reads_there(self, frame: Frame, inside: Sequence[Frame]) -> bool:
        """Whether what the innermost of the application's frames has called takes what comes. Where
        its code does not tell which call that is, as one with a conditional argument, the function
        of the library does that was called."""
        stands = self._stands(frame)
        unclear = bool(inside) and not stands.clear
        return stands.reads or (unclear and bool(_READS.search(inside[-1].code.bare_name)))

    def _serves(self, inside: Sequence[Frame]) -> bool:
        """Whether a library lets one after the other connect, and not somebody once."""
        accepts = bool(inside) and inside[0].code.bare_name == _ACCEPTS
        if not accepts or not all(self._bytecode.is_known(frame.code) for frame in inside):
            return False
        return any(self._stands(frame).loops for frame in inside)

    def _takes_next(self, own: Sequence[Frame]) -> bool:
        looped = False
        for stands in map(self._stands, own):
            if stands.sends or (stands.calls and not stands.loops and not looped):
                return False
            looped = looped or stands.loops
        return looped

    def _subscribes(self, own: Sequence[Frame]) -> bool:
        looped = sent = False
        for stands in map(self._stands, own):
            if stands.sends_again or (stands.sends and not stands.loops and not looped):
                return False
            looped, sent = looped or stands.loops, sent or stands.sends
        return looped and sent

    def _answers(self, own: Sequence[Frame]) -> bool:
        looped = next((stands for stands in map(self._stands, own) if stands.loops), None)
        return looped is not None and looped.answers

    def _asks(self, own: Sequence[Frame]) -> bool:
        sent = False
        for stands in map(self._stands, own):
            if stands.loops:
                return sent or stands.sends_again
            sent = sent or stands.sends
        receives = bool(own) and bool(_RECEIVES.search(self.called_at(own[0])))
        return receives and self._stands(own[0]).sends

    def _stands(self, frame: Frame) -> "_Stands":
        key = frame.code.address, frame.instruction
        if key not in self._known:
            loop, code = self._loops.loop(frame), frame.code
            called = without_handed_on(self._mentions.of(code))
            earlier = self._loops.may_precede(frame)
            before = [one for one in called if one.called < loop.here and one.called in earlier]
            before = [one for one in before if not self._of_round_before(one, frame, loop)]
            names = [one.name or one.text(code) for one in before]
            again = [one.name or one.text(code) for one in before if one.called in loop.inside]
            round_ = (one for one in called if one.called > loop.here and one.called in loop.inside)
            after = [one.name or one.text(code) for one in round_]
            self._known[key] = _Stands(
                bool(loop.inside),
                any(map(_SENDS.search, names)),
                any(map(_SENDS.search, again)),
                not all(map(_HARMLESS.search, names)),
                *self._reads(code, loop.here, called),
                answers=any(map(_SENDS.search, after)),
                took=any(map(_READS.search, again)) or self._iterates(code, loop),
                clear=any(one.start < loop.here <= one.called for one in called),
            )
        return self._known[key]

    def _iterates(self, code: Code, loop: Loop) -> bool:
        """Whether each round of the loop begins with the next item of something."""
        known = self._bytecode.instructions(code)
        steps = (one for one in known if one.start in loop.inside and one.start < loop.here)
        return any(one.name.startswith((_ITERATES, _AWAITS_NEXT)) for one in steps)

    def _of_round_before(self, one: Mention, frame: Frame, loop: Loop) -> bool:
        """Whether it is called in the body of a ``while`` whose condition the frame stands in: from
        3.10 on that is compiled a second time, behind the body."""
        line = self._codes.line(frame.code, one.offset)
        after = line is not None and frame.line is not None and line > frame.line
        return after and one.called in loop.inside

    def _reads(self, code: Code, here: int, called: Sequence[Mention]) -> tuple[bool, bool]:
        """Whether what the code has called there, at the instruction that begins *here*, or
        iterates over, takes what comes; and whether a library asks for nothing else by that.
        *called*: what it calls anywhere."""
        current = [one for one in called if one.start < here <= one.called]
        known = self._bytecode.instructions(code)
        instructions = [one for one in known if one.start <= here]
        at = instructions[-1].name if instructions else ""
        # Up to 3.10 what awaits stands right before the instruction that does it over again
        # (YIELD_FROM in Python/ceval.c).
        then = known[len(instructions)].name if len(instructions) < len(known) else ""
        if at.startswith(_SUSPENDS) or then == _AGAIN:
            last = max((one.called for one in called if one.called < here), default=-1)
            if any(one.name == _AWAITS_NEXT and one.start > last for one in instructions):
                return True, False
            current = [one for one in called if one.called == last]
        names = [one.name or one.text(code) for one in current]
        given = any(map(_GIVEN.search, names))
        return at.startswith(_ITERATES) or any(map(_READS.search, names)), given


def without_handed_on(mentions: Sequence[Mention]) -> list[Mention]:
    """Those that are called, or whose attribute is given to what is called: a bare function that is
    handed on, as ``publish`` in ``Thread(target=publish)``, is run elsewhere."""
    first: dict[int, int] = {}
    for one in mentions:
        first[one.called] = min(one.start, first.get(one.called, one.start))
    called = (one for one in mentions if one.called < one.until)
    return [one for one in called if one.start == first[one.called] or _has_attribute(one)]


def _has_attribute(one: Mention) -> bool:
    return bool(one.name or (one.receiver and one.receiver.attributes))


def _asked_through(inside: Sequence[Frame]) -> list[str]:
    """The names of a library's functions that tell whether it asks: further in than the one that
    the application has called, to flush is to empty a buffer before it waits."""
    names = [frame.code.bare_name for frame in inside]
    return [*(name for name in names[:-1] if not _FLUSHES.search(name)), *names[-1:]]


class _Stands(NamedTuple):
    """Where a frame stands."""

    loops: bool
    """In a loop."""
    sends: bool
    """It has sent something before it came here."""
    sends_again: bool
    """It does so in each round of its loop."""
    calls: bool
    """It has called something else before."""
    reads: bool
    """What it has called there takes what comes."""
    given: bool
    """And what a library sends for that asks for nothing else."""
    answers: bool = False
    """What it sends comes after what it takes, in each round of its loop."""
    took: bool = False
    """It has taken something that came, in this round of its loop."""
    clear: bool = True
    """Which call it stands in is known."""
