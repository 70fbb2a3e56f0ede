"""The pool or limiter that a wait is for: the object of a library that owns what is waited on."""

import re
from collections.abc import Iterator, Sequence

from hangtui.backends.cpython.application import before_application
from hangtui.backends.cpython.classes import Classes, in_package
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.libraries import LibraryResource, by_class
from hangtui.backends.cpython.pools.records import Records
from hangtui.backends.cpython.references import References
from hangtui.dataclass import dataclass
from hangtui.model import NodeKind

_FRAMES = 30
"""Innermost frames in which the library's call is looked for."""
_STEPS = 3
"""From a pool to the condition, event or future that somebody waits on in it, or to an object in
a method of which that happens: its list of waiters, the entry, the event within."""
_LENDS = re.compile(r".*(?:Pool|Limiter)", re.DOTALL)
"""What classes are called that lend something out."""
LOCKS = re.compile(r".*(?:Lock|Mutex)", re.DOTALL)
"""What classes are called that let somebody in; they lend something only if they record whom."""
_TAKES = re.compile(
    r"_*a?(?:get|acquire|borrow|take|lease|check_?out|connect|reserve|obtain|request|enter|open|pop"
    r"|submit|spawn)",
)
"""How the functions begin by which such a class is asked for it; a pool of workers has others, in
which these wait for work, or somebody for their end."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A pool or limiter that somebody waits for."""

    address: int
    name: str
    """Of its class."""
    module: str
    known: LibraryResource | None
    """None: what its library is like is not known."""
    file: str
    """Of the library's frame that waits."""
    returned: bool = False
    """It waits until nothing is out, rather than for something that is lent."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """An object that leads to what is waited on."""

    address: int
    frames: Sequence[Frame]
    """From its method on outwards."""
    way: Sequence[str]
    """By which attributes."""


class Anchors:
    """Finds pools of one interpreter from the frames that wait."""

    def __init__(
        self, references: References, frames: Frames, classes: Classes, records: Records
    ) -> None:
        self._references = references
        self._frames = frames
        self._classes = classes
        self._records = records
        self._near: dict[int, list[tuple[int, LibraryResource]]] = {}

    def of(self, frames: Sequence[Frame], awaited: int) -> Anchor | None:
        """The pool by whose call *frames* came to wait on *awaited*; None: there is none.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if not any(frame.installed for frame in frames[:_FRAMES]):
            return None  # most waits are none within a library: these cost nothing more
        owners = []
        inner: Anchor | None = None
        for owner in self._owners(frames[:_FRAMES], awaited):
            known = self.known(owner.address)
            if known is not None and _through_lent(owner.way, known):
                return inner
            if known is not None and known.kind is NodeKind.POOL:
                return self._anchor(owner.address, known, owner.frames[0])
            if known is not None:
                # What is a part of a pool is told as that.
                inner = inner or self._anchor(owner.address, known, owner.frames[0])
            owners.append(owner)
        return inner or self._behind(frames, awaited) or self._unknown(owners)

    def _owners(self, frames: Sequence[Frame], awaited: int) -> Iterator[_Owner]:
        """The objects in whose methods *frames* are and that lead to what is waited on."""
        goals = {awaited}
        for index, frame in enumerate(frames):
            owner = self._self(frame)
            way = self._references.path(owner, goals, _STEPS) if owner else None
            if way is not None:
                goals.add(owner)
                yield _Owner(owner, frames[index:], way)

    def polled(self, frames: Sequence[Frame]) -> Anchor | None:
        """The pool in whose acquiring method the innermost frames are, where they wait on no
        object of its."""
        for frame in frames[:3]:
            owner = self._self(frame) if frame.installed else 0
            known = self.known(owner)
            if known is not None and frame.code.bare_name in known.acquire:
                return self._anchor(owner, known, frame)
        return None

    def known(self, address: int) -> LibraryResource | None:
        """What is known of a pool or limiter; None: the object is none that is known."""
        for module, name in self._classes.of(address) if address else ():
            for resource in by_class().get(name, ()):
                if in_package(module, resource.package):
                    return resource
        return None

    def _behind(self, frames: Sequence[Frame], awaited: int) -> Anchor | None:
        """Its own frames are not on the stack: they are in a greenlet that the library suspended,
        while its caller waits. An object of the library leads to it."""
        for frame in frames[:_FRAMES]:
            owner = self._self(frame) if frame.installed else 0
            package = self._classes.package(owner) if owner else None
            if not any(one.package == package for known in by_class().values() for one in known):
                continue
            for address, known in self._pools_near(owner):
                way = self._references.path(address, {awaited}, _STEPS)
                if way is not None and not _through_lent(way, known):
                    return self._anchor(address, known, frame)
        return None

    def _pools_near(self, owner: int) -> list[tuple[int, LibraryResource]]:
        """The pools and limiters that an object leads to."""
        near = self._near.get(owner)
        if near is None:
            found = ((one, self.known(one)) for _, one in self._references.walk(owner))
            near = self._near[owner] = [(one, known) for one, known in found if known is not None]
        return near

    def _unknown(self, owners: Sequence[_Owner]) -> Anchor | None:
        """A class of an installed package that is called a pool, and was asked by somebody."""
        for owner in owners:
            classes = self._classes.of(owner.address)
            name = classes[0][1] if classes else ""
            locks = LOCKS.fullmatch(name) is not None
            lends = locks or _LENDS.fullmatch(name) is not None
            if lends and owner.frames[0].installed and _is_asked(owner.frames):
                calls = (frame.code.bare_name for frame in before_application(owner.frames))
                look = self._records.inside if locks else self._records.of
                known = look(owner.address, filter(_TAKES.match, calls))
                if known or not locks:
                    return self._anchor(owner.address, known, owner.frames[0])
        return None

    def _anchor(self, address: int, known: LibraryResource | None, frame: Frame) -> Anchor:
        module, name = self._classes.of(address)[0]
        returned = known is not None and frame.code.bare_name in known.returned
        return Anchor(address, name, module, known, frame.code.filename, returned)

    def _self(self, frame: Frame) -> int:
        return self._frames.variables(frame).get("self", 0)


def _through_lent(way: Sequence[str], known: LibraryResource) -> bool:
    """Whether a way from a pool leads through what it has lent out: who has that waits for what
    comes by it, not for the pool."""
    lent = {term.way[0] for term in known.out if term.of == "len" and term.sign > 0}
    return bool(way) and any(way[0].startswith(name) for name in lent)


def _is_asked(frames: Sequence[Frame]) -> bool:
    """Whether the application called the first of *frames*, by a function that takes something."""
    calls = before_application(frames)
    return len(calls) < len(frames) and any(_TAKES.match(frame.code.bare_name) for frame in calls)
