"""Waits for a notification: conditions, and the events, queues and futures made of them."""

from collections.abc import Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.awaited import Awaited, self_of
from hangtui.backends.cpython.barriers import parties_of
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.future_workers import FutureWorkers
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.pool_results import PoolResults
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeKind, clean

_FUTURES = "concurrent/futures/_base.py"
_FUTURE = "concurrent.futures.Future"
_SEVERAL = frozenset({"wait", "as_completed"})
"""Its functions that wait for more than one future."""
_UNDONE = frozenset({"PENDING", "RUNNING"})
_CALLED_OFF = "CANCELLED"
"""Of these nobody has told those who wait for several yet: it says so as well once that is done."""
_OF_CALLED_OFF = (
    "of what is cancelled, wait() is told once whoever was to run it calls "
    "set_running_or_notify_cancel(), and not by cancel()"
)
_QUEUE_METHODS = frozenset({"get", "put", "join"})
_OF_QUEUES = {"not_empty": "get", "not_full": "put", "all_tasks_done": "join"}
"""The conditions of a queue, by what waits at them: whoever wants a timeout in ``join`` does that
himself, as logging libraries do."""
_THREADING = "/threading.py"
_MOST = 64
"""Variables that are looked at for such a queue."""


class Notifications:
    """Tells what a ``Condition.wait`` is for, by the frames that called it.

    *stacks*: frames by ``Thread.ident``.
    """

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        locks: Locks,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._locks = locks
        self._containers = Containers(objects, CodeReader(objects))
        self._workers = FutureWorkers(objects, frames, stacks)
        self._results = PoolResults(objects, frames, self._containers, stacks)

    def awaited(self, frames: tuple[Frame, ...], lock: Lock | None) -> Awaited | None:
        """``Condition.wait``, and what is built on it: nobody owns it, somebody must notify."""
        if lock is None or not frames:
            return None
        condition = self._self_of(frames[0], "wait", "threading.py")
        if not condition or self._frames.variables(frames[0]).get("waiter") != lock.address:
            return None
        for recognise in (
            self._futures,
            self._results.awaited,
            self._event,
            self._semaphore,
            self._queue,
            self._barrier,
            self._future,
        ):
            found = recognise(frames)
            if found is not None:
                return found
        found = self._at_its_condition(frames, condition)
        if found is not None:
            return found
        text = "Condition.wait: it waits for a notify()"
        note = "a condition has no owner: any thread may notify it"
        name = self._objects.qualified_type(condition)
        return Awaited(
            NodeKind.CONDITION, condition, text, type_name=name, note=note, call="Condition.wait"
        )

    def _event(self, frames: tuple[Frame, ...]) -> Awaited | None:
        event = self._self_of(frames[1], "wait", "threading.py") if len(frames) > 1 else 0
        if not event or self._objects.type_name(event) != "Event":
            return None
        text, note = (
            "Event.wait: it waits for a set()",
            "an event has no owner: any thread may set it",
        )
        return Awaited(
            NodeKind.EVENT, event, text, type_name="threading.Event", note=note, call="Event.wait"
        )

    def _semaphore(self, frames: tuple[Frame, ...]) -> Awaited | None:
        for frame in frames[1:3]:
            semaphore = self._self_of(frame, "acquire", "threading.py")
            if semaphore and "_value" in self._objects.attributes(semaphore):
                lock = self._locks.semaphore(semaphore)
                text = "Semaphore.acquire: it waits for a unit"
                return Awaited(
                    NodeKind.SEMAPHORE,
                    semaphore,
                    text,
                    type_name=lock.type_name,
                    lock=lock,
                    call="Semaphore.acquire",
                )
        return None

    def _queue(self, frames: tuple[Frame, ...]) -> Awaited | None:
        for frame in frames[1:3]:
            method = frame.code.bare_name
            if method not in _QUEUE_METHODS:
                continue
            queue = self._self_of(frame, method, "queue.py")
            if queue and "not_empty" in self._objects.attributes(queue):
                return self._of_queue(queue, method)
        return None

    def _at_its_condition(self, frames: tuple[Frame, ...], condition: int) -> Awaited | None:
        """Of a queue in a variable of whoever waits at one of its conditions, or of his object."""
        outside = (one for one in frames if not one.code.filename.endswith(_THREADING))
        caller = next(outside, None)
        if caller is None:
            return None
        variables = self._frames.variables(caller)
        own = variables.get("self")
        near = [*variables.values(), *(self._objects.attributes(own).values() if own else ())]
        for value in near[:_MOST]:
            attributes = self._objects.attributes(value)
            for name, method in _OF_QUEUES.items():
                if attributes.get(name) == condition:
                    return self._of_queue(value, method)
        return None

    def _of_queue(self, queue: int, method: str) -> Awaited:
        text = f"Queue.{method}: " + {
            "get": "it waits for an item",
            "put": "it waits for room",
            "join": "it waits for task_done() of all items",
        }.get(method, "")
        name = self._objects.qualified_type(queue)
        note = "a queue has no owner: any thread may put or get"
        return Awaited(
            NodeKind.QUEUE, queue, text, type_name=name, note=note, call=f"Queue.{method}"
        )

    def _barrier(self, frames: tuple[Frame, ...]) -> Awaited | None:
        for frame in frames[1:4]:
            barrier = self._self_of(frame, "wait", "threading.py")
            if barrier and self._objects.type_name(barrier) == "Barrier":
                text = "Barrier.wait: it waits for the other parties"
                return Awaited(
                    NodeKind.BARRIER,
                    barrier,
                    text,
                    type_name="threading.Barrier",
                    call="Barrier.wait",
                    parties=parties_of(self._objects, barrier),
                )
        return None

    def _futures(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """``concurrent.futures.wait`` and ``as_completed``: the event that they share with their
        futures is set by whichever worker ends the last, or the next, of them."""
        if len(frames) < 3 or not frames[2].code.filename.endswith(_FUTURES):
            return None
        function = frames[2].code.function
        waiter = self._frames.variables(frames[2]).get("waiter")
        event = self._self_of(frames[1], "wait", "threading.py")
        if function not in _SEVERAL or not waiter or not event:
            return None
        if self._objects.attributes(waiter).get("event") != event:
            return None
        states = self._undone(frames[2])
        left = list(states)
        off = sum(state == _CALLED_OFF for state in states.values())
        if len(left) == 1 and not off:
            return self._task(left[0], function)
        return Awaited(
            NodeKind.FUTURE,
            waiter,
            f"{function}: it waits for tasks to be done",
            type_name=f"concurrent.futures.{function}",
            name=_named(len(left), off),
            note=_OF_CALLED_OFF if off else "the workers that run its tasks end the wait",
            call=function,
        )

    def _future(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """``Future.result``: the worker that runs it, or all of its pool while it is queued."""
        for frame in frames[1:3]:
            for method in ("result", "exception"):
                future = self._self_of(frame, method, _FUTURES)
                if future:
                    return self._task(future, f"Future.{method}")
        return None

    def _undone(self, frame: Frame) -> dict[int, str]:
        """The futures that are not done of those that a function was given, with their states;
        empty: that cannot be told."""
        variables = self._frames.variables(frame)
        those = variables.get("not_done") or variables.get("pending")
        try:
            futures = self._containers.members_of_set(those) if those else []
            states = [self._objects.attributes(one).get("_state", 0) for one in futures]
            named = [self._objects.text(state) if state else "" for state in states]
        except MemoryReadError:
            return {}
        every = zip(futures, named, strict=True)
        return {one: state for one, state in every if state in _UNDONE or state == _CALLED_OFF}

    def _task(self, future: int, call: str) -> Awaited:
        """A wait for the result of one task. A class of a package's own is told, since that
        package is to set it."""
        try:
            kind = clean(self._objects.qualified_type(future))
        except MemoryReadError:
            kind = _FUTURE
        own = "." in kind and not kind.startswith("concurrent.")
        task = f"the task ({kind})" if own else "the task"
        return Awaited(
            NodeKind.FUTURE,
            future,
            f"{call}: it waits for {task} to be done",
            type_name=_FUTURE,
            owners=self._workers.of(future),
            call=call,
        )

    def _self_of(self, frame: Frame, function: str, *files: str) -> int:
        return self_of(self._frames, frame, function, *files)


def _named(left: int, off: int) -> str | None:
    """``2 cancelled futures``, ``2 cancelled and 3 other futures``; None: it is not known how many
    are left."""
    if not left:
        return None
    if left > off:
        return f"{off} cancelled and {left - off} other futures" if off else f"{left} futures"
    return "future that is cancelled" if off == 1 else f"{off} cancelled futures"
