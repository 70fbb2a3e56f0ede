"""What a task of trio waits for: a lock, an event, a channel, its children, a thread, the network.

Each wait ends in one of trio's own functions, and the `self` of that is the object. anyio's classes
hand on to trio's, so the same functions tell; what the program calls the object is anyio's then.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.awaits import MOST_SLEEPS
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.pools.anchors import LOCKS
from hangtui.backends.cpython.trio.channels import Channels, kept, open_ends
from hangtui.backends.cpython.trio.deadlines import Deadlines, left
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.places import own, runs, telling, within
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeKind, Sleep, clean

_Frames = list[Frame]
_PARKED = (
    ("Lock", NodeKind.LOCK, "{}", "acquire"),
    ("_LockImpl", NodeKind.LOCK, "{}", "acquire"),
    ("CapacityLimiter", NodeKind.SEMAPHORE, "a token of {}", "acquire"),
    ("Semaphore", NodeKind.SEMAPHORE, "a unit of {}", "acquire"),
    ("Condition", NodeKind.CONDITION, "a notify() of {}", "wait"),
)
"""Classes whose methods park the task that calls them, and how it waits then."""
_NOTES = {
    NodeKind.EVENT: "an event has no owner: any task may set it",
    NodeKind.CONDITION: "a condition has no owner: any task may notify it",
    NodeKind.QUEUE: "a channel has no owner: who has its other end may use it",
    NodeKind.SEMAPHORE: "a semaphore records no owner: any task may release it",
}
_ENDS = {"receive": ("an item of {}", "get"), "send": ("room in {}", "put")}
_IO = ("_core/_io_epoll.py", "_core/_io_kqueue.py", "_core/_io_windows.py")
_MOST_PIDS = 1 << 22
"""PID_MAX_LIMIT of the kernel."""


class Awaits:
    """Recognises what tasks of one interpreter wait for."""

    def __init__(self, fields: Fields, deadlines: Deadlines) -> None:
        self._fields = fields
        self._channels = Channels(fields)
        self._deadlines = deadlines
        self._sleeps = 0
        self._rules: dict[str, Callable[[int, _Frames], Awaited | None]] = {
            "_core/_parking_lot.py": self._parked,
            "_core/_run.py": self._children,
            "_sync.py": self._event,
            "_channel.py": self._channel,
            "_threads.py": self._thread,
        }

    def of(self, task: int, stack: tuple[Frame, ...], ahead: float | None) -> Awaited:
        """What a suspended *task* waits for. *ahead*: of its clock.

        Raises:
            MemoryReadError: what it waits for cannot be read.
            BudgetSpentError: too many objects of this process were looked at.
        """
        frames = telling(stack)
        deadline = self._deadlines.of(task)
        if not frames:
            return Awaited("to be woken (trio.lowlevel)", expires=math.isfinite(deadline))
        file, function = within(frames[0]), frames[0].code.bare_name
        rule = self._rules.get(file)
        found = rule(task, frames) if rule else None
        if found is None and file in _IO:
            found = self._outside(frames)
        if found is None and file == "_timeouts.py":
            called = self._caller(frames).code.bare_name
            what = "sleep" if called.startswith("sleep_until") else called
            slept = self._sleep(frames, deadline, ahead)
            found = Awaited(f"{what}{left(deadline, ahead)}", sleep=slept)
        if found is None:
            found = self._lock(frames[0]) or Awaited(f"to be woken ({clean(function, 80)})")
        # A thread's work goes on although the one who waits for it is cancelled.
        ends = math.isfinite(deadline) and not runs(frames[0], "_threads.py", function)
        return replace(found, expires=ends)

    def _sleep(self, frames: _Frames, deadline: float, ahead: float | None) -> Sleep | None:
        """How long it sleeps that was told for how long."""
        called = next((one for one in frames if runs(one, "_timeouts.py", "sleep")), None)
        if called is None:
            return None
        self._sleeps += 1
        if self._sleeps > MOST_SLEEPS:
            return None
        total = self._fields.containers.seconds(
            self._fields.frames.variables(called).get("seconds", 0)
        )
        timed = ahead is not None and math.isfinite(deadline)
        return Sleep(total, deadline - (ahead or 0.0) - time.monotonic() if timed else None)

    def _caller(self, frames: _Frames) -> Frame:
        """The outermost of the innermost frames of trio: what the program called."""
        last = frames[0]
        for frame in frames:
            if not within(frame):
                break
            if not frame.code.bare_name.startswith(("_", "wrapper")):  # that of a decorator
                last = frame
        return last

    def _lock(self, frame: Frame) -> Awaited | None:
        """A lock of another package, which parks the task by itself."""
        owner = self._fields.self_of(frame) if frame.installed and not own(frame) else 0
        if not owner or not LOCKS.fullmatch(self._fields.containers.type_title(owner)):
            return None
        found = self._resource(NodeKind.SEMAPHORE, owner, "{}", frame.code.bare_name, [frame])
        return replace(found, note=None)

    # -- what is parked -------------------------------------------------------------------------

    def _parked(self, task: int, frames: _Frames) -> Awaited | None:
        if len(frames) < 2:
            return None
        lot, owner = self._fields.of(task, "custom_sleep_data"), self._fields.self_of(frames[1])
        if within(frames[1]) == "_signals.py":
            return Awaited("a signal (open_signal_receiver)")
        lock = self._fields.of(owner, "_lock")
        if lot and lock and lot == self._fields.of(lock, "_lot"):
            owner = lock  # notified: it waits for the condition's lock now
        for name, kind, text, operation in _PARKED:
            if self._fields.is_a(owner, name):
                return self._resource(kind, owner, text, operation, frames[1:])
        text = f"to be unparked ({clean(frames[1].code.bare_name, 80)})"
        return Awaited(text, "it is parked in a trio.lowlevel.ParkingLot")

    def _event(self, _: int, frames: _Frames) -> Awaited | None:
        owner = self._fields.self_of(frames[0])
        if not self._fields.is_a(owner, "Event"):
            return None
        behind = self._behind_event(frames[1:])
        return behind or self._resource(NodeKind.EVENT, owner, "{} to be set", "wait", frames)

    def _behind_event(self, frames: _Frames) -> Awaited | None:
        """anyio makes an event for one wait for a condition or a channel, up to 4.4 for a lock."""
        for index, frame in enumerate(frames):
            file, owner = within(frame, "anyio"), self._fields.self_of(frame)
            if not file:
                return None
            if file == "_core/_synchronization.py" and self._is_anyio(owner, "Condition"):
                text = "a notify() of {}"
                return self._resource(NodeKind.CONDITION, owner, text, "wait", frames[index:])
            if file == "_core/_synchronization.py" and self._is_anyio(owner, "Lock"):
                return self._resource(NodeKind.LOCK, owner, "{}", "acquire", frames[index:])
            if file == "streams/memory.py" and frame.code.bare_name in _ENDS:
                return self._end(owner, frame.code.bare_name)
        return None

    def _is_anyio(self, owner: int, name: str) -> bool:
        return self._fields.is_a(owner, name, package="anyio")

    def _resource(
        self, kind: NodeKind, owner: int, text: str, operation: str, frames: _Frames
    ) -> Awaited:
        outer, named = self._wrappers(owner, frames)
        return Awaited(
            text,
            f"the task is suspended in its {operation}()",
            kind,
            owner,
            self._fields.containers.type_title(outer),
            note=_NOTES.get(kind),
            operation=operation,
            object=named,
        )

    def _wrappers(self, owner: int, frames: _Frames) -> tuple[int, int]:
        """The object of anyio's that stands for one of trio's, and what the program has instead of
        that, if it made it before any loop ran (4.10 on); else that itself."""
        outer = named = owner
        for frame in frames:
            if within(frame, "anyio"):
                found = self._fields.self_of(frame)
                refers = self._fields.containers.slots(found) if found else {}
                refers = refers | (self._fields.objects.attributes(found) if found else {})
                if named in refers.values():
                    outer, named = (found if outer == owner else outer), found
            elif not own(frame):
                break
        return outer, named

    # -- channels, children, threads ------------------------------------------------------------

    def _channel(self, _: int, frames: _Frames) -> Awaited | None:
        function = frames[0].code.bare_name
        found = self._end(self._fields.self_of(frames[0]), function) if function in _ENDS else None
        if found is None:
            return None
        known = kept(self._fields, self._channels, found.address, function, frames)
        return replace(found, kept=known)

    def _end(self, end: int, function: str) -> Awaited | None:
        state = self._fields.of(end, "_state")
        if not state:
            return None
        text, operation = _ENDS[function]
        count = open_ends(self._fields, state, function)
        return Awaited(
            text,
            f"the task is suspended in {function}()",
            NodeKind.QUEUE,
            state,
            self._fields.containers.type_title(end),
            note=count[1] if count else _NOTES[NodeKind.QUEUE],
            operation=operation,
            object=end,
        )

    def _children(self, task: int, frames: _Frames) -> Awaited | None:
        """The end of ``async with open_nursery()``."""
        owner = self._fields.self_of(frames[0])
        if not self._fields.is_a(owner, "Nursery"):
            return None
        text = "nursery: it waits until all of its tasks are done"
        how = None
        if any(runs(frame, "_core/_run.py", "start") for frame in frames[1:3]):
            text, how = "nursery.start(): it waits for task_status.started()", "started"
        children = self._fields.containers.set_items(self._fields.of(owner, "_children"))
        if task in children:
            raise MemoryReadError("no task is in a nursery of its own: it went on meanwhile")
        return Awaited(text, text, tasks=tuple(children), operation=how, together=True)

    def _thread(self, _: int, frames: _Frames) -> Awaited | None:
        variables = self._fields.frames.variables(frames[0])
        register = variables.get("task_register", 0)
        if self._fields.objects.kind(register) != "list":
            return None
        name = self.work(variables)
        label = f"result of {name}()" if name else "result of a call"
        return Awaited(
            "a thread's work, the {}",
            "it is suspended in to_thread.run_sync until the thread is done",
            NodeKind.FUTURE,
            register,
            type_name="trio.to_thread.run_sync",
            label=label,
        )

    def work(self, variables: Mapping[str, int]) -> str | None:
        """The function that a call of ``to_thread.run_sync`` with these variables runs."""
        function = variables.get("sync_fn", 0)
        inner = self._fields.containers.closure(function).get("func", 0)  # anyio wraps it
        for one in (inner, function):
            partial = self._fields.objects.kind(one) == "functools.partial"
            called = self._fields.containers.field(one) if partial else one
            name = self._fields.objects.function_name(called) if called else None
            if name:
                return clean(name, 80)
        return None

    # -- from outside ---------------------------------------------------------------------------

    def _outside(self, frames: _Frames) -> Awaited:
        """A file descriptor, or through one of these a child's end."""
        for frame in frames:
            if within(frame) == "_subprocess.py":
                child = self._child(self._fields.self_of(frame))
                what = f"process {child}" if child else "a child process"
                proof = "Process.wait: it waits for the exit of its child"
                return Awaited(f"the end of {what}", proof, process=child)
        number = self._fields.containers.integer(
            self._fields.frames.variables(frames[0]).get("fd", 0)
        )
        which = "" if number is None else f" on file descriptor {number}"
        called = self._caller(frames).code.bare_name
        return Awaited(f"the network ({called}{which})", descriptor=number)

    def _child(self, process: int) -> int:
        """Its number; 0: it cannot be told."""
        try:
            place = self._fields.path(process, "_proc", "pid")
            number = self._fields.containers.integer(place)
        except MemoryReadError:
            return 0
        return number if number is not None and 0 < number < _MOST_PIDS else 0
