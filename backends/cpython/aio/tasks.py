"""The tasks and event loops of one process, read together."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from functools import cache

from hangtui.backends.cpython.aio.asgi import client_of
from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.awaits import Awaits
from hangtui.backends.cpython.aio.begun import begun_by, called_by_loop
from hangtui.backends.cpython.aio.cancel_scopes import cancelled_scopes
from hangtui.backends.cpython.aio.clocks import MODULE, stopped_by
from hangtui.backends.cpython.aio.compiled_blocks import CompiledBlocks, CompiledStack
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Chain, CompiledStep, Coroutines
from hangtui.backends.cpython.aio.failed import FailedTask, FailedTasks
from hangtui.backends.cpython.aio.futures import Futures, RawTask
from hangtui.backends.cpython.aio.gen_coroutines import GEN, GenCoroutines
from hangtui.backends.cpython.aio.locks import TaskHold, TaskLocks
from hangtui.backends.cpython.aio.loops import Loop, Loops
from hangtui.backends.cpython.aio.names import names_of
from hangtui.backends.cpython.aio.nested import nested_run
from hangtui.backends.cpython.aio.orphaned import Owners
from hangtui.backends.cpython.aio.registry import Registry
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.tracebacks import Tracebacks
from hangtui.backends.cpython.trio.places import own, place
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import NodeKind, TaskState

_ALIKE = 10
"""Tasks of the same function whose variables are searched for names."""


@dataclass(frozen=True, slots=True)
class TaskReading:
    """One task that is not done."""

    raw: RawTask
    state: TaskState
    frames: tuple[Frame, ...]
    """Innermost first."""
    awaited: Awaited | None
    """None: it is ready, or it runs."""
    where: str | None = None
    """Where the program stands, if that is not the innermost frame outside the standard library."""
    begun: Frame | None = None
    """The frame that it began with for the program, if that is not the outermost one."""
    steps: tuple[CompiledStep, ...] = ()
    """The compiled coroutines among its frames, of one that waits."""
    answers: str = ""
    """Where the request of a server came from that it has in hand, and that waits for an answer;
    empty: it has none, or the functions of the server are among its frames."""

    @property
    def address(self) -> int:
        """Where the task lies."""
        return self.raw.address

    @property
    def coroutine(self) -> str | None:
        """The function that it runs; None: its frames were not read."""
        frame = self.begun or (self.frames[-1] if self.frames else None)
        return frame.code.function if frame else None

    @property
    def place(self) -> str | None:
        """``file:line`` where the program stands."""
        return self.where or place_of(self.frames)


@dataclass(frozen=True, slots=True)
class AsyncReading:
    """The asyncio of one interpreter."""

    tasks: dict[int, TaskReading]
    loops: dict[int, Loop]
    holds: list[TaskHold]
    names: dict[int, str]
    """Of locks, queues, events by address."""
    truncated: bool
    """There are more tasks than were read."""
    failed: tuple[FailedTask, ...] = ()
    cancelled: Mapping[int, str] = field(default_factory=dict[int, str])
    """By task: where it entered a cancel scope of anyio's that was cancelled meanwhile."""
    orphaned: Mapping[int, str] = field(default_factory=dict[int, str])
    """The tasks that had ended and yet own a lock that is waited for, by that."""
    kept: Mapping[int, str] = field(default_factory=dict[int, str])
    """The suspended generators that have a lock, and that nobody is known to go over, by that."""


