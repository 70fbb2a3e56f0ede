"""What one frame shows of those who could end waits: what it runs, refers to and comes to."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Coroutines
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.generators import gone_over
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.callees import Callees
from hangtui.backends.cpython.wakers.complements import CLOSES, NEXT
from hangtui.backends.cpython.wakers.iterated import Iterated
from hangtui.backends.cpython.wakers.library_frames import CALLING, begins_program, is_primitive
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.reach import Reach
from hangtui.backends.cpython.wakers.receivers import Wanted
from hangtui.backends.cpython.wakers.values import CALLS, Values
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Complement, Nearness, NodeId, NodeKind

_MAX_FRAMES = 5_000
"""Of the program, that are looked at in one process: as many take a second."""
_POOL = "/concurrent/futures/thread.py"
_STACKS = frozenset({"ExitStack", "AsyncExitStack"})
_LEAVES_STACK, _CONTEXTLIB = ("__exit__", "__aexit__"), "contextlib.py"
"""Where one of them makes the calls that are left in it."""
_GENERATORS = frozenset({"_GeneratorContextManager", "_AsyncGeneratorContextManager"})
_TO_THREAD = "run_sync_in_worker_thread"
"""Where anyio has a thread call ``func``, for which it waits for a token first."""
_TAKES_TOKEN = frozenset({"__aenter__", "acquire", "acquire_on_behalf_of"})
_WRAPPED = 3
"""How often one function is put around another."""


class Found(NamedTuple):
    """A thread or task that could end a wait."""

    candidate: NodeId
    target: int
    nearness: Nearness
    complement: Complement
    call: str | None = None
    line: str | None = None
    leaving: int = 0
    """It comes to that call by leaving a ``with`` that it has entered: the code of its generator,
    or the type of its manager."""
    gives_back: bool = False
    """It waits for another one of what it gives back so."""
    within: str | None = None
    """The function that makes the call, where the program's own frame comes to that."""


