"""Which of what the end of a loop depends on the loop itself counts: how often it has gone round is
nothing that it waits for."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.bytecode import Bytecode, Instruction
from hangtui.backends.cpython.changing_code import ChangingCode, Looked, is_of_program
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.liveness import stored
from hangtui.backends.cpython.polled_comers import PolledComers
from hangtui.backends.cpython.polled_objects import PolledObjects
from hangtui.backends.cpython.polled_parts import variable_of
from hangtui.backends.cpython.wakers.mentions import Mention
from hangtui.backends.memory.damage import MemoryReadError

_MOVES = frozenset({"SWAP", "ROT_TWO"})
_IN_PLACE = 13
"""The arguments of ``BINARY_OP`` from here on are those of ``+=`` and the like."""
_MOST_CALLED = 20
"""Functions that a loop calls, as far as they are looked into."""
_Store = tuple[Code, Instruction | Mention]


class PolledCounts:
    """Tells it of the loops of one process."""

    def __init__(
        self,
        codes: CodeReader,
        bytecode: Bytecode,
        looked: PolledObjects,
        changing: ChangingCode,
        comers: PolledComers,
    ) -> None:
        self._codes = codes
        self._bytecode = bytecode
        self._looked = looked
        self._changing = changing
        self._comers = comers

    def others(
        self, mentions: Iterable[Mention], frame: Frame, stack: Sequence[Frame]
    ) -> list[Mention]:
        """Those of *mentions* that the loop, in which *frame* stands, does not count.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        return [one for one in mentions if not self._counts(one, frame, stack)]

    def _counts(self, mention: Mention, frame: Frame, stack: Sequence[Frame]) -> bool:
        """Whether each value that it still gets there is the next one of a ``for``, or is added to
        the one before, be it in a function that is called from there."""
        with suppress(MemoryReadError):
            if variable := variable_of(mention):
                return self._variable(variable.slot, frame, mention.until)
            looked = frozenset(self._looked.of(mention, frame))
            if looked and mention.name and mention.called >= mention.until:
                inner = stack[: stack.index(frame)]
                stores = [*self._stores(looked, frame, mention.until)]
                stores += self._inside(looked, frame, inner)
                return bool(stores) and all(self._adds(code, at) for code, at in stores)
        return False

    def _variable(self, slot: int, frame: Frame, until: int) -> bool:
        ahead = self._in_turn(frame, until)
        instructions = self._bytecode.instructions(frame.code)
        found = [
            index
            for index, one in enumerate(instructions)
            if one.start in ahead and slot in stored(one)
        ]
        return bool(found) and all(
            _is_added(instructions, index) or _is_next(instructions, index) for index in found
        )

    def _in_turn(self, frame: Frame, until: int) -> set[int]:
        """The instructions that a frame may still come to in the innermost loop around it that ends
        at *until*: what comes after it, and before it in a loop further out, is none of its turns.
        """
        ahead = self._comers.ahead(frame)
        here = frame.instruction
        flow = self._bytecode.successors(frame.code)
        rounds = [
            (back, start)
            for start, following in flow.items()
            for back in following
            if back <= here <= start and back <= until <= start
        ]
        if not rounds:
            return ahead
        first, last = min(rounds, key=lambda one: one[1] - one[0])
        return {one for one in ahead if first <= one <= last}

    def _stores(self, looked: Collection[Looked], frame: Frame, until: int) -> Iterator[_Store]:
        """In what the loop's own frame still comes to in its turns."""
        ahead = self._in_turn(frame, until)
        for one, at in self._changing.in_frame(frame):
            if one in looked and at.start in ahead:
                yield frame.code, at

    def _inside(
        self, looked: Collection[Looked], frame: Frame, inner: Sequence[Frame]
    ) -> Iterator[_Store]:
        """In the functions of the program that it calls, and has called."""
        for above in inner:
            if is_of_program(above.code.filename):
                for one, at in self._changing.in_frame(above):
                    if one in looked:
                        yield above.code, at
        running = {above.code.address for above in inner}
        for function in islice(self._comers.called_from(frame), _MOST_CALLED):
            code = self._codes.code(function.code)
            if code.address not in running and is_of_program(code.filename):
                for one, at in self._changing.in_function(function, code):
                    if one in looked:
                        yield code, at

    def _adds(self, code: Code, at: Instruction | Mention) -> bool:
        instructions = self._bytecode.instructions(code)
        index = next((i for i, one in enumerate(instructions) if one.start == at.start), 0)
        if index and instructions[index - 1].name in _MOVES:
            index -= 1
        return isinstance(at, Instruction) and _is_added(instructions, index)


def _is_next(instructions: Sequence[Instruction], index: int) -> bool:
    """Whether what is stored at *index* comes out of a ``for``, alone or with others."""
    before = index - 1
    while before > 0 and (
        instructions[before].name == "UNPACK_SEQUENCE" or stored(instructions[before])
    ):
        before -= 1
    return before >= 0 and instructions[before].name == "FOR_ITER"


def _is_added(instructions: Sequence[Instruction], index: int) -> bool:
    """Whether what is stored at *index* was made by ``+=`` or the like."""
    before = instructions[index - 1] if index else None
    return before is not None and (
        before.name.startswith("INPLACE_")
        or (before.name == "BINARY_OP" and before.argument >= _IN_PLACE)
    )
