"""Who sleeps with something of a pool, and comes back to that sleep only after giving it back."""

from collections.abc import Sequence
from contextlib import suppress

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bytecode import Bytecode, reachable
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.sleep_loops import SleepLoops
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

_MOST_INSTRUCTIONS = 2000
"""Of a function whose lines are read one by one."""


class Renewed:
    """Reads the code of one interpreter."""

    def __init__(self, loops: SleepLoops, codes: CodeReader, objects: Objects) -> None:
        self._loops = loops
        self._codes = codes
        self._spent = objects.memory.spent
        self._bytecode = Bytecode(objects.layout.version, self._spent)

    def is_renewed(self, frames: Sequence[Frame], keeper: Frame | None, line: int | None) -> bool:
        """Whether the innermost of *frames*, the application's, comes back to where it stands only
        in another call of *keeper*, one of them, or over the line on which that took something.
        Never raises.

        *line*: that one; None: not known.
        """
        index = next((at for at, one in enumerate(frames) if one is keeper), None)
        if keeper is None or index is None or not of_application(frames[0]):
            return False
        with suppress(BudgetSpentError, DamagedDataError), self._spent.clock(), foreign_data():
            below = frames[: index + 1]
            if not all(self._bytecode.is_known(frame.code) for frame in below):
                return False
            if any(self._loops.loop(frame).repeats for frame in frames[:index]):
                return False
            return not self._comes_back(keeper, line)
        return False

    def _comes_back(self, frame: Frame, line: int | None) -> bool:
        """Whether it may come back to where it stands, but for ways over *line*."""
        flow = self._bytecode.successors(frame.code)
        here = max((start for start in flow if start <= frame.instruction), default=0)
        if len(flow) > _MOST_INSTRUCTIONS:
            return True
        over = set[int]()
        if line is not None:
            over = {start for start in flow if self._codes.line(frame.code, start) == line}
        return any(here in reachable(flow, one, over - {here}) for one in flow.get(here, ()))
