"""Who comes to code of the program that changes what a loop looks at: by the lines that are still
before it, or by the functions that these call."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.bytecode import Bytecode, Root, reachable
from hangtui.backends.cpython.changing_code import ChangingCode, Looked, is_of_program
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.memory.damage import MemoryReadError

_DEPTH = 3
"""Functions that call each other, from a frame on."""
_MOST_FUNCTIONS = 1000
"""That are looked into, in sum over a process."""


class PolledComers:
    """Looks along the calls of one interpreter's code."""

    def __init__(
        self,
        codes: CodeReader,
        bytecode: Bytecode,
        mentions: Mentions,
        values: Values,
        changing: ChangingCode,
    ) -> None:
        self._codes = codes
        self._bytecode = bytecode
        self._mentions = mentions
        self._values = values
        self._changing = changing
        self._left = _MOST_FUNCTIONS
        self._known: dict[tuple[int, int], frozenset[tuple[Looked, str]]] = {}

    def of(self, stack: Iterable[Frame], wanted: Collection[Looked]) -> dict[Looked, str]:
        """Which of *wanted* the frames of a thread or task come to change, and where: ``Flag.hoist
        (a.py:9)``. *wanted*: the same for every stack, as what functions change of it is kept.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found: dict[Looked, str] = {}
        running = None
        for frame in stack:
            if is_of_program(frame.code.filename):
                with suppress(MemoryReadError):
                    for looked, place in self._ahead_of(frame, running, wanted):
                        found.setdefault(looked, place)
            running = frame.code.address
        return found

    def ahead(self, frame: Frame) -> set[int]:
        """The instructions that a frame may still come to."""
        flow = self._bytecode.successors(frame.code)
        here = max((start for start in flow if start <= frame.instruction), default=0)
        return set[int]().union(*(reachable(flow, start) for start in flow.get(here, ())))

    def _ahead_of(
        self, frame: Frame, running: int | None, wanted: Collection[Looked]
    ) -> Iterator[tuple[Looked, str]]:
        """*running*: the code that it has called, and that is under way."""
        ahead = None
        for looked, at in self._changing.in_frame(frame):
            if looked not in wanted:
                continue
            ahead = self.ahead(frame) if ahead is None else ahead
            if at.start in ahead:
                yield looked, self._codes.place(frame.code, at.offset)
        for function in self.called_from(frame):
            if function.code != running:
                yield from self._inside(function, 1, wanted)

    def called_from(self, frame: Frame) -> Iterator[Function]:
        """The functions that a frame may still come to call."""
        scope = self._values.frame(frame)
        coming = self._mentions.ahead(frame.code, frame.instruction)
        for mention in coming.mentions:
            receiver = mention.receiver
            local = receiver is not None and receiver.root is Root.LOCAL
            if receiver is None or (local and receiver.slot in coming.stored):
                continue  # it is another one by then
            if function := self._called(mention, scope):
                yield function

    def _called(self, mention: Mention, scope: Scope) -> Function | None:
        """What a call runs that stands in code of which *scope* has the variables."""
        if mention.receiver is None or mention.called >= mention.until:
            return None
        try:
            value = self._values.of(mention.receiver, scope)
            return self._values.called(value, mention.name)
        except MemoryReadError:
            return None

    def _inside(
        self, function: Function, depth: int, wanted: Collection[Looked]
    ) -> frozenset[tuple[Looked, str]]:
        """What of *wanted* a function of the program, and those that it calls, change."""
        key = function.address, function.bound
        known = self._known.get(key)
        if known is None:
            self._known[key] = frozenset()  # while it is looked into: functions call themselves
            known = self._known[key] = frozenset(self._look_into(function, depth, wanted))
        return known

    def _look_into(
        self, function: Function, depth: int, wanted: Collection[Looked]
    ) -> Iterator[tuple[Looked, str]]:
        self._left -= 1
        if self._left < 0:
            return
        with suppress(MemoryReadError):
            code = self._codes.code(function.code)
            if not is_of_program(code.filename):
                return
            scope = self._values.call(function, code.variables)
            for looked, at in self._changing.in_function(function, code):
                if looked in wanted:
                    yield looked, self._codes.place(code, at.offset)
            for mention in self._mentions.of(code) if depth < _DEPTH else ():
                inner = self._called(mention, scope)
                if inner is not None:
                    yield from self._inside(inner, depth + 1, wanted)
