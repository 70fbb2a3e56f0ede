"""Suspended generators that frames refer to: what one of them has entered, it keeps.

``with lock:`` around a ``yield`` keeps the lock for as long as nobody asks for the next item, and
no thread's stack shows that. Whoever has the generator in a local variable, or loops over it, is
the one who can go on with it, or close it; who began one that an attribute keeps is not known.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.with_blocks import WithBlock, WithBlocks
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass

_KINDS = ("generator", "async_generator")
_LEAVES = frozenset(
    {"int", "str", "float", "bool", "NoneType", "bytes", "type", "module", "code", "function"}
)
_STEPS = 2
_LISTED = frozenset({"list", "tuple"})
_IN_LISTS = 2
"""Steps from a list: to its items, and to those of a tuple in it."""
_NESTED = 4
"""Generators that go over one another."""
_MAX_FRAMES = 2_000
"""Whose variables are looked at, in sum over a process."""


@dataclass(frozen=True, slots=True)
class Suspended:
    """A block that a suspended generator is inside of."""

    keeper: int
    """The thread, or the task, whose frames refer to it."""
    frame: Frame
    """Of the generator."""
    block: WithBlock
    direct: bool
    """Whether a local variable of the keeper's, or a loop of its, has the generator."""

    @property
    def has_it(self) -> str:
        """What has what the block entered."""
        return (
            f"the generator {self.frame.code.function} has it, which is suspended at "
            f"{self.frame.place} inside of `with`"
        )

    @property
    def text(self) -> str:
        """How it is known who has it."""
        return f"it goes over a generator, or keeps it: {self.has_it}"


def gone_over(frame: Frame, frames: Frames, objects: Objects) -> Iterator[Frame]:
    """The frames of suspended generators that *frame* goes over, or has in a variable, and of those
    that these go over in turn, outermost first. Never raises but for a spent budget."""
    pending = [(frame, 0)]
    seen = {frame.address}
    for here, depth in pending:
        values = (*frames.stack_slots(here), *frames.variables(here).values())
        generators = (one for one in values if one and objects.kind(one) in _KINDS)
        for value in dict.fromkeys(generators):
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                inner = frames.suspended(value)
                if inner is None or not inner.plausible or inner.address in seen:
                    continue
                seen.add(inner.address)
                yield inner
                if depth < _NESTED:
                    pending.append((inner, depth + 1))


def _own_and_callers(frames: tuple[Frame, ...]) -> list[Frame]:
    """The frames of the application, and those of packages that have called it, innermost first."""
    own = [not frame.in_library and not frame.installed for frame in frames]
    first = own.index(True) if any(own) else len(frames)
    return [
        frame
        for frame, is_own in zip(frames[first:], own[first:], strict=True)
        if is_own or frame.installed
    ]


class Generators:
    """Finds them from frames of one interpreter."""

    def __init__(
        self, objects: Objects, frames: Frames, blocks: WithBlocks, references: References
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._blocks = blocks
        self._references = references

    def blocks(self, stacks: Mapping[int, tuple[Frame, ...]]) -> list[Suspended]:
        """What suspended generators have entered that threads or tasks keep; of each the first who
        does. Never raises but for a spent budget.

        *stacks*: frames by thread or task, innermost first.
        """
        running = {frame.address for frames in stacks.values() for frame in frames}
        found: list[Suspended] = []
        seen: set[tuple[int, bool]] = set()
        left = _MAX_FRAMES
        for keeper, frames in stacks.items():
            looked = _own_and_callers(frames)[:left]
            for frame in looked:
                for generator, direct in self._reached(frame).items():
                    if (generator, direct) not in seen:
                        seen.add((generator, direct))
                        found += self._inside(keeper, generator, running, direct=direct)
            left = max(0, left - len(looked))
        return found

    def _reached(self, frame: Frame) -> dict[int, bool]:
        """The generators that a frame leads to, and whether it has each itself."""
        found: dict[int, bool] = {}
        search = self._listed if frame.installed else self._search
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            for generator, direct in search(frame):
                found[generator] = found.get(generator, False) or direct
        return found

    def _listed(self, frame: Frame) -> Iterator[tuple[int, bool]]:
        """Those of a package's function, in its variables and in lists that these are: it has begun
        them, and goes on with them when what it calls now has returned."""
        for value in set(self._frames.variables(frame).values()):
            kind = self._objects.kind(value) if value else None
            if kind in _KINDS:
                yield value, True
            elif kind in _LISTED:
                for _, address in self._references.walk(value, _IN_LISTS):
                    if self._objects.kind(address) in _KINDS:
                        yield address, True

    def _search(self, frame: Frame) -> Iterator[tuple[int, bool]]:
        local = set(self._frames.variables(frame).values())
        names = self._objects.named(frame.namespace)
        named = {names[name] for name in frame.code.names if name in names}
        for value in (*self._frames.stack_slots(frame), *local):
            if value and self._objects.kind(value) in _KINDS:
                yield value, True
        for start in local | named:
            if self._objects.kind(start) in _LEAVES:
                continue
            for way, address in self._references.walk(start, _STEPS):
                if (way or start not in local) and self._objects.kind(address) in _KINDS:
                    yield address, False

    def _inside(
        self, keeper: int, generator: int, running: set[int], *, direct: bool, depth: int = 0
    ) -> list[Suspended]:
        """The blocks of one that waits to be resumed, and of those that it goes over itself;
        nothing of one that runs, or has ended."""
        try:
            with foreign_data():
                frame = self._frames.suspended(generator)
                if frame is None or frame.address in running or not frame.plausible:
                    return []
                found = [Suspended(keeper, frame, one, direct) for one in self._blocks.of(frame)]
                loops = self._frames.stack_slots(frame) if depth < _NESTED else ()
                for inner in loops:
                    if inner and self._objects.kind(inner) in _KINDS:
                        found += self._inside(
                            keeper, inner, running, direct=direct, depth=depth + 1
                        )
                return found
        except (DamagedDataError, MemoryReadError):
            return []