class AsyncReader:
    """Reads the asyncio of one process's interpreters. Without asyncio it costs next to nothing."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._objects = python.objects
        codes = CodeReader(python.objects)
        self._codes = codes
        self._containers = Containers(python.objects, codes)
        self.futures = Futures(python.objects, self._containers)
        self.containers = self._containers
        self._owners = Owners(python.objects, self._containers, self.futures)
        self._generators = GenCoroutines(
            python.objects, python.frames, self._containers, self.futures
        )
        self._known: dict[int, Collection[int]] = {}
        """The tasks that were read, by the loop of one of them."""
        self._has_generators = False
        """Whether an interpreter has imported tornado, whose generators these are."""

    def readings(self) -> Iterator[AsyncReading]:
        """One for each interpreter that uses asyncio."""
        threads = self._python.states
        for interpreter in dict.fromkeys(thread.interpreter for thread in threads):
            try:
                reading = self._reading(interpreter)
            except (LayoutError, DamagedDataError):
                continue
            if reading is not None:
                yield reading

    @foreign_data()
    def _reading(self, interpreter: int) -> AsyncReading | None:
        """What one interpreter has of asyncio; None: it does not use it."""
        threads = self._python.states
        registry = Registry(self._objects, self._containers, interpreter, threads)
        return self._read(registry) if registry.used else None

    def _read(self, registry: Registry) -> AsyncReading:
        known = registry.tasks()
        found = (self.futures.task(address) for address in known)
        raw = {task.address: task for task in found if task is not None}
        self._known.update(dict.fromkeys((task.loop for task in raw.values()), raw))
        loops = self._loops(registry, raw)
        awaits = Awaits(self._objects, self._python.frames, self._containers, self.futures, raw)
        coroutines = Coroutines(self._objects, self._python.frames)
        self._has_generators |= registry.has_imported(GEN)
        running = registry.running()
        tasks = {}
        for address, task in raw.items():
            try:
                with foreign_data():
                    chain = self._chain(coroutines, task)
                    loop = loops.get(task.loop)
                    runs = bool(chain.running) or address in running
                    tasks[address] = self._task(task, chain, loop, runs, awaits)
            except DamagedDataError:
                continue
            except BudgetSpentError:
                break
        holds, names = list[TaskHold](), dict[int, str]()
        failed: tuple[FailedTask, ...] = ()
        cancelled, orphaned, kept = dict[int, str](), dict[int, str](), dict[int, str]()
        with suppress(BudgetSpentError):  # the tasks are the most of it
            holds, kept = self._holds(tasks)
            names = self._names(tasks, holds)
            orphaned = dict(self._owners.orphaned(task.awaited for task in tasks.values()))
            failed = self._failed(known, tasks)
            waiting = {at: t.frames for at, t in tasks.items() if t.state is TaskState.WAITING}
            cancelled = cancelled_scopes(waiting, registry, self._python, self._containers)
        return AsyncReading(
            tasks, loops, holds, names, registry.truncated, failed, cancelled, orphaned, kept
        )

    def _failed(self, known: list[int], tasks: Mapping[int, TaskReading]) -> tuple[FailedTask, ...]:
        """The tasks among those *known* that have ended with an exception."""
        frames, objects = self._python.frames, self._objects
        tracebacks = Tracebacks(objects, frames, self._codes)
        found = FailedTasks(self.futures, self._containers, frames, tracebacks)
        ended = [address for address in known if address not in tasks]
        if objects.layout.since(3, 14):
            stacks = (*(one.frames for one in tasks.values()), *self._python.stacks.values())
            ended += found.kept(frame for stack in stacks for frame in stack)
        return tuple(found.of(dict.fromkeys(ended)))

    def same(self, task: TaskReading) -> bool:
        """Whether *task* waits now, at the same place, for the same thing."""
        now = self.futures.task(task.address)
        if task.raw.awaited and self.futures.done(task.raw.awaited):
            return False  # it has what it waits for, and comes to it in its turn
        chain = self._chain(Coroutines(self._objects, self._python.frames), task.raw)
        stands = now == task.raw and not chain.running and chain.frames == task.frames
        return stands and self._leads_there(task, chain)

    def _leads_there(self, task: TaskReading, chain: Chain) -> bool:
        """Whether the future that it waits for leads to the same tasks as it did: when that was
        read, it may have been the memory of another one."""
        known = task.awaited.tasks if task.awaited else ()
        if not known or known == (task.raw.awaited,):
            return True
        every = self._known.get(task.raw.loop, ())
        awaits = Awaits(self._objects, self._python.frames, self._containers, self.futures, every)
        now = awaits.of(task.raw, chain, None)
        return now is not None and now.tasks == known

    def _chain(self, coroutines: Coroutines, task: RawTask) -> Chain:
        """The coroutine of a task, and what lies below that."""
        chain = coroutines.chain(task.coroutine)
        return self._generators.below(chain, task.awaited) if self._has_generators else chain

    def _loops(self, registry: Registry, raw: dict[int, RawTask]) -> dict[int, Loop]:
        python = self._python
        clock = stopped_by(python.module(MODULE), self._objects, self._containers)
        loops = Loops(
            self._objects, python.frames, self._containers, python.stacks, python.idents, clock
        )
        by_thread = cache(registry.loops_by_thread)
        addresses = dict.fromkeys([*loops.running(), *(task.loop for task in raw.values())])
        found = {}
        for address in addresses:
            try:
                with foreign_data():
                    found[address] = loops.read(address, by_thread)
            except DamagedDataError:
                continue
        return found

    def _task(
        self, task: RawTask, chain: Chain, loop: Loop | None, runs: bool, awaits: Awaits
    ) -> TaskReading:
        if runs:
            inside = self._in_nested_run(task, chain, loop, awaits)
            if inside is not None:
                return inside
            frames = self._on_stack(loop, chain)
            return TaskReading(task, TaskState.RUNNING, frames, None, begun=begun_by(chain, frames))
        state = TaskState.WAITING
        try:
            awaited = awaits.of(task, chain, loop)
            state = TaskState.READY if awaited is None else state
        except MemoryReadError:
            awaited = None  # that it could go on is not known either
        where = place(chain.frames) if any(map(own, chain.frames)) else None
        first = begun_by(chain, chain.frames)
        known = self._objects, self._containers, self._python.frames
        client = client_of(chain.frames, *known)
        return TaskReading(task, state, chain.frames, awaited, where, first, chain.steps, client)

    def _in_nested_run(
        self, task: RawTask, chain: Chain, loop: Loop | None, awaits: Awaits
    ) -> TaskReading | None:
        """A task on its thread's stack that waits for a nested run; None: it does not."""
        stack = self._python.stacks.get(loop.tid, ()) if loop and loop.tid is not None else ()
        base = next((i for i, one in enumerate(stack) if one.address == chain.running), None)
        run = nested_run(stack, base, self._python.frames) if base is not None else None
        awaited = awaits.of_run(run.future, run.proof) if run else None
        if run is None or awaited is None:
            return None
        awaited = replace(awaited, operation=run.operation or awaited.operation)
        frames = (*run.frames, *chain.frames)
        where = place_of(frames[1:])
        return TaskReading(task, TaskState.WAITING, frames, awaited, where, begun_by(chain, frames))

    def _on_stack(self, loop: Loop | None, chain: Chain) -> tuple[Frame, ...]:
        """The frames of a running task: those on its thread's stack down to the coroutine's own."""
        frames = self._python.stacks.get(loop.tid, ()) if loop and loop.tid is not None else ()
        for index, frame in enumerate(frames):
            if frame.address == chain.running:
                return (*frames[: index + 1], *chain.frames)
        return chain.frames or called_by_loop(frames)

    def _holds(self, tasks: dict[int, TaskReading]) -> tuple[list[TaskHold], dict[int, str]]:
        python = self._python
        locks = TaskLocks(
            self._objects, python.frames, python.blocks, self._containers, python.traces
        )
        awaited = {
            task.address: task.awaited.address
            for task in tasks.values()
            if task.awaited and task.awaited.kind in (NodeKind.LOCK, NodeKind.SEMAPHORE)
        }
        found = locks.holds({task.address: task.frames for task in tasks.values()}, awaited)
        wanted = {*awaited.values()} - {hold.lock for hold in found}
        stacks = [CompiledStack(one.address, one.frames, one.steps) for one in tasks.values()]
        compiled = CompiledBlocks(self._objects, self._containers)
        found += compiled.holds(stacks, wanted) if wanted else ()
        return found, locks.kept

    def _names(self, tasks: dict[int, TaskReading], holds: list[TaskHold]) -> dict[int, str]:
        """Names for what tasks wait for or hold."""
        wanted = {hold.lock for hold in holds}
        called: dict[int, int] = {}  # by what variables refer to
        alike: dict[int, list[tuple[Frame, ...]]] = {}
        for task in tasks.values():
            awaited = task.awaited
            # A future of asyncio's is called by where it is awaited.
            unnamed = awaited and (awaited.kind is not NodeKind.FUTURE or not awaited.label)
            if awaited and awaited.address and unnamed:
                wanted.add(awaited.address)
                if awaited.object:
                    called[awaited.object] = awaited.address
            if task.frames:
                alike.setdefault(task.frames[-1].code.address, []).append(task.frames)
        if not wanted:
            return {}
        # A few tasks of each function show the variables that it has.
        stacks = [stack for group in alike.values() for stack in group[:_ALIKE]]
        names = names_of(wanted | called.keys(), stacks, self._objects, self._python.frames)
        return names | {called[one]: name for one, name in names.items() if one in called}
