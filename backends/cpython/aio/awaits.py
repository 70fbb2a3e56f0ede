"""What a task of asyncio awaits: another task, a lock, a queue, a timer, a thread, the network.

The task records the future that it waits for. What the future is *for* follows from what it is,
from the frame of asyncio that made it, or from the callbacks that it has.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from hangtui.backends.cpython.aio.awaited import RECORDED, Awaited
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Chain, runs
from hangtui.backends.cpython.aio.foreign import Foreign, left_of
from hangtui.backends.cpython.aio.futures import Futures, RawTask
from hangtui.backends.cpython.aio.loops import Loop, left
from hangtui.backends.cpython.aio.streams import Streams
from hangtui.backends.cpython.barriers import Parties, parties_of
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Certainty, NodeKind, Sleep

_MAX_DEPTH = 20
_MOST_TASKS = 2000
"""Whose callbacks are looked through for what waits for several of them."""
_MOST_SLEEPS = 100
"""Of how many tasks it is read for how long they sleep."""
_LOCKS = {
    "Lock": NodeKind.LOCK,
    "Semaphore": NodeKind.SEMAPHORE,
    "Event": NodeKind.EVENT,
    "Condition": NodeKind.CONDITION,
    "Barrier": NodeKind.BARRIER,
}
"""Classes of asyncio/locks.py. A user's class is known by the one of these that it is based on."""
_NOTES = {
    NodeKind.EVENT: "an event has no owner: any task may set it",
    NodeKind.CONDITION: "a condition has no owner: any task may notify it",
    NodeKind.QUEUE: "a queue has no owner: any task may put or get",
    NodeKind.FUTURE: "nothing records who will set it",
}


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
        self._resources: dict[tuple[str, int, str, bool], Awaited] = {}
        """Thousands of tasks may wait for the same one in the same way."""
        self._multi: dict[int, tuple[str, list[int]]] | None = None
        self._sleeps = 0
        self._streams = Streams(objects, frames, containers)
        self._foreign = Foreign(objects, frames, containers, futures)
        self._rules: dict[str, Callable[[tuple[Frame, ...], int], Awaited | None]] = {
            "locks.py": self._lock,
            "queues.py": self._queue,
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
            or self._by_frames(frames, future)
            or self._taken_over(future, 0)
            or self._of_multi(future)
        )
        clock = loop.stopped_clock if loop else None
        if found is None:
            ends = when is not None and future in (loop.timed or {}) if loop else False
            found = self._bare(frames, future, when, ends=ends, clock=clock)
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
    ) -> Awaited:
        """A future that only the program knows the meaning of. *when* a timer wakes the task;
        *ends*: by giving the future its result, else it is a timeout for that. *clock*: who has
        stopped the one that the timer goes by."""
        sleeps = bool(frames) and runs(frames[0], "sleep", "/asyncio/tasks.py")
        time_left = f" ({left(when)})" if when is not None else ""
        if time_left and clock:
            time_left = f", by a clock that {clock} has stopped"
        if ends or sleeps:
            sleep = self._sleep(frames[0], when) if sleeps else None
            return Awaited(f"{'sleep' if sleeps else 'a timer'}{time_left}", sleep=sleep)
        kind, certainty = NodeKind.FUTURE, Certainty.CERTAIN
        own = next((f for f in frames if "/asyncio/" not in f.code.filename), None)
        where = f" awaited in {own.code.function}" if own else ""
        label = self._connection(frames) or f"asyncio.Future{where}"
        return Awaited(
            f"an asyncio.Future, with a timeout{time_left}" if time_left else "an asyncio.Future",
            RECORDED,
            kind,
            future,
            "asyncio.Future",
            label,
            certainty=certainty,
            note=_NOTES[kind],
        )

    def _sleep(self, frame: Frame, when: float | None) -> Sleep | None:
        """The sleep of a frame of ``asyncio.sleep``; None: of so many nobody asks for each."""
        self._sleeps += 1
        if self._sleeps > _MOST_SLEEPS:
            return None
        delay = self._frames.variables(frame).get("delay", 0)
        total = self._containers.number(delay)
        total = self._containers.integer(delay) if total is None else total
        return Sleep(total, when - time.monotonic() if when is not None else None)

    def _connection(self, frames: tuple[Frame, ...]) -> str | None:
        """What to call a future or an event of a library that it waits on beside a connection."""
        found = self._streams.connection(frames)
        return "next event of the connection to {} ({})".format(*found) if found else None

    # -- by the frames of asyncio ---------------------------------------------------------------

    def _by_frames(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        if not frames:
            return None
        file = _of_asyncio(frames[0].code.filename)
        if file is None:
            return self._foreign.of(frames, future)
        rule = self._rules.get(file)
        return rule(frames, future) if rule else self._streams.of(frames)

    def _lock(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        """asyncio/locks.py; behind ``Queue.join`` is an Event, behind a Barrier a Condition."""
        function = frames[0].code.bare_name
        for frame in frames[1:5]:
            file = _of_asyncio(frame.code.filename)
            if file is None:
                break
            if file == "queues.py":
                return self._queue((frame, *frames[1:]), 0)
            owner = self._self(frame)
            if file == "locks.py" and self._class(owner) == "Barrier":
                found = self._resource("Barrier", owner, "wait", sure=True)
                if frame.code.bare_name == "_wait":  # it fills
                    parties = parties_of(self._objects, owner)
                    text = f"{found.text}{_arrived(parties) if parties else ''}"
                    found = replace(found, text=text, parties=parties)
                return found
        variables = self._frames.variables(frames[0])
        owner = variables.get("self", 0)
        known = self._class(owner)
        if known is None or (function, known) not in _LOCK_METHODS:
            return None
        behind = self._foreign.behind_event(frames) if known == "Event" else None
        if behind is not None:
            return behind
        found = self._resource(known, owner, function, variables.get("fut") == future)
        of_library = len(frames) > 1 and frames[1].installed and known == "Event"
        label = self._connection(frames[1:]) if of_library else None
        return replace(found, label=label) if label else found

    def _class(self, address: int) -> str | None:
        """Which class of asyncio/locks.py an object is made from."""
        return next((name for name in self._containers.classes(address) if name in _LOCKS), None)

    def _resource(self, known: str, owner: int, function: str, sure: bool) -> Awaited:
        key = known, owner, function, sure
        if key not in self._resources:
            self._resources[key] = self._new_resource(*key)
        return self._resources[key]

    def _new_resource(self, known: str, owner: int, function: str, sure: bool) -> Awaited:
        proof = f"{known}.{function} made the future that the task waits for"
        return Awaited(
            _LOCK_METHODS[function, known],
            proof,
            _LOCKS[known],
            owner,
            self._containers.type_title(owner),
            certainty=Certainty.PROVEN if sure else Certainty.INFERRED,
            note=_NOTES.get(_LOCKS[known]),
            operation=function,
        )

    def _queue(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        frame, function = frames[0], frames[0].code.bare_name
        text = {
            "get": "an item of {}",
            "put": "room in {}",
            "join": "task_done() for every item of {}",
        }.get(function)
        owner = self._self(frame)
        if text is None or not owner:
            return None
        if function == "join":
            text += left_of(self._containers, self._objects.attributes(owner))
        sure = not future or self._made(frame, f"{function}ter", future)
        return Awaited(
            text,
            f"Queue.{function} made the future that the task waits for",
            NodeKind.QUEUE,
            owner,
            self._containers.type_title(owner),
            certainty=Certainty.PROVEN if sure else Certainty.INFERRED,
            note=_NOTES[NodeKind.QUEUE],
            operation=function,
        )

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
        group = self._objects.attributes(self._self(frames[0]))
        if group.get("_on_completed_fut") != future:
            return None
        text = "TaskGroup: it waits until all of its tasks are done"
        found = self._several(text, text, self._containers.set_items(group.get("_tasks", 0)))
        return replace(found, together=found.certainty.supports_claim)

    def _made(self, frame: Frame, variable: str, future: int) -> bool:
        """Whether a frame has *future* in a variable."""
        return self._frames.variables(frame).get(variable) == future

    def _self(self, frame: Frame) -> int:
        return self._frames.variables(frame).get("self", 0)


@lru_cache(1024)
def _of_asyncio(filename: str) -> str | None:
    """The name of a file of the package asyncio; None: it is of none."""
    parts = filename.rsplit("/", 2)
    return parts[-1] if parts[-2:-1] == ["asyncio"] else None


def _without_future(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Without the frame of a future that is written in Python: it waits for itself to be done."""
    inner = bool(frames) and frames[0].code.filename.endswith("/asyncio/futures.py")
    return frames[1:] if inner else frames


def _arrived(parties: Parties) -> str:
    return f", {parties.there} of {parties.all} {'is' if parties.there == 1 else 'are'} there"


_LOCK_METHODS = {
    ("acquire", "Lock"): "{}",
    ("acquire", "Semaphore"): "a unit of {}",
    ("wait", "Event"): "{} to be set",
    ("wait", "Condition"): "a notify() of {}",
    ("wait", "Barrier"): "the other parties of {}",
}
"""What a task waits for that is inside of a method of a class of asyncio/locks.py."""
