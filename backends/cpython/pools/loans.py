"""Who has what a pool lends out, as frames and the pool's own records show it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import before_application, of_application
from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.generators import gone_over
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.pools.anchors import Anchor
from hangtui.backends.cpython.pools.lent_things import LentThings
from hangtui.backends.cpython.program_globals import NO_KEEPERS, program_globals
from hangtui.backends.cpython.references import References
from hangtui.dataclass import dataclass
from hangtui.model import OF_THREAD, SHARED, NodeId, clean, label_of

_MOST_BORROWERS = 1000
_KEPT_STEPS = 3
"""From a global variable to what was lent: a list, an entry of it, the connection there."""
_MOST_KEPT = 3

_Stacks = Mapping[NodeId, Sequence[Frame]]


class Sign(IntEnum):
    """What shows that somebody has it, the surest first."""

    RECORDED = 0
    """The pool names the task."""
    USING = 1
    """It is in a method of the pool's that has one meanwhile."""
    ENTERED = 2
    """Leaving a ``with`` gives it back."""
    REFERS = 3
    """A variable refers to it."""


@dataclass(frozen=True, slots=True)
class Loan:
    """One thing that is lent out, and one who seems to have it."""

    thing: int
    actor: NodeId
    sign: Sign
    steps: int
    frame: Frame | None = None
    line: int | None = None
    generator: str | None = None
    """The function of a suspended generator that the frame goes over, or keeps, if that has it."""

    @property
    def function(self) -> str | None:
        """Who has it, in words: ``sell``, or ``copy, over the generator read_rows``."""
        if self.frame is None:
            return None
        name = self.frame.code.bare_name
        return f"{name}, over the generator {self.generator}" if self.generator else name

    @property
    def where(self) -> str | None:
        """``app.py:12``, the line in which they have it."""
        if self.frame is None:
            return None
        name = self.frame.code.filename.rsplit("/", 1)[-1]
        line = self.line or self.frame.line
        return f"{name}:{line}" if line else name

    @property
    def rank(self) -> tuple[int, int]:
        """What speaks better for it is smaller."""
        return self.sign, self.steps


