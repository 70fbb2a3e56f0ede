"""Named semaphores of extensions that threads are inside of a ``with`` on, or take in a function
that gives them back as well: each object has the address of a ``sem_t`` in a file that processes
map.

Which types these are, and in which word behind its head an object has that address, is data.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from hangtui.backends.cpython.frames import Frame, Frames
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


_PAIR = frozenset({"acquire", "release"})


@dataclass(frozen=True, slots=True)
class UsedAsLock:
    """One that some function both takes and gives back: who has it is to release it."""

    word: int
    free: bool


class NamedSemaphores:
    """Finds them in one interpreter."""

    def __init__(self, objects: Objects, frames: Frames, blocks: WithBlocks) -> None:
        self._objects = objects
        self._frames = frames
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

    def locks(self, stacks: Mapping[int, tuple[Frame, ...]]) -> list[UsedAsLock]:
        """Those that a function on one of *stacks* both takes and gives back, and no other one.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found = dict[int, UsedAsLock]()
        for frame in (frame for frames in stacks.values() for frame in frames):
            if not _PAIR.issubset(frame.code.names):
                continue
            try:
                known = {one: kind for one in self._meant(frame)
                         if (kind := self._objects.kind(one)) in _words()}  # fmt: skip
                if len(known) == 1:
                    ((one, kind),) = known.items()
                    word = self._word(one, _words()[kind or ""])
                    found[word] = UsedAsLock(word, self._objects.memory.u32(word) > 0)
            except MemoryReadError:
                continue
        return list(found.values())

    def _meant(self, frame: Frame) -> Iterator[int]:
        """What the variables of a frame mean, the globals that its code names, and the attributes
        of its ``self``."""
        variables = self._frames.variables(frame)
        yield from variables.values()
        namespace = self._objects.named(frame.namespace)
        owner = variables.get("self", 0)
        attributes = self._objects.attributes(owner) if owner else {}
        for name in frame.code.names:
            yield from (one for one in (namespace.get(name), attributes.get(name)) if one)

    def _word(self, manager: int, at: int) -> int:
        layout, memory = self._objects.layout, self._objects.memory
        return memory.u64(manager + layout.header + 8 * at)


@cache
def _words() -> Mapping[str, int]:
    """By type: the word that has the address."""
    path = Path(__file__).with_suffix(".json")
    return {one["type"]: one["word"] for one in json.loads(path.read_text()).values()}
