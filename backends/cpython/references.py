"""What frames refer to, and which way leads from one object to another.

Nothing is looked at before somebody asks, each object once per capture, and so many in sum: how
large a process is does not matter.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from enum import StrEnum

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.referents import Referents
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

STEPS = 3
"""How many attributes a way has, unless more are asked for."""
_MAX_VISITS = 300
"""Objects that are looked at for one way."""
_MOST_KEPT = 200
"""Objects of which it is kept what they lead to: some 60,000 ways."""
_MAX_MANAGERS = 50
"""Context managers that one `with` may stand for: those on an ExitStack, or behind a generator."""
_MAX_DEPTH = 5
_GENERATORS = ("contextlib._GeneratorContextManager", "contextlib._AsyncGeneratorContextManager")
_STACKS = ("contextlib.ExitStack", "contextlib.AsyncExitStack")


class How(StrEnum):
    """How a frame refers to an object."""

    WITH = "with"
    """It is inside of a `with` or `async with` whose manager that is, directly or on an ExitStack:
    leaving the block calls its ``__exit__``."""
    BEHIND_WITH = "behind-with"
    """A generator-based context manager that it is inside of has it in a variable, or a callback
    of an ExitStack does."""
    LOCAL = "local"
    """A variable, a cell, or ``self``."""
    STACK = "stack"
    """A slot of its evaluation stack. How high that is cannot be told of a frame that runs, so
    the slot may be stale, and the object gone."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One object that a frame refers to."""

    frame: Frame
    how: How
    name: str
    """The variable; empty for a manager or a slot of the stack."""
    address: int
    line: int | None = None
    """Of the ``with`` statement."""


