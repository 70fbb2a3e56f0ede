"""The tasks of trio in one process, read together, as those of asyncio are."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Chain, Coroutines
from hangtui.backends.cpython.aio.futures import RawTask
from hangtui.backends.cpython.aio.locks import TaskHold
from hangtui.backends.cpython.aio.names import names_of
from hangtui.backends.cpython.aio.registry import MAX_TASKS
from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.trio.awaits import Awaits
from hangtui.backends.cpython.trio.deadlines import Deadlines
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.holds import Holds
from hangtui.backends.cpython.trio.places import begun, own, place, runs, within
from hangtui.backends.cpython.trio.runners import Runner, Runners
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import NodeKind, TaskState, clean

_ALIKE = 10
"""Tasks of the same function whose variables are searched for names."""
_WAKES = "_core/_entry_queue.py"
"""What a runner runs for itself, to be woken by other threads."""


class TrioReader:
    """Reads the tasks of one process. Without trio it costs next to nothing."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        containers = Containers(python.objects, CodeReader(python.objects))
        self.fields = Fields(python.objects, python.frames, containers)
        self._runners = Runners(self.fields, python.stacks)
        self._coroutines = Coroutines(python.objects, python.frames)
        self._awaits = Awaits(self.fields, Deadlines(self.fields))
        self._holds = Holds(self.fields, python.blocks)

    def readings(self) -> Iterator[AsyncReading]:
        """One for each runner."""
        for runner in self._runners.all():
            try:
                with foreign_data():
                    reading = self._read(runner)
            except DamagedDataError:
                continue
            yield reading

    def _read(self, runner: Runner) -> AsyncReading:
        found = self._runners.tasks(runner)
        init = self.fields.of(runner.address, "init_task")
        tasks: dict[int, TaskReading] = {}
        for address in found[:MAX_TASKS]:
            try:
                with foreign_data():
                    task = self._task(address, runner)
            except DamagedDataError:
                continue
            except BudgetSpentError:
                break
            if address != init and not _wakes_runner(task):
                tasks[address] = task
        holds: list[TaskHold] = []
        names: dict[int, str] = {}
        # The tasks are the most of it.
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            holds = list(self._holds.of(tasks))
            hand_over(tasks, holds)
            names = self._names(tasks)
        outside = sum(_waits_outside(task) for task in tasks.values())
        signals = sum(_waits_for_signal(task) for task in tasks.values())
        loop = self._runners.loop(runner, outside, signals)
        cut = len(found) > MAX_TASKS
        return AsyncReading(tasks, {runner.address: loop}, holds, names, cut)

    def same(self, task: TaskReading) -> bool:
        """Whether *task* waits now, at the same place, for the same thing."""
        if self.fields.of(task.address, "_next_send_fn"):
            return False
        chain = self._coroutines.chain(task.raw.coroutine)
        if chain.running or chain.frames != task.frames:
            return False
        if self._name(task.address, chain.frames) != task.raw.name:
            return False  # another one, which was made where that was
        # Frames and what they had may be gone, and others be there that look alike.
        was, now = task.awaited, self._awaits.of(task.address, chain.frames, None)
        return was is None or (was.kind, was.address, set(was.tasks)) == (
            *(now.kind, now.address),
            set(now.tasks),
        )

    # -- one task -------------------------------------------------------------------------------

    def _task(self, address: int, runner: Runner) -> TaskReading:
        fields = self.fields
        coroutine = fields.of(address, "coro")
        chain = self._coroutines.chain(coroutine)
        name, cancelled = self._name(address, chain.frames), self._cancelled(address)
        raw = RawTask(address, runner.address, coroutine, name, awaited=0, cancels=cancelled)
        if chain.running:
            on_stack = self._on_stack(runner, chain)
            return TaskReading(raw, TaskState.RUNNING, on_stack, None, begun=begun(on_stack))
        where, first = place(chain.frames), begun(chain.frames)
        if fields.of(address, "_next_send_fn"):
            return TaskReading(raw, TaskState.READY, chain.frames, None, where, first)
        awaited = self._awaited(address, chain.frames, runner)
        return TaskReading(raw, TaskState.WAITING, chain.frames, awaited, where, first)

    def _cancelled(self, task: int) -> int:
        """1 if a cancel scope that it is in was cancelled, or its deadline is over; else 0."""
        place = self.fields.path(task, "_cancel_status", "effectively_cancelled")
        return int(self.fields.containers.true(place))

    def _awaited(self, address: int, frames: tuple[Frame, ...], runner: Runner) -> Awaited:
        try:
            return self._awaits.of(address, frames, runner.clock)
        except MemoryReadError:
            return Awaited("something that could not be read")

    def _on_stack(self, runner: Runner, chain: Chain) -> tuple[Frame, ...]:
        """The frames of a running task: those on its thread's stack down to the coroutine's own."""
        frames = self._python.stacks.get(runner.tid, ())
        for index, frame in enumerate(frames):
            if frame.address == chain.running:
                return (*frames[: index + 1], *chain.frames)
        return chain.frames

    def _name(self, task: int, frames: tuple[Frame, ...]) -> str | None:
        """What the program calls it; else its number, or the function that a thread runs for it.

        By default trio names it after the function, as the coroutine is named anyway.
        """
        place = self.fields.of(task, "name")
        name = None
        if self.fields.objects.kind(place) == "str":
            name = clean(self.fields.objects.text(place), 200)
        number = self.fields.containers.integer(self.fields.of(task, "_counter"))
        for frame in reversed(frames):
            if not own(frame):
                break
            if runs(frame, "_threads.py", "to_thread_run_sync"):
                work = self._awaits.work(self.fields.frames.variables(frame))
                return work if number is None or not work else f"{work}, #{number}"
        first = begun(frames)
        if name and first and name.rpartition(".")[2] != first.code.bare_name:
            return name
        return name if number is None else f"#{number}"

    # -- names ----------------------------------------------------------------------------------

    def _names(self, tasks: Mapping[int, TaskReading]) -> dict[int, str]:
        """Names for what tasks wait for."""
        wanted: dict[int, int] = {}
        alike: dict[int, list[tuple[Frame, ...]]] = {}
        for task in tasks.values():
            found = task.awaited
            if found and found.address and found.kind is not NodeKind.FUTURE:
                wanted[found.object or found.address] = found.address
            if task.frames:
                program = tuple(frame for frame in task.frames if not own(frame))
                first = task.begun or task.frames[-1]
                alike.setdefault(first.code.address, []).append(program)
        if not wanted:
            return {}
        stacks = [stack for group in alike.values() for stack in group[:_ALIKE]]
        named = names_of(set(wanted), stacks, self.fields.objects, self.fields.frames)
        return {wanted[address]: name for address, name in named.items()}


def hand_over(tasks: dict[int, TaskReading], holds: Iterable[TaskHold]) -> None:
    """Who has the lock that it waits for was given it, and is about to run: these locks are not
    reentrant, and whoever has one gets an error for asking once more."""
    for hold in holds:
        task = tasks[hold.task]
        if task.awaited is not None and task.awaited.address == hold.lock:
            tasks[hold.task] = replace(task, state=TaskState.READY, awaited=None)


def _wakes_runner(task: TaskReading) -> bool:
    waits = task.state is TaskState.WAITING and bool(task.frames)
    return waits and within(task.frames[-1]) == _WAKES


def _waits_outside(task: TaskReading) -> bool:
    """Whether it waits for a file descriptor of the program's."""
    if task.state is not TaskState.WAITING:
        return False
    return any(within(frame).startswith("_core/_io_") for frame in task.frames)


def _waits_for_signal(task: TaskReading) -> bool:
    waits = task.state is TaskState.WAITING
    return waits and any(within(frame) == "_signals.py" for frame in task.frames)
