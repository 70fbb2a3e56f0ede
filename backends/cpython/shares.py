"""How many frames of each thread are read where all of them would be too many.

Each thread gets its fair share first, from the innermost frame on; what others leave is then
divided among those that have more.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from hangtui.backends.cpython.frames import MAX_FRAMES, Frame
from hangtui.backends.limits import BudgetSpentError, Spending
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Source

MISSING = "Python frames"


class SharedFrames:
    """Divides the Python frames that one process may have among *threads* threads."""

    def __init__(self, spent: Spending, threads: int) -> None:
        self._spent = spent
        self._left = spent.frames_left(threads)

    def read(self, walks: Mapping[int, Iterator[Frame]]) -> dict[int, list[Frame]]:
        """The frames of each walk, innermost first; one that cannot be read is missing."""
        stacks: dict[int, list[Frame]] = {key: [] for key in walks}
        open_ = dict(walks)
        while open_ and self._left >= len(open_):
            share = self._left // len(open_)
            for key, walk in list(open_.items()):
                if not self._extend(stacks, key, walk, share):
                    del open_[key]
        if open_:
            self._cut(f"up to {sum(map(len, stacks.values())):,} of all threads")
        return {key: stack for key, stack in stacks.items() if stack or key not in open_}

    def _extend(
        self, stacks: dict[int, list[Frame]], key: int, walk: Iterator[Frame], share: int
    ) -> bool:
        """Read on in one stack; whether it goes on behind that."""
        stack = stacks[key]
        before = len(stack)
        share = min(share, MAX_FRAMES - before)
        try:
            stack.extend(islice(walk, share))
        except MemoryReadError:
            del stacks[key]
            return False
        except BudgetSpentError:
            if not stack:
                del stacks[key]
            return False
        finally:
            self._left -= len(stack) - before
            self._spent.python_frames(len(stack) - before)
        if len(stack) >= MAX_FRAMES:
            self._cut(f"up to {MAX_FRAMES:,} of one thread")
            return False
        return len(stack) - before == share

    def _cut(self, bound: str) -> None:
        text = f"its Python frames were read {bound}, the innermost first"
        self._spent.reach(MISSING, Source.CPYTHON, text)