class References:
    """Finds references in frames and objects of one interpreter."""

    def __init__(
        self, objects: Objects, frames: Frames, blocks: WithBlocks, codes: CodeReader
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._blocks = blocks
        self._containers = Containers(objects, codes)
        self._referents = Referents(objects, frames, self._containers)
        self._paths: dict[tuple[int, frozenset[int], int], tuple[str, ...] | None] = {}
        self._begun: set[tuple[int, int]] = set()
        """From where somebody walked, and how many steps at most."""
        self._reached: dict[tuple[int, int], dict[int, tuple[int, tuple[str, ...]]]] = {}

    # -- from frames ----------------------------------------------------------------------------

    def seen(self, frames: Iterable[Frame]) -> Iterator[Reference]:
        """Every object that each of *frames* refers to, the surest ways first.

        *frames*: of a thread, or those of a coroutine and what it awaits.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        for frame in frames:
            yield from self.entered(frame)
            for name, value in self._frames.variables(frame).items():
                yield Reference(frame, How.LOCAL, name, value)
            for value in dict.fromkeys(self._frames.stack_slots(frame)):
                bound = self._objects.bound_to(value) if value else 0
                for address in (value, bound):
                    if address:
                        yield Reference(frame, How.STACK, "", address)

    def entered(self, frame: Frame) -> Iterator[Reference]:
        """The managers of the ``with`` blocks that *frame* is inside of, outermost first, with
        what lies behind those that are made of others."""
        for block in self._blocks.of(frame):
            for how, name, address in self._behind(block.manager):
                yield Reference(frame, how, name, address, block.line)

    def _behind(self, manager: int) -> list[tuple[How, str, int]]:
        """A manager that was entered, and those that entering it entered."""
        found: list[tuple[How, str, int]] = []
        pending = [(manager, 0)]
        for here, depth in pending:
            found.append((How.WITH, "", here))
            if depth >= _MAX_DEPTH or len(pending) > _MAX_MANAGERS:
                continue
            try:
                inner, variables = self._within(here)
            except (MemoryReadError, LayoutError):
                continue
            pending += ((one, depth + 1) for one in inner)
            found += ((How.BEHIND_WITH, name, value) for name, value in variables)
        return found[: 4 * _MAX_MANAGERS]

    def _within(self, manager: int) -> tuple[list[int], list[tuple[str, int]]]:
        """The managers that lie in one that is made of others, and the variables there."""
        kind = self._objects.qualified_type(manager)
        attributes = self._objects.attributes(manager)
        if kind in _GENERATORS:
            frame = self._frames.suspended(attributes.get("gen", 0))
            if frame is None:
                return [], []
            inner = [block.manager for block in self._blocks.of(frame)]
            return inner, list(self._frames.variables(frame).items())
        if kind in _STACKS:
            entries = self._containers.sequence(attributes.get("_exit_callbacks", 0))
            parts = [part for one in entries for part in self._parts(one)]
            bound = [one for part in parts if (one := self._objects.bound_to(part))]
            others = [part for part in parts if self._objects.kind(part) == "function"]
            mentioned = [one for part in others for one in self._containers.mentioned(part)]
            return bound, [("", one) for one in mentioned]
        return [], []

    def _parts(self, entry: int) -> list[int]:
        """(is_sync, callable) from 3.7 on, before that the callable alone."""
        return self._containers.sequence(entry) or [entry]

    # -- from objects ---------------------------------------------------------------------------

    def referents(self, address: int) -> tuple[tuple[str, int], ...]:
        """What an object refers to, by name; empty for what cannot be read. Bounded.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        return self._referents.of(address)

    def attribute(self, address: int, *names: str) -> int:
        """The object at the end of a way of attributes, items or keys; 0: there is none."""
        for name in names:
            address = next((one for known, one in self.referents(address) if known == name), 0)
        return address

    def kind(self, address: int) -> str | None:
        """The name of the object's type; None: there is none. Never raises."""
        return self._objects.kind(address)

    def is_none(self, address: int) -> bool:
        """Whether the object is ``None``. Never raises."""
        return self._objects.kind(address) == "NoneType"

    def is_false(self, address: int) -> bool:
        """Whether the object is ``False``. Never raises."""
        with suppress(MemoryReadError):
            return self._objects.kind(address) == "bool" and not self._objects.integer(address)
        return False

    def walk(
        self, start: int, steps: int = STEPS, around: Collection[int] = ()
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """Objects in reach of *start*, nearest first, each with the way to it; first itself.

        *around*: objects that no way leads through, nor to.
        """
        reach = None if around else self._reach(start, steps)
        if reach is None:
            yield from self._walk(start, steps, around)
        else:
            yield from ((way, address) for address, (_, way) in reach.items())

    def _walk(
        self, start: int, steps: int, around: Collection[int]
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        seen = {start, *around}
        pending: list[tuple[tuple[str, ...], int]] = [((), start)]
        for way, address in pending:
            yield way, address
            if len(way) >= steps or len(seen) > _MAX_VISITS:
                continue
            for name, value in self.referents(address):
                if value not in seen:
                    seen.add(value)
                    pending.append(((*way, name), value))

    def _reach(self, start: int, steps: int) -> dict[int, tuple[int, tuple[str, ...]]] | None:
        """The objects in reach of *start*, nearest first, by address: the number of each, and the
        way to it. None: nobody walked from there before, and may stop on the way. What thousands
        of tasks share, a server's application, is walked once like that."""
        key = start, steps
        if key in self._reached:
            return self._reached[key]
        if key not in self._begun or len(self._reached) >= _MOST_KEPT:
            self._begun.add(key)
            return None
        walk = enumerate(self._walk(start, steps, ()))
        found = self._reached[key] = {address: (n, way) for n, (way, address) in walk}
        return found

    def find(
        self, start: int, wanted: Callable[[int], bool], steps: int = STEPS
    ) -> tuple[tuple[str, ...], int] | None:
        """The nearest object that is *wanted*, with the way to it; None: none is in reach."""
        return next((found for found in self.walk(start, steps) if wanted(found[1])), None)

    def path(
        self, start: int, goals: Collection[int], steps: int = STEPS
    ) -> tuple[str, ...] | None:
        """The shortest way of attributes from *start* to one of *goals*: empty if it is one.

        None: there is none of at most *steps* steps, or *start* leads to too many objects.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        key = (start, frozenset(goals), steps)
        if key not in self._paths:
            reach = self._reach(start, steps)
            if reach is None:
                found = self.find(start, key[1].__contains__, steps)
                self._paths[key] = None if found is None else found[0]
            else:
                nearest = min((reach[one] for one in key[1] if one in reach), default=None)
                self._paths[key] = None if nearest is None else nearest[1]
        return self._paths[key]