class FrameSearch:
    """Looks at frames of one process, each once, however many threads or tasks stand there."""

    def __init__(
        self,
        python: PythonReader,
        wanted: Wanted,
        callees: Callees,
        values: Values,
        near: Near,
        containers: Containers,
        iterated: Iterated,
    ) -> None:
        self._objects = python.objects
        self._frames = python.frames
        self._blocks = python.blocks
        self._coroutines = Coroutines(python.objects, python.frames)
        self._containers = containers
        self._iterated = iterated
        self._wanted = wanted
        self._names = callees.names
        self._near = near
        self._values = values
        self._callees = callees
        self._futures = Futures(python.objects, containers)
        self._left = _MAX_FRAMES
        self._found: dict[Hashable | None, tuple[Found, ...]] = {}
        self.begun = frozenset[int]()
        """The code of coroutines that tasks run: a thread which started one hands it on, and does
        not come to it any more."""

    def after(self, candidate: NodeId) -> Iterator[Found]:
        """What the callbacks of a task come to, once it has ended: no frame of its shows that.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        task = candidate.address if candidate.kind is NodeKind.TASK else None
        if task and self._futures.kind(task) is not None:
            yield from self._calls(candidate, task)

    def of(self, candidate: NodeId, frame: Frame, called: Frame | None) -> Iterator[Found]:
        """What *frame* of *candidate* shows; *called*: the frame that it called.

        Raises:
            DamagedDataError: what was read is not what it should be.
            BudgetSpentError: too much was looked at.
        """
        name = frame.code.bare_name
        primitive = is_primitive(frame)
        begins = primitive and begins_program(name, called)
        goes_on = begins or name in self._names or name in CALLING or name == _TO_THREAD
        if primitive and not goes_on:
            return
        self._left -= 1
        if self._left < 0:
            raise BudgetSpentError("frames")
        variables = self._frames.variables(frame)
        items = self._items(candidate.kind, frame)
        line = None if primitive else self._iterated.line(frame)
        calls = () if line is None else self._iterated.calls(frame)
        key = self._alike(candidate.kind, frame, called, variables)
        if key is not None:
            key = key, tuple(one.address for one in items), calls
        if key not in self._found:
            looped = self._looped(candidate, f"{frame.code.file}:{line}", calls)
            own = self._looked_at(candidate, frame, called, variables, items)
            found = (*looped, *own)
            if key is None:
                yield from found
                return
            self._found[key] = found
        for one in self._found[key]:
            yield one._replace(candidate=candidate)

    def _alike(
        self,
        kind: NodeKind,
        frame: Frame,
        called: Frame | None,
        variables: Mapping[str, int],
    ) -> Hashable | None:
        """All that what is found of a frame rests on, for thousands of tasks stand alike; None:
        its stack of values counts as well."""
        if NEXT in self._names or self._blocks.of(frame):
            return None
        running = called.code.address if called else 0
        code, place = frame.code.address, frame.instruction
        return code, place, running, frame.namespace, kind, *variables.items()

    def _items(self, kind: NodeKind, frame: Frame) -> tuple[Frame, ...]:
        """The suspended generators of the program that a thread's frame goes over: it comes to what
        they do with the next item that it asks for, also where the frame is a package's."""
        if kind is not NodeKind.THREAD or is_primitive(frame):
            return ()
        found = gone_over(frame, self._frames, self._objects)
        return tuple(one for one in found if not (one.in_library or one.installed))

    def _looked_at(
        self,
        candidate: NodeId,
        frame: Frame,
        called: Frame | None,
        variables: Mapping[str, int],
        items: Sequence[Frame],
    ) -> Iterator[Found]:
        name = frame.code.bare_name
        primitive = is_primitive(frame)
        begins = primitive and begins_program(name, called)
        inside = dict(self._inside(frame, name, variables.get("self", 0)))
        for target, complement in inside.items():
            yield Found(candidate, target, Nearness.IN, complement, frame.code.function)
        if not inside:
            known = frozenset[int]()
            if not primitive or begins:
                known = self.referred(frame, variables)
            for target in known:
                complement = next(iter(self._wanted[target].values()))
                yield Found(candidate, target, Nearness.REFERS, complement)
            yield from self._coming(candidate, frame, called, known)
            yield from self._iterating(candidate, frame)
        for generator in items:
            yield from self.of(candidate, generator, None)
        if name in _LEAVES_STACK and frame.code.file == _CONTEXTLIB:
            yield from self._stacked(candidate, variables.get("self", 0), frame.line, frame)
        if name == "run" and frame.code.filename.endswith(_POOL):
            yield from self._calls(candidate, self._work(variables.get("self", 0)))
        if name == _TO_THREAD and called and called.code.bare_name in _TAKES_TOKEN:
            for reach in self._handed_on(variables.get("func", 0), _WRAPPED):
                yield _ahead(candidate, reach)

    def _handed_on(self, call: int, steps: int) -> Iterator[Reach]:
        """What a function comes to that others have put their own around, or have given to one of
        theirs: ``partial(partial(run_endpoint, function=arrive))``."""
        own = self._callees.called(call) if call else ()
        yield from own
        inner = () if own or not call or not steps else self._containers.mentioned(call)
        for one in inner:
            if self._objects.kind(one) in CALLS:
                yield from self._handed_on(one, steps - 1)

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
            yield from self._stacked(candidate, block.manager, block.line or frame.line, frame)
            generator = self._generator(block.manager)
            if generator is not None:
                for one in self.of(candidate, generator, None):
                    yield one._replace(leaving=generator.code.address)
        exits = [block.exit_method for block in blocks]
        begun = self.begun if candidate.kind is NodeKind.THREAD else frozenset[int]()
        for reach in self._callees.ahead(frame, called, exits, known, begun):
            yield _ahead(candidate, reach)

    def _stacked(
        self, candidate: NodeId, manager: int, line: int | None, frame: Frame
    ) -> Iterator[Found]:
        """What the calls that an ``ExitStack`` keeps lead to: leaving its block makes them."""
        if self._objects.kind(manager) not in _STACKS:
            return
        for target in self._near.by_calls(manager):
            name, complement = next(iter(self._wanted[target].items()))
            where = f"{frame.code.file}:{line}"
            yield Found(candidate, target, Nearness.AHEAD, complement, name, where)

    def _iterating(self, candidate: NodeId, frame: Frame) -> Iterator[Found]:
        """What an ``async for`` takes from, once more when its body is done: it is on the stack."""
        if NEXT in self._names:
            for value in dict.fromkeys(self._coroutines.stacked(frame)):
                complement = self._wanted.get(value, {}).get(NEXT)
                if complement is not None:
                    call = "receive"
                    yield Found(candidate, value, Nearness.AHEAD, complement, call, frame.place)

    def _looped(self, candidate: NodeId, where: str, calls: Sequence[int]) -> Iterator[Found]:
        """What the ``for`` at *where* calls for its next item, or that comes to."""
        for call in calls:
            owner = self._objects.bound_to(call)
            name = self._objects.function_name(call) or self._objects.builtin_name(call)
            complement = self._wanted.get(owner, {}).get(name)
            if complement is not None:
                yield Found(candidate, owner, Nearness.AHEAD, complement, name, where)
            for reach in self._callees.called(call):
                yield _ahead(candidate, reach)

    def _told(self, item: int) -> Iterator[int]:
        """Who is told once a pool's work item is done: ``concurrent.futures.wait``."""
        future = self._work(item)
        waiters = self._objects.attributes(future).get("_waiters", 0) if future else 0
        yield from (one for one in self._containers.sequence(waiters) if one in self._wanted)

    def _work(self, item: int) -> int:
        """The future of a pool's work item; 0: there is none."""
        return self._objects.attributes(item).get("future", 0) if item else 0

    def _calls(self, candidate: NodeId, future: int) -> Iterator[Found]:
        """What the callbacks come to that are called once *future* is done."""
        for callback in self._futures.callbacks(future) if future else ():
            for reach in self._callees.called(callback):
                yield _ahead(candidate, reach)

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

    def referred(self, frame: Frame, variables: Mapping[str, int] | None = None) -> frozenset[int]:
        """What is waited for that *frame* refers to; *variables*: its own, where they are known."""
        if variables is None:
            variables = self._frames.variables(frame)
        found = frozenset[int]().union(*map(self._near.targets, variables.values()))
        try:
            namespace = self._values.frame(frame, variables).namespace
        except MemoryReadError:
            return found
        named = (namespace[name] for name in frame.code.names if name in namespace)
        return found.union(*(self._near.targets(value) for value in named))


def _ahead(candidate: NodeId, reach: Reach) -> Found:
    near = Nearness.REFERS if reach.of_others else Nearness.AHEAD
    return Found(
        candidate,
        reach.target,
        near,
        reach.complement,
        reach.text,
        reach.line,
        reach.leaving,
        within=reach.within,
    )