class Loans:
    """Finds who has what pools of one interpreter lend out."""

    def __init__(
        self,
        references: References,
        frames: Frames,
        containers: Containers,
        classes: Classes,
        objects: Objects,
    ) -> None:
        self._references = references
        self._frames = frames
        self._objects = objects
        self._containers = containers
        self._classes = classes

    def of(
        self,
        anchor: Anchor,
        stacks: _Stacks,
        waiters: Collection[NodeId],
        tasks: Mapping[int, NodeId],
        out: int | None,
    ) -> list[Loan]:
        """For each thing that is lent out, who seems to have it: the best sign alone counts.

        *stacks*: frames of threads and tasks; *waiters*: those that wait for the pool; *tasks*:
        node ids by the address of the task; *out*: how many are out, if that is known: variables
        are looked through only for what nothing better shows.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        search = LentThings(anchor, self._references, self._classes, self._containers)
        recorded = [self._recorded(one, tasks[one], stacks, anchor) for one in search.take(tasks)]
        found = recorded + [
            loan
            for actor in stacks
            for loan in self._shown(actor, stacks, search, actor in waiters)
        ]
        if out is None or len({loan.thing for loan in found}) < out:
            search.common = self._common(stacks, search)
            for actor in stacks:
                found += self._referring(actor, stacks, search, actor in waiters)
                found += self._in_generators(actor, stacks, search, actor in waiters)
        best: dict[int, tuple[int, int]] = {}
        for loan in found:
            best[loan.thing] = min(loan.rank, best.get(loan.thing, loan.rank))
        chosen = [loan for loan in found if loan.rank == best[loan.thing]]
        return list({(loan.thing, loan.actor): loan for loan in chosen}.values())

    def on_behalf(
        self, anchor: Anchor, stacks: _Stacks, tasks: Mapping[int, NodeId]
    ) -> tuple[str, ...]:
        """For what a pool records that it lent something out that is no task and no thread:
        ``Session (alice)``, type and variable. Whoever refers to that need not have taken it.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        search = LentThings(anchor, self._references, self._classes, self._containers)
        left = sorted(search.others(tasks))[:_MOST_BORROWERS]
        names: dict[int, str] = {}
        for frames in stacks.values() if left else ():
            for frame in frames:
                if not frame.in_library:
                    for name, value in self._frames.variables(frame).items():
                        names.setdefault(value, name)
        return tuple(
            label_of(search.title(one), clean(names[one], 80) if one in names else None)
            for one in left
        )

    def kept_by_threads(
        self, anchor: Anchor, shown: Collection[int], values: Iterable[tuple[str, int]]
    ) -> tuple[str, ...]:
        """Threads by name to whose thread-locals, *values*, the same is attached.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        search = LentThings(anchor, self._references, self._classes, self._containers)
        found = (
            name for name, value in values if any(t not in shown for t, _ in search.things(value))
        )
        return tuple(dict.fromkeys(f"{OF_THREAD}{name}" for name in found))

    def kept(
        self, anchor: Anchor, stacks: _Stacks, shown: Collection[int], objects: Objects
    ) -> tuple[str, ...]:
        """Global variables of the program that lead to what else is lent out, which no frame refers
        to alone: ``open_reports (main.py)``; and variables that several actors share.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        search = LentThings(anchor, self._references, self._classes, self._containers)
        every = (frame for frames in stacks.values() for frame in frames)
        found: dict[str, None] = {}
        common = ((label, value) for value, label in self._common(stacks, search).items())
        kept = (one for one in common if objects.kind(one[1]) not in NO_KEEPERS)
        for label, value in (*program_globals(every, objects), *kept):
            if value == anchor.address or (found and label.startswith(SHARED)):
                continue  # the same by another name
            things = search.things(value)
            if any(one not in shown and steps <= _KEPT_STEPS for one, steps in things):
                found[label] = None
        return tuple(found)[:_MOST_KEPT]

    def _recorded(self, task: int, actor: NodeId, stacks: _Stacks, anchor: Anchor) -> Loan:
        """A *task* that the pool names, with the ``with`` of the pool that it is inside of."""
        for frame, own in self._looked_at(stacks.get(actor, ()), anchor, waits=False):
            for one in self._references.entered(frame):
                if one.address == anchor.address:
                    line = one.line if own is frame else own.line
                    return Loan(task, actor, Sign.RECORDED, 0, own, line)
        return Loan(task, actor, Sign.RECORDED, 0)

    def _shown(
        self, actor: NodeId, stacks: _Stacks, search: LentThings, waits: bool
    ) -> Iterator[Loan]:
        """What an actor is in the midst of using, or gives back at the end of a ``with``.

        *waits*: what the pool's own call has in hand then is not lent out yet.
        """
        unknown = waits and search.anchor.known is None
        asking = self._asking(stacks[actor]) - {search.anchor.address} if unknown else ()
        for frame, own in self._looked_at(stacks[actor], search.anchor, waits):
            if self._using(frame, search.anchor):
                yield Loan(frame.address, actor, Sign.USING, 0, own, own.line)
                continue
            for one in self._references.entered(frame):
                if one.address in asking:
                    continue
                line = one.line if own is frame else own.line
                for thing, steps in search.entered(one):
                    sign = Sign.ENTERED if search.gives_back(one, steps) else Sign.REFERS
                    yield Loan(thing, actor, sign, steps, own, line)

    def _referring(
        self, actor: NodeId, stacks: _Stacks, search: LentThings, waits: bool
    ) -> Iterator[Loan]:
        """What variables of an actor lead to, but by objects that others refer to as well."""
        for frame, own in self._looked_at(stacks[actor], search.anchor, waits):
            for value in dict.fromkeys(self._frames.variables(frame).values()):
                for thing, steps in search.things(value):
                    yield Loan(thing, actor, Sign.REFERS, steps, own, own.line)

    def _common(self, stacks: _Stacks, search: LentThings) -> Mapping[int, str]:
        """What variables of several actors refer to that is none of the pool's library, as a list
        that they share: who refers to that need have nothing of what is in it. By address its name
        and file."""
        met = dict[int, tuple[NodeId, str]]()
        found = dict[int, str]()
        for actor, frames in stacks.items():
            for frame in filter(of_application, frames):
                file = frame.code.filename.rsplit("/", 1)[-1]
                for name, value in self._frames.variables(frame).items():
                    of = search.title(value) if name == "self" else clean(name, 80)
                    label = f"{SHARED}{of} ({file})"
                    first, label = met.setdefault(value, (actor, label))
                    if first != actor and not search.of_library(value):
                        found[value] = label
        return found

    def _in_generators(
        self, actor: NodeId, stacks: _Stacks, search: LentThings, waits: bool
    ) -> Iterator[Loan]:
        """What variables of suspended generators lead to that the application goes over: a loop
        over the rows of a query has its connection until they are all read."""
        for frame, own in self._looked_at(stacks[actor], search.anchor, waits):
            for inner in gone_over(frame, self._frames, self._objects) if own is frame else ():
                values = (one.address for one in self._references.entered(inner))
                for value in dict.fromkeys((*values, *self._frames.variables(inner).values())):
                    for thing, steps in search.things(value):
                        function = inner.code.function
                        yield Loan(thing, actor, Sign.REFERS, steps, own, own.line, function)

    def _looked_at(
        self, frames: Sequence[Frame], anchor: Anchor, waits: bool
    ) -> Iterator[tuple[Frame, Frame]]:
        """The frames that can have something, each with that of the application that called it."""
        begin = self._calling(frames, anchor) if waits else self._until_back(frames, anchor)
        for index, frame in enumerate(frames[begin:], begin):
            if not frame.in_library:
                yield frame, next(filter(of_application, frames[index:]), frame)

    def _calling(self, frames: Sequence[Frame], anchor: Anchor) -> int:
        """The index of the frame that called the pool's acquiring method; 0: none did."""
        names = anchor.known.acquire if anchor.known else ()
        found = self._until_back(frames, anchor)
        for index, frame in enumerate(frames, 1):
            own = self._owner(frame) == anchor.address
            # Its caller may be another method of the pool's, which has nothing yet either.
            if own and (frame.code.bare_name in names or index == found + 1 > 1):
                found = index
        return found

    def _until_back(self, frames: Sequence[Frame], anchor: Anchor) -> int:
        """The same of a method, be it of a part of the pool, that waits until all is back: it looks
        through what others have."""
        names = anchor.known.returned if anchor.known else ()
        codes = [frame.code for frame in frames] if names else []
        back = [one.bare_name in names and one.filename == anchor.file for one in codes]
        return max((index for index, does in enumerate(back, 1) if does), default=0)

    def _asking(self, frames: Sequence[Frame]) -> set[int]:
        """The objects of the library that ask the pool now: where it is not known what these have
        of it, they are no sign that they have something already."""
        return {self._owner(frame) for frame in before_application(frames)} - {0}

    def _using(self, frame: Frame, anchor: Anchor) -> bool:
        names = anchor.known.using if anchor.known else ()
        return frame.code.bare_name in names and self._owner(frame) == anchor.address

    def _owner(self, frame: Frame) -> int:
        return self._frames.variables(frame).get("self", 0)
