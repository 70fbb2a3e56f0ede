"""Named semaphores of extensions that threads are inside of a ``with`` on: each object has the
address of a ``sem_t`` in a file that processes map.

Which types these are, and in which word behind its head an object has that address, is data.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Entered:
    """A thread inside of one."""

    tid: int
    word: int
    """Address of the ``sem_t``, the first half of which counts what is left."""
    free: bool
    where: str


class NamedSemaphores:
    """Finds them in one interpreter."""

    def __init__(self, objects: Objects, blocks: WithBlocks) -> None:
        self._objects = objects
        self._blocks = blocks

    def entered(self, stacks: Mapping[int, tuple[Frame, ...]]) -> list[Entered]:
        """Who is inside of which.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found = []
        for tid, frames in stacks.items():
            for frame in frames:
                for block in self._blocks.of(frame):
                    at = _words().get(self._objects.kind(block.manager) or "")
                    if at is None:
                        continue
                    place = f"{frame.place.rpartition(':')[0]}:{block.line or frame.line}"
                    try:
                        word = self._word(block.manager, at)
                        left = self._objects.memory.u32(word)
                    except MemoryReadError:
                        continue
                    found.append(Entered(tid, word, left > 0, place))
        return found

    def _word(self, manager: int, at: int) -> int:
        layout, memory = self._objects.layout, self._objects.memory
        return memory.u64(manager + layout.header + 8 * at)


@cache
def _words() -> Mapping[str, int]:
    """By type: the word that has the address."""
    path = Path(__file__).with_suffix(".json")
    return {one["type"]: one["word"] for one in json.loads(path.read_text()).values()}
