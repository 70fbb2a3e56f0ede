"""Futures and tasks of asyncio: the ones of C and the ones of Python."""

from collections.abc import Iterator
from enum import Enum

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import NULL_PAGES, clean

_PENDING = 0
"""STATE_PENDING of fut_state (Modules/_asynciomodule.c)."""
_MAX_CALLBACKS = 2000


class FutureKind(Enum):
    """What implements a future."""

    C_TASK = "_asyncio.Task"
    C_FUTURE = "_asyncio.Future"
    PYTHON = "a class written in Python"


@dataclass(frozen=True, slots=True)
class RawTask:
    """A task as it is stored. Addresses are 0 for what it does not have."""

    address: int
    loop: int
    coroutine: int
    name: str | None
    awaited: int
    """The future that it waits for."""
    cancels: int = 0
    """How often it was asked to be cancelled and did not take that back; 0 before CPython 3.11,
    which does not count it."""


class Futures:
    """Reads futures and tasks of one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._layout = objects.layout
        self._containers = containers
        self._kinds: dict[int, FutureKind | None] = {}
        fields = self._layout.offsets
        names = ("future.fut_loop", "task.task_coro", "task.task_fut_waiter", "task.task_name")
        self._fields = tuple(fields.get(name, 0) for name in names)
        self._state_field = fields.get("future.fut_state", 0)
        self._cancels_field = fields.get("task.task_num_cancels_requested")
        self._first_field = fields["future.fut_callback0"] if self._layout.since(3, 7) else None
        self._more_field = fields["future.fut_callbacks"]
        self._type_field = self._layout["object.ob_type"]
        """Asked for each of thousands of tasks."""

    def kind(self, address: int) -> FutureKind | None:
        """What implements the future at *address*; None: there is none. Never raises."""
        if address < NULL_PAGES or address & 7:
            return None
        try:
            class_ = self._memory.u64(address + self._type_field)
            if class_ not in self._kinds:
                known = self._objects.kind(address) is not None
                self._kinds[class_] = self._recognised(address, class_) if known else None
        except MemoryReadError:
            return None
        return self._kinds[class_]

    def pending(self, address: int) -> FutureKind | None:
        """What implements the future at *address* if that is not done; None: it is, or there is
        none.

        Raises:
            MemoryReadError: it cannot be read.
        """
        kind = self.kind(address)
        return None if kind is None or self._done(address, kind) else kind

    def _recognised(self, address: int, class_: int) -> FutureKind | None:
        """By the class and its bases; a C type must also have the size that was measured."""
        names = self._containers.classes(address)
        for kind, field in (
            (FutureKind.C_TASK, "task.sizeof"),
            (FutureKind.C_FUTURE, "future.sizeof"),
        ):
            if kind.value in names:
                size = self._memory.u64(class_ + self._layout["type.tp_basicsize"])
                return kind if size >= self._layout[field] else None
        attributes = self._objects.attributes(address)
        return FutureKind.PYTHON if {"_callbacks", "_loop"} <= attributes.keys() else None

    def task(self, address: int) -> RawTask | None:
        """The task at *address* if it is not done. Never raises."""
        try:
            match self.pending(address):
                case FutureKind.C_TASK:
                    return self._task_of_c(address)
                case FutureKind.PYTHON:
                    attributes = self._objects.attributes(address)
                    if "_coro" in attributes:
                        return self._task_of_python(address, attributes)
        except MemoryReadError:
            pass
        return None

    def _task_of_c(self, address: int) -> RawTask:
        pointer = self._memory.u64
        loop, coroutine, waiter, name = self._fields
        return RawTask(
            address,
            pointer(address + loop),
            pointer(address + coroutine),
            self._name(pointer(address + name) if name else 0),
            self._something(pointer(address + waiter)),
            self._cancels(address),
        )

    def _task_of_python(self, address: int, attributes: dict[str, int]) -> RawTask:
        return RawTask(
            address,
            attributes.get("_loop", 0),
            attributes["_coro"],
            self._name(attributes.get("_name", 0)),
            self._something(attributes.get("_fut_waiter", 0)),
            self._containers.integer(attributes.get("_num_cancels_requested", 0)) or 0,
        )

    def _cancels(self, address: int) -> int:
        if self._cancels_field is None:
            return 0
        return max(0, self._memory.i32(address + self._cancels_field))

    def _something(self, address: int) -> int:
        """*address*, or 0 where it is ``None``."""
        return 0 if self._objects.kind(address) in (None, "NoneType") else address

    def _name(self, address: int) -> str | None:
        """From 3.12 on the name of a task that has no other is kept as its number."""
        if self._objects.kind(address) == "str":
            return clean(self._objects.text(address), 200)
        number = self._containers.integer(address)
        return None if number is None else f"Task-{number}"

    def done(self, address: int) -> bool:
        """Whether a future has a result, an exception, or was cancelled."""
        return self._done(address, self.kind(address))

    def _done(self, address: int, kind: FutureKind | None) -> bool:
        if kind is FutureKind.PYTHON:
            state = self._objects.attributes(address).get("_state", 0)  # of the class at first
            return self._objects.kind(state) == "str" and self._objects.text(state) != "PENDING"
        return self._memory.u32(address + self._state_field) != _PENDING

    def exception(self, address: int) -> int:
        """The exception that a future has ended with; 0: none, or it is not done."""
        if self.kind(address) is FutureKind.PYTHON:
            found = self._objects.attributes(address).get("_exception", 0)
        elif self.kind(address) is None or not self.done(address):
            return 0
        else:  # FutureObj_HEAD: fut_exception follows on fut_callbacks
            found = self._memory.u64(address + self._layout["future.fut_callbacks"] + 8)
        return self._something(found) if found else 0

    def name(self, address: int) -> str | None:
        """What a task is called; None: it has no name."""
        if self.kind(address) is FutureKind.PYTHON:
            return self._name(self._objects.attributes(address).get("_name", 0))
        if not self._layout.since(3, 8):
            return None
        return self._name(self._memory.u64(address + self._layout["task.task_name"]))

    def is_task(self, address: int) -> bool:
        """Whether the future at *address* is a task, done or not. Never raises."""
        kind = self.kind(address)
        if kind is FutureKind.PYTHON:
            return "_coro" in self._objects.attributes(address)
        return kind is FutureKind.C_TASK

    def children(self, address: int) -> list[int] | None:
        """What ``asyncio.gather`` waits for behind a future; None: it is none of that kind."""
        if "_GatheringFuture" not in self._containers.classes(address):
            return None
        return self._containers.sequence(self._objects.attributes(address).get("_children", 0))

    def waited_for_by_tornado(self, child: int) -> Iterator[tuple[int, str, list[int]]]:
        """The futures of tornado's that wait for *child* beside others, each with what for in words
        and with all that are left of these.

        Raises:
            MemoryReadError: its callbacks cannot be read.
        """
        for callback in self.callbacks(child):
            closed = self._containers.closure(callback)
            left = closed.get("unfinished_children", 0)
            if "future" in closed and self._objects.kind(left) == "set":
                text = "gen.multi: it waits until all of its tasks are done"
                yield closed["future"], text, self._containers.set_items(left)
            iterator = self._objects.bound_to(callback)
            if iterator and "WaitIterator" in self._containers.classes(iterator):
                attributes = self._objects.attributes(iterator)
                futures = [key for key, _ in self._objects.items(attributes.get("_unfinished", 0))]
                text = "gen.WaitIterator: it waits until the next one of its tasks is done"
                yield attributes.get("_running_future", 0), text, futures

    def source(self, address: int) -> int:
        """The future whose result a future takes over: one shielded, or one of a thread pool.

        ``shield`` and ``wrap_future`` leave it in the closure of a callback. 0: there is none.
        """
        for callback in self.callbacks(address):
            name = self._objects.function_name(callback)
            variable = {"_call_check_cancel": "source", "_outer_done_callback": "inner"}.get(
                name or ""
            )
            if variable:
                return self._containers.closure(callback).get(variable, 0)
        return 0

    def callbacks(self, address: int) -> list[int]:
        """What is called when it is done: functions, without the contexts that they are given."""
        first: list[int] = []
        if self.kind(address) in (FutureKind.C_TASK, FutureKind.C_FUTURE):
            if self._first_field is not None:
                first = [self._memory.u64(address + self._first_field)]
            more = self._memory.u64(address + self._more_field)
        else:  # also concurrent.futures.Future
            attributes = self._objects.attributes(address)
            more = attributes.get("_callbacks", attributes.get("_done_callbacks", 0))
        entries = first + self._containers.sequence(more)[:_MAX_CALLBACKS]
        found: list[int] = []
        for entry in filter(None, entries):
            pair = self._objects.kind(entry) == "tuple"
            found += self._objects.tuple_items(entry)[:1] if pair else (entry,)
        return found
