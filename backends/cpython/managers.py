"""Which lock entering a context manager took: the lock itself, or one behind a wrapper."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from hangtui.backends.cpython.acquisitions import Acquisitions
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

_MAX_DEPTH = 5
_MAX_CALLBACKS = 2000
_MAX_VISITS = 1000
"""Managers that are looked behind for one that a frame entered: wrappers may contain each other."""
_DEQUE_BLOCK = 64
"""BLOCKLEN of Modules/_collectionsmodule.c."""
_CONDITIONS = ("threading.Condition", "multiprocessing.synchronize.Condition")
_SEMAPHORES = ("threading.Semaphore", "threading.BoundedSemaphore")


@dataclass(frozen=True, slots=True)
class Entered:
    """A lock that entering a context manager took."""

    lock: Lock
    via: str = ""
    """The wrapper it was taken through."""
    sure: bool = True
    """False: the wrapper's code suggests it, but does not prove it."""


class Managers:
    """Looks behind context managers of one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        blocks: WithBlocks,
        signs: Acquisitions,
        locks: Locks | None = None,
    ) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._frames = frames
        self._blocks = blocks
        self._signs = signs
        self._locks = locks or Locks(objects)
        self._visits_left = _MAX_VISITS

    def locks(self, manager: int, exit_method: int = 0, depth: int = 0) -> list[Entered]:
        """The locks that *manager* holds while it is entered.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if depth == 0:
            self._visits_left = _MAX_VISITS
        self._visits_left -= 1
        self._memory.spent.objects(1)
        if depth > _MAX_DEPTH or self._visits_left < 0:
            return []
        lock = self._locks.read(manager)
        if lock is not None:
            return [Entered(lock)]
        try:
            return list(self._behind(manager, exit_method, depth))
        except MemoryReadError:
            return []

    def _behind(self, manager: int, exit_method: int, depth: int) -> Iterator[Entered]:
        name = self._objects.qualified_type(manager)
        attributes = self._objects.attributes(manager)
        if name in _CONDITIONS:
            inner = attributes.get("_lock")
            yield from self._through(inner, "its Condition", depth)
        elif "_semlock" in attributes:
            shared = self._locks.read(attributes["_semlock"])
            yield from [Entered(shared)] if shared else []
        elif name in _SEMAPHORES:
            yield Entered(self._locks.semaphore(manager))
        elif name == "contextlib._GeneratorContextManager":
            yield from self._generator(attributes.get("gen", 0), depth)
        elif name == "contextlib.ExitStack":
            for inner, leave in self._pushed(attributes.get("_exit_callbacks", 0)):
                yield from self._through(inner, "an ExitStack", depth, leave)
        elif exit_method:
            enter = self._objects.class_attribute(manager, "__enter__")
            yield from self._user_class(manager, enter, exit_method, depth)

    def taken_by_methods(self, owner: int) -> list[Entered]:
        """The locks that *owner* has between ``owner.acquire()`` and ``owner.release()``, where its
        class has such methods of its own, as that of a handler of logging.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        self._visits_left = _MAX_VISITS
        try:
            take, give = (
                self._objects.class_attribute(owner, name) for name in ("acquire", "release")
            )
            return list(self._user_class(owner, take, give, 0)) if take and give else []
        except MemoryReadError:
            return []

    def _user_class(
        self, manager: int, enter: int, exit_method: int, depth: int
    ) -> Iterator[Entered]:
        """A class of the program's: what its method *enter* takes and *exit_method* releases."""
        name = self._objects.type_name(manager)
        taken = {path for path, _ in self._signs.used(enter, manager, ("acquire", "__enter__"))}
        for path, inner in self._signs.used(exit_method, manager, ("release", "__exit__")):
            for found in self._through(inner, f"{name}, which wraps self.{path}", depth):
                yield replace(found, sure=found.sure and path in taken)
        for path, inner in self._signs.kept_below(enter, exit_method, manager):
            for found in self._through(inner, f"{name}, which takes self.{path}", depth):
                yield replace(found, sure=False)

    def _through(
        self, inner: int | None, via: str, depth: int, exit_method: int = 0
    ) -> list[Entered]:
        return [
            replace(found, via=f"{via}, {found.via}" if found.via else via)
            for found in (self.locks(inner, exit_method, depth + 1) if inner else ())
        ]

    def _generator(self, generator: int, depth: int) -> Iterator[Entered]:
        """A function with ``@contextmanager`` is suspended inside its own ``with`` blocks."""
        frame = self.suspended(generator)
        if frame is None:
            return
        via = f"the context manager {frame.code.function} ({frame.place})"
        for block in self._blocks.of(frame):
            for found in self.locks(block.manager, block.exit_method, depth + 1):
                yield replace(found, via=via)
        for sign in self._signs.of(frame):
            for found in self.locks(sign.object, 0, depth + 1):
                yield replace(found, via=f"{via}, where {sign.text}", sure=False)

    def given_back(self, condition: int) -> list[Entered]:
        """The locks that ``wait()`` of a Condition, or of a class derived from it, gives back."""
        return self._through(self._objects.attributes(condition).get("_lock"), "its Condition", 0)

    def released_by_waiting(self, frames: tuple[Frame, ...]) -> Collection[int]:
        """Locks that ``Condition.wait`` gave back for as long as it waits."""
        released = set()
        for frame in frames:
            name = frame.code.bare_name
            if name == "wait" and frame.code.filename.endswith("threading.py"):
                condition = self._frames.variables(frame).get("self", 0)
                released |= {found.lock.address for found in self.given_back(condition)}
        return released

    def suspended(self, generator: int) -> Frame | None:
        """The frame of a suspended generator or coroutine."""
        return self._frames.suspended(generator) if generator else None

    def _pushed(self, deque: int) -> Iterator[tuple[int, int]]:
        """The context managers on an ExitStack, which the pushed ``__exit__`` are bound to, each
        with that; 0: what is pushed is no ``__exit__`` that is bound."""
        for entry in self._deque(deque):
            if self._objects.kind(entry) == "tuple":  # (is_sync, callable) from 3.7 on
                for member in self._objects.tuple_items(entry):
                    yield from self._callback(member)
            else:
                yield from self._callback(entry)

    def _callback(self, callable_: int) -> Iterator[tuple[int, int]]:
        bound = self._objects.bound_to(callable_)
        if bound:
            leaves = self._objects.function_name(callable_) == "__exit__"
            yield bound, callable_ if leaves else 0
        elif self._objects.kind(callable_) == "function":  # up to 3.7: a closure over manager
            yield from ((v, 0) for v in self._closure(callable_) if self._locks.read(v))

    def _closure(self, function: int) -> Iterator[int]:
        cells = self._memory.u64(function + self._objects.layout["func.func_closure"])
        for cell in self._objects.tuple_items(cells) if cells else ():
            yield self._objects.cell_contents(cell)

    def _deque(self, deque: int) -> Iterator[int]:
        """dequeobject: size, leftblock, rightblock, leftindex; block: leftlink, data, rightlink."""
        if self._objects.kind(deque) != "collections.deque":
            return
        layout = self._objects.layout
        left = self._objects.size(deque)
        block = self._memory.u64(deque + layout["deque.leftblock"])
        index = self._memory.i64(deque + layout["deque.leftindex"])
        self._memory.spent.objects(max(0, min(left, _MAX_CALLBACKS)))
        for _ in range(min(left, _MAX_CALLBACKS)):
            if not 0 <= index <= _DEQUE_BLOCK:
                return
            if index == _DEQUE_BLOCK:
                block, index = self._memory.u64(block + layout["dequeblock.rightlink"]), 0
            yield self._memory.u64(block + layout["dequeblock.data"] + 8 * index)
            index += 1
