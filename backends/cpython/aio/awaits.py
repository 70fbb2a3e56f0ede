"""What a task of asyncio awaits: another task, a lock, a queue, a timer, a thread, the network.

The task records the future that it waits for. What the future is *for* follows from what it is,
from the frame of asyncio that made it, or from the callbacks that it has.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.aio.awaited import RECORDED, Awaited
from hangtui.backends.cpython.aio.below_packages import below_compiled, below_package
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Chain, runs
from hangtui.backends.cpython.aio.deferred_futures import deferred_behind
from hangtui.backends.cpython.aio.foreign import Foreign
from hangtui.backends.cpython.aio.futures import Futures, RawTask
from hangtui.backends.cpython.aio.given import Given
from hangtui.backends.cpython.aio.loop_timers import left
from hangtui.backends.cpython.aio.loops import Loop
from hangtui.backends.cpython.aio.primitives import NOTES, Primitives, of_asyncio
from hangtui.backends.cpython.aio.streams import Streams
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.sole import Sole
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Certainty, NodeKind, Sleep

_MAX_DEPTH = 20
_MOST_TASKS = 2000
"""Whose callbacks are looked through for what waits for several of them."""
MOST_SLEEPS = 100
"""Of how many tasks it is read for how long they sleep."""


class Awaits:
    """Recognises what tasks of one interpreter await."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        futures: Futures,
        tasks: Collection[int],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._futures = futures
        self._all_tasks = tasks
        self._multi: dict[int, tuple[str, list[int]]] | None = None
        self._sleeps = 0
        self._sole = Sole(objects)
        self._given = Given(objects)
        self._streams = Streams(objects, frames, containers)
        self._foreign = Foreign(objects, frames, containers, futures)
        beside = self._streams.connection
        primitives = Primitives(objects, frames, containers, self._foreign, beside)
        self._rules: dict[str, Callable[[tuple[Frame, ...], int], Awaited | None]] = {
            "locks.py": primitives.lock,
            "queues.py": primitives.queue,
            "tasks.py": self._tasks,
            "taskgroups.py": self._group,
        }

    def of(self, task: RawTask, chain: Chain, loop: Loop | None) -> Awaited | None:
        """What *task* waits for; None: nothing, it waits for its turn.

        Raises:
            MemoryReadError: its future cannot be read.
        """
        future = task.awaited
        if not future or self._futures.done(future):
            return None
        if chain.behind:
            future = chain.behind
            if self._futures.done(future):
                return None
        frames = _without_future(chain.frames)
        when = self._timer(task, future, loop)
        future = self._waited_for(frames, future)
        found = (
            self._other_task(future)
            or self._streams.full(frames)
            or self._by_frames(frames, future)
            or self._taken_over(future, 0)
            or self._of_multi(future)
            or deferred_behind(future, self._futures, self._objects, self._containers)
        )
        clock = loop.stopped_clock if loop else None
        if found is None:
            ends = when is not None and future in (loop.timed or {}) if loop else False
            below = below_compiled(self._objects, chain)
            found = self._bare(frames, future, when, ends=ends, clock=clock, below=below)
        if loop is not None and loop.timed is None and found.certainty.supports_claim:
            doubt = f"{found.proof}; whether a timer ends the wait, {loop.type_name} does not show"
            found = replace(found, proof=doubt, certainty=Certainty.INFERRED)
        return replace(found, expires=True) if when is not None and not clock else found

    def of_run(self, future: int, proof: str) -> Awaited | None:
        """What a run of the loop until *future* is done waits for; None: it is done, or no future.

        Raises:
            MemoryReadError: the future cannot be read.
        """
        if self._futures.kind(future) is None or self._futures.done(future):
            return None
        found = self._other_task(future) or self._taken_over(future, 0)
        found = found or self._bare((), future, None, ends=False)
        return replace(found, proof=proof, certainty=Certainty.PROVEN)

    def _timer(self, task: RawTask, future: int, loop: Loop | None) -> float | None:
        """When a pending timer wakes the task; None: none does."""
        if loop is None or loop.timed is None:
            return None
        times = [loop.timed[item] for item in (future, task.address) if item in loop.timed]
        return min(times, default=None)

    def _waited_for(self, frames: tuple[Frame, ...], future: int) -> int:
        """The future that ``wait_for`` was given: up to 3.11 it awaits one of its own beside a task
        or another future."""
        if not frames or not runs(frames[0], "wait_for", "/asyncio/tasks.py"):
            return future
        variables = self._frames.variables(frames[0])
        given = variables.get("fut", 0)
        if variables.get("waiter") != future or self._futures.is_task(given):
            return future
        return future if self._futures.kind(given) is None else given

    # -- futures of others ----------------------------------------------------------------------

    def _other_task(self, future: int) -> Awaited | None:
        if self._futures.is_task(future):
            return Awaited("task", tasks=(future,), certainty=Certainty.CERTAIN)
        children = self._futures.children(future)
        if children is None:
            return None
        text = "gather: it waits until all of its tasks are done"
        return self._several(text, text, children)

    def _several(self, text: str, proof: str, futures: list[int]) -> Awaited:
        """A wait for tasks; futures that are none are looked behind."""
        found = list(self._unfinished(futures, 0, set()))
        tasks = tuple(dict.fromkeys(task for task in found if task))
        if 0 in found:
            proof += ", and for futures that may end it as well"
            return Awaited(text, proof, tasks=tasks, certainty=Certainty.INFERRED)
        return Awaited(text, proof, tasks=tasks)

    def _unfinished(self, futures: list[int], depth: int, seen: set[int]) -> Iterator[int]:
        """The tasks among and behind futures that are not done; 0 for other futures.

        *seen*: futures that were looked behind; gathered ones may contain each other.
        """
        for future in futures:
            if future in seen:
                continue
            seen.add(future)
            if self._futures.kind(future) is None or depth > _MAX_DEPTH:
                yield 0
            elif self._futures.is_task(future):
                yield from () if self._futures.done(future) else (future,)
            elif not self._futures.done(future):
                inner = self._futures.children(future) or [self._futures.source(future)]
                yield from self._unfinished(inner, depth + 1, seen)

    def _taken_over(self, future: int, depth: int) -> Awaited | None:
        """A future that takes over the result of another one."""
        source = self._futures.source(future)
        if not source or depth > _MAX_DEPTH:
            return None
        if self._futures.kind(source) is not None:
            shielded = self._other_task(source) or self._taken_over(source, depth + 1)
            proof = "shield: it takes over the result of the task"
            return replace(shielded, proof=proof) if shielded else None
        return Awaited(
            "a thread's work: {}",
            "the future takes over the result of one that a thread sets",
            NodeKind.FUTURE,
            source,
            "concurrent.futures.Future",
        )

    def _of_multi(self, future: int) -> Awaited | None:
        """What tornado's ``gen.multi`` or ``gen.WaitIterator`` waits for: only callbacks of these
        lead to their futures."""
        if self._multi is None:
            self._multi = {}
            for task in list(self._all_tasks)[:_MOST_TASKS]:
                with suppress(MemoryReadError):  # of another task than this one
                    for waits, text, futures in self._futures.waited_for_by_tornado(task):
                        self._multi[waits] = text, futures
        if future not in self._multi:
            return None
        text, futures = self._multi[future]
        return self._several(text, text, futures)

    def _bare(
        self,
        frames: tuple[Frame, ...],
        future: int,
        when: float | None,
        *,
        ends: bool,
        clock: str | None = None,
        below: str = "",
    ) -> Awaited:
        """A future that only the program knows the meaning of. *when* a timer wakes the task;
        *ends*: by giving the future its result, else it is a timeout for that. *clock*: who has
        stopped the one that the timer goes by. *below*: the compiled code that awaits it."""
        sleeps = bool(frames) and runs(frames[0], "sleep", "/asyncio/tasks.py")
        time_left = f" ({left(when)})" if when is not None else ""
        if time_left and clock:
            time_left = f", by a clock that {clock} has stopped"
        if ends or sleeps:
            sleep = self._sleep(frames[0], when) if sleeps else None
            return Awaited(f"{'sleep' if sleeps else 'a timer'}{time_left}", sleep=sleep)
        kind, certainty = NodeKind.FUTURE, Certainty.CERTAIN
        own = next((f for f in frames if "/asyncio/" not in f.code.filename), None)
        below = below or (below_package(frames[frames.index(own) :]) if own else "")
        call = self._given.by(own) if own and own is frames[0] else ""
        gave = f" that {call} gave," if call else ""
        where = f"{gave} awaited in {below or own.code.function}" if own else ""
        beside = self._streams.connection(frames)
        what = f"an asyncio.Future{f' inside of {below}' if below else ''}"
        return Awaited(
            f"{what}, with a timeout{time_left}" if time_left else what,
            RECORDED,
            kind,
            future,
            "asyncio.Future",
            beside.label if beside else f"asyncio.Future{where}",
            ends=beside.ends if beside else None,
            certainty=certainty,
            note=NOTES[kind],
            connection=beside.transport if beside else 0,
            # The task has it, and the iterator by which the program's own line awaits it.
            unshared=own is not None and own is frames[0] and self._sole.count(future) == 2,
        )

    def _sleep(self, frame: Frame, when: float | None) -> Sleep | None:
        """The sleep of a frame of ``asyncio.sleep``; None: of so many nobody asks for each."""
        self._sleeps += 1
        if self._sleeps > MOST_SLEEPS:
            return None
        delay = self._frames.variables(frame).get("delay", 0)
        left = when - time.monotonic() if when is not None else None
        return Sleep(self._containers.seconds(delay), left)

    # -- by the frames of asyncio ---------------------------------------------------------------

    def _by_frames(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        if not frames:
            return None
        file = of_asyncio(frames[0].code.filename)
        if file is None:
            return self._foreign.of(frames, future)
        rule = self._rules.get(file)
        return rule(frames, future) if rule else self._streams.of(frames)

    def _tasks(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        """asyncio/tasks.py: ``wait``, and ``wait_for`` up to 3.11."""
        function = frames[0].code.bare_name
        variables = self._frames.variables(frames[0])
        if variables.get("waiter") == future:
            if function == "_wait":
                waited = self._containers.set_items(variables.get("fs", 0))
                text = "wait: it waits for tasks to be done"
                return self._several(text, text, waited)
            if function in ("wait_for", "_cancel_and_wait"):
                text = f"{function.lstrip('_')}: it waits for one task"
                return self._several(text, text, [variables.get("fut", 0)])
        return None

    def _group(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        """The end of ``async with TaskGroup()``."""
        own = self._frames.variables(frames[0]).get("self", 0)
        group = self._objects.attributes(own)
        if group.get("_on_completed_fut") != future:
            return None
        text = "TaskGroup: it waits until all of its tasks are done"
        found = self._several(text, text, self._containers.set_items(group.get("_tasks", 0)))
        return replace(found, together=found.certainty.supports_claim)


def _without_future(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Without the frame of a future that is written in Python: it waits for itself to be done."""
    inner = bool(frames) and frames[0].code.filename.endswith("/asyncio/futures.py")
    return frames[1:] if inner else frames
