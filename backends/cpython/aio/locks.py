"""Which task holds which lock of asyncio.

Neither ``asyncio.Lock`` nor ``asyncio.Semaphore`` records who has taken it. That a task holds one
follows from the ``async with`` that one of its frames is inside of, as for threads: the lock must
be locked, no other task may be inside such a block on it, and the function must not have been able
to release it early.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.aio.lock_states import LockStates
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.traces import Traces
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind

_MAX_DEPTH = 5
_MAX_VISITS = 1000
"""Managers that are looked behind for one that a frame entered: wrappers may contain each other."""


@dataclass(frozen=True, slots=True)
class TaskHold:
    """One task's hold of one lock of asyncio."""

    lock: int
    kind: NodeKind
    type_name: str
    task: int
    certainty: Certainty
    text: str
    where: str | None


@dataclass(frozen=True, slots=True)
class _Claim:
    lock: int
    kind: NodeKind
    task: int
    frame: Frame
    line: int | None
    via: str = ""
    sure: bool = True

    @property
    def where(self) -> str:
        return _place(self.frame, self.line)


class TaskLocks:
    """Finds the holds of tasks of one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        blocks: WithBlocks,
        containers: Containers,
        traces: Traces,
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._blocks = blocks
        self._containers = containers
        self._states = LockStates(objects, containers)
        self._traces = traces
        self._stacks: Mapping[int, tuple[Frame, ...]] = {}
        self._visits_left = _MAX_VISITS
        self.kept: dict[int, str] = {}  # by lock: the generator that has it, which nobody goes over

    def holds(
        self, stacks: Mapping[int, tuple[Frame, ...]], awaited: Mapping[int, int]
    ) -> list[TaskHold]:
        """All holds that can be told.

        *stacks*: frames by task; *awaited*: the lock that each waiting task wants.
        """
        claims, self._stacks = list[_Claim](), stacks
        stacks = {task: _own(frames) for task, frames in stacks.items()}
        for task, frames in stacks.items():
            try:
                with foreign_data():
                    claims += self._claims(task, frames)
            except DamagedDataError:
                continue
        claims = _distinct(claims)
        takers = Counter(claim.lock for claim in claims)
        found = [hold for claim in claims if (hold := self._hold(claim, takers, awaited))]
        found += self._recorded(awaited.values(), stacks)
        known = {hold.lock for hold in found}
        wanted = {one for one in awaited.values() if one not in known and self._states.locked(one)}
        found += self._hinted(wanted, stacks) if wanted else []
        wanted -= {hold.lock for hold in found}
        return found + (self._kept(wanted, stacks) if wanted else [])

    def _recorded(
        self, awaited: Iterable[int], stacks: Mapping[int, tuple[Frame, ...]]
    ) -> Iterator[TaskHold]:
        """Tasks that locks of anyio's name as their owners, or those of another package record."""
        locks = dict.fromkeys(awaited)
        pairs = ((lock, one) for lock in locks for one in self._states.owners(lock))
        for lock, owner in (pair for pair in pairs if pair[1] in stacks):
            blocks = ((f, b) for f in stacks[owner] for b in self._blocks.of(f))
            entered = next(((f, b.line) for f, b in blocks if b.manager == lock), None)
            title = self._containers.type_title(lock)
            text = f"{title} records it as its owner"
            where = _place(*entered) if entered else None
            kind, known = NodeKind.LOCK, self._states.owner(lock)
            certain = Certainty.CERTAIN if known else Certainty.INFERRED
            yield TaskHold(lock, kind, title, owner, certain, text, where)

    def _kept(self, wanted: set[int], stacks: Mapping[int, tuple[Frame, ...]]) -> list[TaskHold]:
        """Tasks that keep a suspended generator which is inside of ``async with`` on a lock."""
        found: dict[int, TaskHold] = {}
        for one in self._traces.generators.blocks(stacks):
            claim = _Claim(0, NodeKind.LOCK, one.keeper, one.frame, one.block.line)
            for inner in self._behind(claim, one.block.manager, one.block.exit_method, 0):
                if inner.lock in wanted and one.direct:
                    hold = self._task_hold(inner, Certainty.INFERRED, one.text)
                    found.setdefault(inner.lock, hold)
                elif inner.lock in wanted:
                    self.kept.setdefault(inner.lock, one.has_it)
        return list(found.values())

    def _claims(self, task: int, frames: tuple[Frame, ...]) -> Iterator[_Claim]:
        released: set[int] | None = None
        for frame in frames:
            for block in self._blocks.of(frame):
                claim = _Claim(0, NodeKind.LOCK, task, frame, block.line)
                for found in self._behind(claim, block.manager, block.exit_method, 0):
                    if released is None:
                        released = self._released_by_waiting(task)
                    if found.lock not in released:
                        yield found

    def _released_by_waiting(self, task: int) -> set[int]:
        """The locks of conditions in whose ``wait`` a task is, which gives them back meanwhile."""
        conditions = (
            self._frames.variables(frame).get("self", 0)
            for frame in self._stacks[task]
            if runs(frame, "wait", "/asyncio/locks.py")
        )
        return {self._objects.attributes(condition).get("_lock", 0) for condition in conditions}

    # -- what entering a context manager took ---------------------------------------------------

    def _behind(
        self, claim: _Claim, manager: int, exit_method: int, depth: int
    ) -> Iterator[_Claim]:
        self._visits_left = _MAX_VISITS if depth == 0 else self._visits_left - 1
        kind = self._states.kind(manager)
        if kind is not None:
            yield replace(claim, lock=manager, kind=kind)
        elif depth < _MAX_DEPTH and self._visits_left > 0:
            try:
                yield from self._wrapped(claim, manager, exit_method, depth + 1)
            except MemoryReadError:
                return

    def _wrapped(
        self, claim: _Claim, manager: int, exit_method: int, depth: int
    ) -> Iterator[_Claim]:
        names = self._containers.classes(manager)
        attributes = self._objects.attributes(manager)
        if "Condition" in names:
            yield from self._behind(claim, attributes.get("_lock", 0), 0, depth)
        elif "_AsyncGeneratorContextManager" in names:
            yield from self._generator(claim, attributes.get("gen", 0), depth)
        elif "AsyncExitStack" in names:
            for entry in self._containers.sequence(attributes.get("_exit_callbacks", 0)):
                for member in self._containers.sequence(entry) or [entry]:
                    bound = self._objects.bound_to(member)
                    through = replace(claim, via=", through an AsyncExitStack")
                    yield from self._behind(through, bound, 0, depth)
        elif exit_method:
            yield from self._user_class(claim, manager, exit_method, depth)

    def _generator(self, claim: _Claim, generator: int, depth: int) -> Iterator[_Claim]:
        """A function with ``@asynccontextmanager`` is suspended inside its own blocks."""
        frame = self._frames.suspended(generator) if generator else None
        if frame is None:
            return
        via = f", through the context manager {frame.code.function} ({frame.place})"
        for block in self._blocks.of(frame):
            through = replace(claim, via=via)
            yield from self._behind(through, block.manager, block.exit_method, depth)
        for sign in (*self._traces.signs.of(frame), *self._traces.helpers.took(frame)):
            through = replace(claim, via=f"{via}, where {sign.text}", sure=False)
            yield from self._behind(through, sign.object, 0, depth)

    def _user_class(
        self, claim: _Claim, manager: int, exit_method: int, depth: int
    ) -> Iterator[_Claim]:
        """A class of the program's: what its ``__aenter__`` takes and ``__aexit__`` releases."""
        enter = self._objects.class_attribute(manager, "__aenter__")
        methods = ("acquire", "__aenter__")
        taken = {path for path, _ in self._traces.signs.used(enter, manager, methods)}
        for path, inner in self._traces.signs.used(exit_method, manager, ("release", "__aexit__")):
            via = f", through {self._objects.type_name(manager)}, which wraps self.{path}"
            through = replace(claim, via=via, sure=claim.sure and path in taken)
            yield from self._behind(through, inner, 0, depth)
        for path, inner in self._traces.signs.kept_below(enter, exit_method, manager):
            via = f", through {self._objects.type_name(manager)}, which takes self.{path}"
            yield from self._behind(replace(claim, via=via, sure=False), inner, 0, depth)

    # -- what that proves -----------------------------------------------------------------------

    def _hold(
        self, claim: _Claim, takers: Counter[int], awaited: Mapping[int, int]
    ) -> TaskHold | None:
        if not self._states.locked(claim.lock) and claim.kind is NodeKind.LOCK:
            return None
        text = f"it is inside `async with` on it in {claim.frame.code.function}{claim.via}"
        certainty = Certainty.PROVEN
        units = 1 if claim.kind is NodeKind.LOCK else self._states.units(claim.lock)
        if not claim.sure:
            certainty = Certainty.INFERRED
        elif units is None or takers[claim.lock] < units:
            certainty = Certainty.INFERRED
            text += ", which holds a unit; others may hold more"
        elif claim.kind is NodeKind.LOCK and takers[claim.lock] > 1:
            certainty = Certainty.INFERRED
            text += f", but so are {takers[claim.lock] - 1} other task(s)"
        elif self._traces.releases.by_frames(self._from(claim), claim.lock):
            if awaited.get(claim.task) == claim.lock:
                return None  # it gave it back for a moment, and is about to take it again
            certainty = Certainty.INFERRED
            text += ", but a release() on the way may have given it back"
        return self._task_hold(claim, certainty, text)

    def _from(self, claim: _Claim) -> Iterator[Frame]:
        """The frame that made a claim, and those that it called."""
        for frame in self._stacks[claim.task]:
            if not frame.in_library:
                yield frame
            if frame == claim.frame:
                return

    def _task_hold(self, claim: _Claim, certainty: Certainty, text: str) -> TaskHold:
        return TaskHold(
            claim.lock,
            claim.kind,
            self._containers.type_title(claim.lock),
            claim.task,
            certainty,
            text,
            claim.where,
        )

    def _hinted(
        self,
        wanted: set[int],
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> list[TaskHold]:
        """Tasks whose bytecode suggests that they took one of *wanted* with ``acquire()``."""
        found: dict[tuple[int, int], TaskHold] = {}
        for task, frames in stacks.items():
            for frame in frames:
                for sign in (*self._traces.signs.of(frame), *self._traces.helpers.took(frame)):
                    kind = self._states.kind(sign.object) if sign.object in wanted else None
                    if kind is None or self._traces.helpers.gave(frame, sign.object, sign.start):
                        continue
                    if not self._given_back(frames, frame, sign.object):
                        claim = _Claim(sign.object, kind, task, frame, sign.line)
                        hold = self._task_hold(claim, Certainty.INFERRED, sign.text)
                        found.setdefault((task, sign.object), hold)
        return list(found.values())

    def _given_back(self, frames: tuple[Frame, ...], taker: Frame, lock: int) -> bool:
        """Whether what *taker* called may have released *lock*."""
        called = frames[: frames.index(taker)]
        helped = any(self._traces.helpers.gave(frame, lock) for frame in called)
        return helped or self._traces.releases.by_frames(called, lock)


def _place(frame: Frame, line: int | None) -> str:
    return f"{frame.code.filename.rsplit('/', 1)[-1]}:{line or frame.line}"


def _distinct(claims: list[_Claim]) -> list[_Claim]:
    """One claim per task and lock: the outermost, which took it; claims come innermost first."""
    best: dict[tuple[int, int], _Claim] = {}
    for claim in claims:
        key = (claim.task, claim.lock)
        if key not in best or claim.sure or not best[key].sure:
            best[key] = claim
    return list(best.values())


def _own(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The frames that can hold something for the program: those of asyncio itself do not."""
    return tuple(frame for frame in frames if not frame.in_library)
