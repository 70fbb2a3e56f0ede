"""Looks through all stacks of a process for those who could end waits."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.callees import Callees
from hangtui.backends.cpython.wakers.complements import CLOSES
from hangtui.backends.cpython.wakers.elsewhere import Elsewhere
from hangtui.backends.cpython.wakers.frame_search import Found, FrameSearch
from hangtui.backends.cpython.wakers.getters import Getters
from hangtui.backends.cpython.wakers.iterated import Iterated
from hangtui.backends.cpython.wakers.kept import KeptCalls
from hangtui.backends.cpython.wakers.later import Later
from hangtui.backends.cpython.wakers.library_frames import is_primitive
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.own_items import OwnItems
from hangtui.backends.cpython.wakers.own_queue import OwnQueues
from hangtui.backends.cpython.wakers.reach import Reach
from hangtui.backends.cpython.wakers.receivers import Wanted
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.cpython.wakers.written import Lines, Written
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import Complement, Nearness, NodeId, NodeKind, OwnQueue

_ENTERS = ("__aenter__", "__enter__")
_ORDER = tuple(Nearness)
_GIVEN_BACK = frozenset({Complement.RELEASE, Complement.PUT, Complement.NOTIFY})
"""How what was taken before is: a unit, an item, a place that others are told of."""


class Search:
    """One look through the stacks of one process."""

    def __init__(self, python: PythonReader, wanted: Wanted) -> None:
        objects = python.objects
        codes = CodeReader(objects)
        containers = Containers(objects, codes)
        references = References(objects, python.frames, python.blocks, codes)
        bytecode = Bytecode(objects.layout.version, objects.memory.spent)
        mentions = Mentions(bytecode, objects.memory.spent)
        getters = Getters(objects, codes, bytecode, mentions)
        values = Values(objects, python.frames, references, containers, getters.of)
        self._frames = python.frames
        self._codes = codes
        self._values = values
        self._near = Near(wanted, objects, references)
        self._callees = Callees(wanted, codes, mentions, values, self._near)
        self._frame_search = FrameSearch(
            python,
            wanted,
            self._callees,
            values,
            self._near,
            containers,
            Iterated(objects, python.frames, containers, codes, mentions),
        )
        self._written = Written(
            values,
            codes,
            self._callees,
            Elsewhere(objects, values, Near(wanted, objects, references)),
        )
        self._items = OwnItems(values, mentions)
        self._queues = OwnQueues(values, codes, mentions, self._near)
        self.later = Later(self._callees, mentions)
        """Looks for calls that are to come."""
        self._kept = KeptCalls(objects, codes, values, mentions, self._near, wanted)
        self.whole = False
        """Whether it came to its end, and left nothing out."""

    def run(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], waiting: Collection[tuple[NodeId, int]]
    ) -> Iterator[Found]:
        """Everybody who could, each once for each wait. Never raises.

        *waiting*: who waits for what for good: none of these ends the wait of another. They count
        only where that is what is wrong: the readers of a full queue wait for room in it. Who sets
        an event after its own wait for that is told of as such.
        """
        found: list[Found] = []
        alone: set[int] = set()
        damaged = spent = False
        self._frame_search.begun = self._begun(stacks)
        for candidate, frames in stacks.items():
            try:
                with foreign_data():
                    for one in self._of(candidate, frames):
                        if (candidate, one.target) not in waiting or _own(one):
                            found.append(one)
                        else:
                            found += self._of_who_waits(one, frames, alone)
            except DamagedDataError:
                damaged = True
            except BudgetSpentError:
                spent = True
                break
        for one in found:
            if one.target not in alone or one.nearness is not Nearness.REFERS:
                yield one
        self.whole = self._near.whole and not damaged and not spent

    def _of_who_waits(
        self, found: Found, frames: tuple[Frame, ...], alone: set[int]
    ) -> Iterator[Found]:
        """What it tells that who waits for something ends such waits itself. *alone*: what nobody
        else is meant to end."""
        if self._gives_back(found, frames):
            yield found._replace(gives_back=True)
        elif reach := self._by_itself(found, frames):
            yield found._replace(call=reach.text, line=reach.line, within=reach.within)
            if self._of_its_library(found, frames):
                alone.add(found.target)
        else:
            yield from _afterwards(found)

    def _begun(self, stacks: Mapping[NodeId, tuple[Frame, ...]]) -> frozenset[int]:
        """The code of all coroutines that tasks run. Never raises."""
        tasks = (frames for one, frames in stacks.items() if one.kind is NodeKind.TASK)
        codes = {frame.code.address: frame.code for frames in tasks for frame in frames}
        try:
            with foreign_data():
                return frozenset(at for at, one in codes.items() if self._codes.is_coroutine(one))
        except (DamagedDataError, BudgetSpentError):
            return frozenset()

    def written(
        self,
        stacks: Mapping[NodeId, tuple[Frame, ...]],
        waiting: Collection[tuple[NodeId, int]],
        attributes: Mapping[int, str],
    ) -> Mapping[int, Lines]:
        """The functions whose code would end waits, of what *stacks* run. *attributes*: of what
        object's attribute that is which is waited for. Never raises."""
        try:
            with foreign_data():
                return self._written.of(stacks, waiting, attributes)
        except (DamagedDataError, BudgetSpentError):
            return {}

    def own_queues(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], waiting: Collection[tuple[NodeId, int]]
    ) -> Mapping[int, OwnQueue]:
        """What lies in a queue that only who waits for it takes from. Never raises."""
        try:
            with foreign_data():
                return self._queues.of(stacks, waiting)
        except (DamagedDataError, BudgetSpentError):
            return {}

    def own_items(
        self,
        stacks: Mapping[NodeId, tuple[Frame, ...]],
        joins: Collection[tuple[NodeId, int]],
    ) -> Collection[tuple[NodeId, int]]:
        """Who waits until a queue is done of which it has an item itself. Never raises."""
        try:
            with foreign_data():
                return self._items.of(stacks, joins)
        except (DamagedDataError, BudgetSpentError):
            return ()

    def kept(
        self, targets: Collection[int], lists: GcLists, frames: Iterable[Frame]
    ) -> frozenset[int]:
        """Those of *targets* for which a call is kept that would end the wait, or may be. Never
        raises."""
        try:
            with foreign_data():
                return self._kept.of(targets, lists, frames)
        except (DamagedDataError, BudgetSpentError):
            return frozenset(targets)

    def ended(self, frames: Iterable[Frame]) -> frozenset[int]:
        """What frames that an exception has left would have ended waits for. Never raises."""
        found: set[int] = set()
        try:
            with foreign_data():
                for frame in frames:
                    if not is_primitive(frame):
                        found |= {reach.target for reach in self._callees.whole(frame)}
        except (DamagedDataError, BudgetSpentError):
            pass
        return frozenset(found)

    def gives_back(self, candidate: NodeId, frames: tuple[Frame, ...], target: int) -> bool:
        """Whether who waits for something gives it back afterwards: by its own code, or because a
        `with` takes it. Never raises."""
        if any(frame.code.bare_name in _ENTERS for frame in frames):
            return True
        try:
            with foreign_data():
                return any(
                    one.target == target and one.nearness is Nearness.AHEAD
                    for one in self._of(candidate, frames)
                )
        except (DamagedDataError, BudgetSpentError):
            return False

    def _gives_back(self, found: Found, frames: tuple[Frame, ...]) -> bool:
        """Whether who is inside a ``with`` gives back at its end what it waits for, while it enters
        the like once more; or notifies those who wait as it does, to enter another ``with``."""
        if not found.leaving or found.complement not in _GIVEN_BACK:
            return False
        return found.nearness is Nearness.AHEAD and any(
            found.leaving == frame.code.address
            or (
                frame.code.bare_name in _ENTERS
                and (
                    found.complement is Complement.NOTIFY
                    or found.leaving
                    == self._values.type_of(self._frames.variables(frame).get("self", 0))
                )
            )
            for frame in frames
        )

    def _by_itself(self, found: Found, frames: tuple[Frame, ...]) -> Reach | None:
        """Where what it waits for is set further out on its own stack, by a function which goes
        on only once the wait has ended: by that itself. What a loop calls next time says nothing
        of this event, but much of a future, whose result is set once, or of the end of a channel
        that lies among those which wait for answers: a reader of answers that awaits one. A new
        call of the very function that waits would come to that wait first."""
        result = _gives_result(found.complement, found.call)
        if not (result or found.complement in (Complement.SET, Complement.PUT)):
            return None
        if found.nearness is not Nearness.AHEAD:
            return None
        own = [(i, frame) for i, frame in enumerate(frames) if not is_primitive(frame)]
        reaches = (
            reach
            for i, frame in own[1:]
            for reach in self._callees.ahead(frame, frames[i - 1], (), self._has(frame, result))
            if found.target == reach.target
            and reach.within != own[0][1].code.function
            and (reach.kept or (reach.within is None and found.complement is not Complement.PUT))
            and (not result or _gives_result(reach.complement, reach.text))
        )
        return next(reaches, None)

    def _has(self, frame: Frame, result: bool) -> frozenset[int]:
        """What is waited for that a frame refers to: a loop over them sets the *result* of each."""
        return self._frame_search.referred(frame) if result else frozenset()

    def _of_its_library(self, found: Found, frames: tuple[Frame, ...]) -> bool:
        """Whether a method of a library waits for what another method of the same object sets, as
        ``shutdown`` of socketserver does for ``serve_forever``, below it on the stack. Nobody else
        is meant to set it, whoever refers to it."""
        inner, *outer = (frame for frame in frames if not is_primitive(frame))
        owner = self._frames.variables(inner).get("self", 0)
        name = inner.code.filename
        line = (found.line or "").rpartition(":")[0]
        return bool(owner and inner.in_library and line == inner.code.file) and any(
            frame.code.filename == name and self._frames.variables(frame).get("self") == owner
            for frame in outer
        )

    def _of(self, candidate: NodeId, frames: tuple[Frame, ...]) -> list[Found]:
        best: dict[int, Found] = {}
        for depth, frame in enumerate(frames):
            called = frames[depth - 1] if depth else None
            for found in self._frame_search.of(candidate, frame, called):
                _keep(best, found)
        for found in self._frame_search.after(candidate):
            _keep(best, found)
        return list(best.values())


def _gives_result(complement: Complement, call: str | None) -> bool:
    """Whether it is a result that it ends waits with. An error, or the end of the wait, is what
    whoever waits may be on the way to as well, for the case that no result comes."""
    return complement is Complement.SET_RESULT and (call or "").endswith("set_result")


def _own(found: Found) -> bool:
    ends = found.complement in (Complement.GET, Complement.TASK_DONE)
    return ends and found.nearness is Nearness.AHEAD


def _afterwards(found: Found) -> Iterator[Found]:
    """What who waits for an event itself does once that wait is over: it sets it."""
    if found.complement is Complement.SET and found.nearness is Nearness.AHEAD:
        yield found._replace(nearness=Nearness.AFTER)


def _keep(best: dict[int, Found], found: Found) -> None:
    """The nearest of each target."""
    known = best.get(found.target)
    if known is None or _rank(found) < _rank(known):
        best[found.target] = found


def _rank(found: Found) -> tuple[int, bool]:
    """The best first: by how near it is, then what the end of a ``with`` does, which is known."""
    return _ORDER.index(found.nearness), not (found.leaving or found.call in CLOSES)
