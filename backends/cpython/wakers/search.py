"""Looks through all stacks of a process for those who could end waits."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Coroutines
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.trio.places import own
from hangtui.backends.cpython.wakers.callees import Callees, Reach, Wanted
from hangtui.backends.cpython.wakers.complements import CLOSES, NEXT
from hangtui.backends.cpython.wakers.kept import KeptCalls
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.own_queue import OwnQueues
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.cpython.wakers.written import Written
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Complement, Nearness, NodeId, OwnQueue

_MAX_FRAMES = 5_000
"""Of the program, that are looked at in one process: as many take a second."""
_POOL = "/concurrent/futures/thread.py"
_PRIMITIVES = (
    *("/threading.py", "/queue.py", "/selectors.py", "/socket.py", "/ssl.py", "/subprocess.py"),
    *("/asyncio/", "/concurrent/futures/", "<frozen"),
)
"""Files of the standard library that wait, and come back to whoever called them."""
_ENTERS = ("__aenter__", "__enter__")
_GENERATORS = frozenset({"_GeneratorContextManager", "_AsyncGeneratorContextManager"})
_ORDER = tuple(Nearness)
_CALLING = frozenset({"run"})
"""Functions of the standard library that go on to call the program: ``threading.Timer.run``."""
_BEGINNING = frozenset({"_bootstrap_inner", "_worker"})
"""And those that begin what is the program's: a thread, the work of a pool. They refer to it, and
do not come to it any more once they have called it."""


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
        self._objects = objects
        self._coroutines = Coroutines(objects, python.frames)
        self._containers = containers
        self._frames = python.frames
        self._blocks = python.blocks
        self._wanted = wanted
        self._names = frozenset(name for names in wanted.values() for name in names)
        self._near = Near(wanted, objects, references)
        self._values = values
        self._callees = Callees(wanted, codes, mentions, values, self._near)
        self._written = Written(values, codes, self._callees)
        self._queues = OwnQueues(values, codes, mentions, self._near)
        self._kept = KeptCalls(objects, codes, values, mentions, self._near, wanted)
        self._left = _MAX_FRAMES
        self._found: dict[Hashable | None, tuple[Found, ...]] = {}
        self.whole = False
        """Whether it came to its end, and left nothing out."""

    def run(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], waiting: Collection[tuple[NodeId, int]]
    ) -> Iterator[Found]:
        """Everybody who could, each once for each wait. Never raises.

        *waiting*: who waits for what for good: none of these ends the wait of another. They count
        only where that is what is wrong: the readers of a full queue wait for room in it.
        """
        found: list[Found] = []
        alone: set[int] = set()
        damaged = spent = False
        for candidate, frames in stacks.items():
            try:
                with foreign_data():
                    best = self._of(candidate, frames)
                    for one in best:
                        if (candidate, one.target) not in waiting or _own(one):
                            found.append(one)
                        elif self._by_itself(one, frames):
                            found.append(one)
                            if self._of_its_library(one, frames):
                                alone.add(one.target)
            except DamagedDataError:
                damaged = True
            except BudgetSpentError:
                spent = True
                break
        for one in found:
            if one.target not in alone or one.nearness is not Nearness.REFERS:
                yield one
        self.whole = self._near.whole and not damaged and not spent

    def written(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], waiting: Collection[tuple[NodeId, int]]
    ) -> Mapping[int, tuple[str, ...]]:
        """The functions whose code would end waits, of what *stacks* run. Never raises."""
        try:
            with foreign_data():
                return self._written.of(stacks, waiting)
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
                    if not _is_primitive(frame):
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

    def _by_itself(self, found: Found, frames: tuple[Frame, ...]) -> bool:
        """Whether what it waits for is set further out on its own stack, by a function which goes
        on only once the wait has ended: by that itself. What a loop calls next time says nothing
        of this one, but that the result of a future is set once."""
        result = found.complement is Complement.SET_RESULT and not _cancels(found)
        if not (result or found.complement is Complement.SET):
            return False
        if found.nearness is not Nearness.AHEAD:
            return False
        own = [(i, frame) for i, frame in enumerate(frames) if not _is_primitive(frame)]
        return any(
            found.target == reach.target and reach.direct
            for i, frame in own[1:]
            for reach in self._callees.ahead(frame, frames[i - 1], (), self._has(frame, result))
        )

    def _has(self, frame: Frame, result: bool) -> frozenset[int]:
        """What is waited for that a frame refers to: a loop over them sets the *result* of each."""
        return self._referred(frame, self._frames.variables(frame)) if result else frozenset()

    def _of_its_library(self, found: Found, frames: tuple[Frame, ...]) -> bool:
        """Whether a method of a library waits for what another method of the same object sets, as
        ``shutdown`` of socketserver does for ``serve_forever``, below it on the stack. Nobody else
        is meant to set it, whoever refers to it."""
        inner, *outer = (frame for frame in frames if not _is_primitive(frame))
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
            for found in self._of_frame(candidate, frame, called):
                known = best.get(found.target)
                nearer = known is None or _rank(found) < _rank(known)
                if nearer:
                    best[found.target] = found
        return list(best.values())

    def _of_frame(self, candidate: NodeId, frame: Frame, called: Frame | None) -> Iterator[Found]:
        name = frame.code.bare_name
        primitive = _is_primitive(frame)
        begins = primitive and _begins(name, called)
        if primitive and name not in self._names and name not in _CALLING and not begins:
            return
        self._left -= 1
        if self._left < 0:
            raise BudgetSpentError("frames")
        variables = self._frames.variables(frame)
        key = self._alike(frame, called, variables)
        if key not in self._found:
            found = tuple(self._looked_at(candidate, frame, called, variables))
            if key is None:
                yield from found
                return
            self._found[key] = found
        for one in self._found[key]:
            yield one._replace(candidate=candidate)

    def _alike(
        self, frame: Frame, called: Frame | None, variables: Mapping[str, int]
    ) -> Hashable | None:
        """All that what is found of a frame rests on, for thousands of tasks stand alike; None:
        its stack of values counts as well."""
        if NEXT in self._names or self._blocks.of(frame):
            return None
        running = called.code.address if called else 0
        code, place = frame.code.address, frame.instruction
        return code, place, running, frame.namespace, *variables.items()

    def _looked_at(
        self, candidate: NodeId, frame: Frame, called: Frame | None, variables: Mapping[str, int]
    ) -> Iterator[Found]:
        name = frame.code.bare_name
        primitive = _is_primitive(frame)
        begins = primitive and _begins(name, called)
        inside = dict(self._inside(frame, name, variables.get("self", 0)))
        for target, complement in inside.items():
            yield Found(candidate, target, Nearness.IN, complement, frame.code.function)
        if not inside:
            known = frozenset[int]()
            if not primitive or begins:
                known = self._referred(frame, variables)
            for target in known:
                complement = next(iter(self._wanted[target].values()))
                yield Found(candidate, target, Nearness.REFERS, complement)
            yield from self._coming(candidate, frame, called, known)
            yield from self._iterating(candidate, frame)

    def _coming(
        self, candidate: NodeId, frame: Frame, called: Frame | None, known: frozenset[int]
    ) -> Iterator[Found]:
        """What it comes to if it goes on, also by leaving its ``with`` blocks."""
        blocks = self._blocks.of(frame)
        for block in blocks:
            names = self._wanted.get(block.manager, {})
            for name in CLOSES & names.keys():
                line = f"{frame.code.file}:{block.line or frame.line}"
                yield Found(candidate, block.manager, Nearness.AHEAD, names[name], name, line)
                break
            generator = self._generator(block.manager)
            if generator is not None:
                yield from self._of_frame(candidate, generator, None)
        exits = [block.exit_method for block in blocks]
        for reach in self._callees.ahead(frame, called, exits, known):
            yield _ahead(candidate, reach)

    def _iterating(self, candidate: NodeId, frame: Frame) -> Iterator[Found]:
        """What an ``async for`` takes from, once more when its body is done: it is on the stack."""
        if NEXT in self._names:
            for value in dict.fromkeys(self._coroutines.stacked(frame)):
                complement = self._wanted.get(value, {}).get(NEXT)
                if complement is not None:
                    call = "receive"
                    yield Found(candidate, value, Nearness.AHEAD, complement, call, frame.place)

    def _told(self, item: int) -> Iterator[int]:
        """Who is told once a pool's work item is done: ``concurrent.futures.wait``."""
        future = self._objects.attributes(item).get("future", 0) if item else 0
        waiters = self._objects.attributes(future).get("_waiters", 0) if future else 0
        yield from (one for one in self._containers.sequence(waiters) if one in self._wanted)

    def _generator(self, manager: int) -> Frame | None:
        """The frame of a function with ``@contextmanager``: leaving its block goes on there."""
        if self._objects.kind(manager) not in _GENERATORS:
            return None
        return self._frames.suspended(self._objects.attributes(manager).get("gen", 0))

    def _inside(self, frame: Frame, name: str, owner: int) -> Iterator[tuple[int, Complement]]:
        """What a frame's very function ends waits for."""
        if owner in self._wanted and name in self._wanted[owner]:
            yield owner, self._wanted[owner][name]
        if name == "run" and frame.code.filename.endswith(_POOL):
            for target in self._told(owner):
                yield target, Complement.SET_RESULT

    def _referred(self, frame: Frame, variables: Mapping[str, int]) -> frozenset[int]:
        found = frozenset[int]().union(*map(self._near.targets, variables.values()))
        try:
            namespace = self._values.frame(frame, variables).namespace
        except MemoryReadError:
            return found
        named = (namespace[name] for name in frame.code.names if name in namespace)
        return found.union(*(self._near.targets(value) for value in named))


def _begins(name: str, called: Frame | None) -> bool:
    """Whether a library's frame is about to call the program, and *called* is not that yet."""
    if name not in _CALLING and name not in _BEGINNING:
        return False
    return called is None or (_is_primitive(called) and called.code.bare_name not in _CALLING)


def _is_primitive(frame: Frame) -> bool:
    """Whether it runs a library's own code, which waits and comes back to whoever called it."""
    return _file_of_primitives(frame.code.filename) or own(frame)


@lru_cache(8192)
def _file_of_primitives(name: str) -> bool:
    return library_file(name) and any(part in name for part in _PRIMITIVES)


def _ahead(candidate: NodeId, reach: Reach) -> Found:
    near = Nearness.REFERS if reach.of_others else Nearness.AHEAD
    return Found(candidate, reach.target, near, reach.complement, reach.text, reach.line)


def _cancels(found: Found) -> bool:
    """Whether it gives up what it waits for: the waiter may do so, too, and goes on then."""
    return (found.call or "").endswith("cancel")


def _own(found: Found) -> bool:
    ends = found.complement in (Complement.GET, Complement.TASK_DONE)
    return ends and found.nearness is Nearness.AHEAD


def _rank(found: Found) -> int:
    return _ORDER.index(found.nearness)
