"""Looks through all stacks of a process for those who could end waits."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.callees import Callees, Reach, Wanted
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Complement, Nearness, NodeId

_ORDER = tuple(Nearness)
_CALLING = frozenset({"run"})
"""Functions of the standard library that go on to call the program: ``threading.Timer.run``."""


class Found(NamedTuple):
    """A thread or task that could end a wait."""

    candidate: NodeId
    target: int
    nearness: Nearness
    complement: Complement
    call: str | None = None
    line: str | None = None


class Search:
    """One look through the stacks of one process."""

    def __init__(self, python: PythonReader, wanted: Wanted) -> None:
        objects = python.objects
        codes = CodeReader(objects)
        containers = Containers(objects, codes)
        references = References(objects, python.frames, python.blocks, codes)
        values = Values(objects, python.frames, references, containers)
        bytecode = Bytecode(objects.layout.version, objects.memory.spent)
        mentions = Mentions(bytecode, objects.memory.spent)
        self._frames = python.frames
        self._blocks = python.blocks
        self._wanted = wanted
        self._names = frozenset(name for names in wanted.values() for name in names)
        self._near = Near(wanted, objects, references)
        self._values = values
        self._callees = Callees(wanted, codes, mentions, values, self._near)
        self.whole = False
        """Whether it came to its end, and left nothing out."""

    def run(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], waiting: Collection[tuple[NodeId, int]]
    ) -> Iterator[Found]:
        """Everybody who could, each once for each wait. *waiting*: who waits for what
        for good: none of these ends the wait of another."""
        try:
            for candidate, frames in stacks.items():
                for found in self._of(candidate, frames):
                    if (candidate, found.target) not in waiting:
                        yield found
        except BudgetSpentError:
            return
        self.whole = self._near.whole

    def _of(self, candidate: NodeId, frames: tuple[Frame, ...]) -> Iterator[Found]:
        best: dict[int, Found] = {}
        for depth, frame in enumerate(frames):
            called = frames[depth - 1] if depth else None
            for found in self._of_frame(candidate, frame, called):
                known = best.get(found.target)
                nearer = known is None or _rank(found) < _rank(known)
                if nearer:
                    best[found.target] = found
        yield from best.values()

    def _of_frame(self, candidate: NodeId, frame: Frame, called: Frame | None) -> Iterator[Found]:
        name = frame.code.function.rpartition(".")[2]
        if frame.in_library and name not in self._names and name not in _CALLING:
            return
        variables = self._frames.variables(frame)
        inside = self._inside(frame, variables.get("self", 0))
        if inside is not None:
            yield Found(candidate, variables["self"], Nearness.IN, inside, frame.code.function)
            return
        known = frozenset[int]()
        if not frame.in_library:
            known = self._referred(frame, variables.values())
            for target in known:
                complement = next(iter(self._wanted[target].values()))
                yield Found(candidate, target, Nearness.REFERS, complement)
        exits = [block.exit_method for block in self._blocks.of(frame)]
        for reach in self._callees.ahead(frame, called, exits, known):
            yield _ahead(candidate, reach)

    def _inside(self, frame: Frame, owner: int) -> Complement | None:
        """Which method of what is waited for a frame runs, if that ends the wait."""
        if owner not in self._wanted:
            return None
        return self._wanted[owner].get(frame.code.function.rpartition(".")[2])

    def _referred(self, frame: Frame, values: Collection[int]) -> frozenset[int]:
        found = frozenset[int]().union(*map(self._near.targets, values))
        try:
            namespace = self._values.frame(frame).namespace
        except MemoryReadError:
            return found
        named = (namespace[name] for name in frame.code.names if name in namespace)
        return found.union(*(self._near.targets(value) for value in named))


def _ahead(candidate: NodeId, reach: Reach) -> Found:
    return Found(candidate, reach.target, Nearness.AHEAD, reach.complement, reach.text, reach.line)


def _rank(found: Found) -> int:
    return _ORDER.index(found.nearness)
