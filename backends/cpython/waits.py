"""What a Python thread waits for when its futex belongs to an object of the interpreter.

The futex names a word. The lock object that owns the word is found by an exact match; what the
lock is *for* (a condition, an event, a thread's end, ...) follows from the frames that wait.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.awaited import Awaited, Owner, self_of
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.notifications import Notifications
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.shared_primitives import primitive_of
from hangtui.backends.cpython.sharedlocks import SharedLocks
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Certainty, NodeKind, clean

_FRAMES_SEARCHED = 4
_STACK_SEARCHED = 16 << 10
"""Bytes of the native stack that are searched for the object."""
_PARKED_ADDRESS = -8
"""From wait_entry.sema to wait_entry.addr (Python/parking_lot.c, 3.13 on)."""
_WAITS_FOR_ITSELF = ("/threading.py", ("wait", "_wait_for_tstate_lock"))
"""The file, and functions of it, which wait for locks that they made: if one seems to wait for a
file, it has made one since its word was read, of the memory of which that was."""
_OBJECTS_WITH_LOCKS = {
    "_io.BufferedReader": NodeKind.IO_LOCK,
    "_io.BufferedWriter": NodeKind.IO_LOCK,
    "_io.BufferedRandom": NodeKind.IO_LOCK,
    "_queue.SimpleQueue": NodeKind.QUEUE,
}
"""C types with a lock inside (Modules/_io/bufferedio.c, Modules/_queuemodule.c)."""


class PythonWaits:
    """Resolves waits of one process's Python threads.

    *ends* tells whose end the release of a lock or event means: ``Thread.ident`` by the range of
    addresses that a joining thread waits in.
    """

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        locks: Locks,
        ends: Mapping[range, int],
        stacks: Mapping[int, tuple[Frame, ...]],
        shared: SharedLocks,
    ) -> None:
        self._shared = shared
        self._objects = objects
        self._memory = objects.memory
        self._frames = frames
        self._locks = locks
        self._ends = sorted(ends.items(), key=lambda one: one[0].start)
        self._stacks = stacks
        self._notifications = Notifications(objects, frames, locks, stacks)

    def awaited(self, ident: int, futex: int, stack_pointer: int) -> Awaited | None:
        """What the thread *ident* waits for; None: nothing of the interpreter's. Never raises."""
        frames = self._stacks.get(ident, ())
        word = self._word(futex, stack_pointer)
        try:
            lock = self._lock(word, frames, stack_pointer)
            return (
                self._thread_end(word, lock)
                or self._import_lock(frames)
                or self._notifications.awaited(frames, lock)
                or self._taken(lock, frames)
                or self._object(word, frames, stack_pointer)
            )
        except (MemoryReadError, LayoutError):
            return None

    def _word(self, futex: int, stack_pointer: int) -> int:
        """The address that a futex stands for.

        From 3.13 on a waiter may be parked: its futex then lies on its own stack, and the entry
        around it names the address that it waits for.
        """
        if self._objects.layout.since(3, 13) and futex > stack_pointer:
            stack = self._memory.mapping_at(stack_pointer)
            if stack is not None and futex < stack.end:
                try:
                    return self._memory.u64(futex + _PARKED_ADDRESS)
                except MemoryReadError:
                    pass
        return futex

    def _lock(self, word: int, frames: tuple[Frame, ...], stack_pointer: int) -> Lock | None:
        """The lock object whose waiters sleep on *word*; the match is exact or there is none."""
        for address in self._candidates(frames, stack_pointer):
            lock = self._locks.read(address)
            if lock is not None and lock.word == word:
                return lock
        return next((lock for lock in self._shared.all() if lock.word == word), None)

    def _candidates(self, frames: tuple[Frame, ...], stack_pointer: int) -> Iterator[int]:
        """Where the object that a thread waits on can be found: its frames, then its C stack."""
        for frame in frames[:_FRAMES_SEARCHED]:
            for value in self._frames.stack_slots(frame):
                yield value
                yield self._objects.bound_to(value)
            yield from self._frames.variables(frame).values()
        yield from set(self._memory.words_upward(stack_pointer, _STACK_SEARCHED))

    # -- what the lock is for -------------------------------------------------------------------

    def _thread_end(self, word: int, lock: Lock | None) -> Awaited | None:
        """``Thread.join``, also the one at the interpreter's exit."""
        places = (word, lock.address) if lock else (word,)
        for place in places:
            index = bisect_right(self._ends, place, key=lambda one: one[0].start)
            end, ident = self._ends[index - 1] if index else (range(0), 0)
            if place in end:
                text = "Thread.join: it waits for what only the thread's end releases"
                owner = Owner(ident, Certainty.PROVEN, text)
                return Awaited(NodeKind.THREAD, place, text, owners=(owner,), call="Thread.join")
        return None

    def _import_lock(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """importlib's lock on a module that another thread imports; it records its owner."""
        for frame in frames[:2]:
            lock = self_of(self._frames, frame, "acquire", "_bootstrap>", "_bootstrap.py")
            if lock and self._objects.kind(lock) == "_ModuleLock":
                name = self._objects.attributes(lock).get("name", 0)
                module = clean(self._objects.text(name), 80) if name else "?"
                owner = self.importer(lock)
                text = "it waits in importlib for another thread's import"
                owners = (
                    (Owner(owner, Certainty.CERTAIN, "_ModuleLock.owner names it"),)
                    if owner
                    else ()
                )
                return Awaited(
                    NodeKind.IMPORT_LOCK,
                    lock,
                    text,
                    name=f"import lock of module {module}",
                    owners=owners,
                    recorded=(lock, owner) if owner else None,
                )
        return None

    def importer(self, lock: int) -> int | None:
        """``Thread.ident`` of whom a ``_ModuleLock`` names as its owner; None: nobody.

        Raises:
            MemoryReadError: it cannot be read.
        """
        return self._ident(self._objects.attributes(lock).get("owner", 0))

    def _ident(self, value: int) -> int | None:
        """A ``Thread.ident``, alone or (3.12 on) as the first item of a tuple or list."""
        kind = self._objects.kind(value)
        if kind == "int":
            return self._objects.integer(value)
        if kind == "tuple":
            items = self._objects.tuple_items(value)
            return self._ident(items[0]) if items else None
        return None

    def _taken(self, lock: Lock | None, frames: tuple[Frame, ...]) -> Awaited | None:
        if lock is None:
            return None
        if lock.shared:
            lock = self._shared.refined(lock)
            inside = primitive_of(frames, self._objects, self._frames)
            made = f"multiprocessing.{inside.kind}" if inside else lock.type_name
            wrapper = self._shared.wrapper(lock.address) or lock.address
            return Awaited(
                lock.kind,
                lock.word,
                f"its futex is {'a' if inside else 'the'} semaphore of the {made}, which processes "
                "share",
                Certainty.CERTAIN,
                object=inside.address if inside else wrapper,
                type_name=made,
                called=inside.kind if inside else "",
                note=inside.note if inside else None,
                operation="acquire",
            )
        return Awaited(
            lock.kind,
            lock.address,
            f"its futex is the word of the {lock.type_name} at {lock.address:#x}",
            Certainty.CERTAIN,
            type_name=lock.type_name,
            lock=lock,
            recorded=(lock.owner_at, lock.owner) if lock.owner_at and lock.owner else None,
            operation="acquire",
        )

    # -- objects with a lock inside -------------------------------------------------------------

    def _object(self, word: int, frames: tuple[Frame, ...], stack_pointer: int) -> Awaited | None:
        """An object of C code with a lock inside: a field points to the word, or is it."""
        file, functions = _WAITS_FOR_ITSELF
        codes = [frame.code for frame in frames[:1] if frame.code.filename.endswith(file)]
        own = any(code.function.rpartition(".")[2] in functions for code in codes)
        for address in self._candidates(frames, stack_pointer):
            name = self._objects.kind(address)
            kind = _OBJECTS_WITH_LOCKS.get(name or "")
            if kind is None or name is None or (kind is NodeKind.IO_LOCK and own):
                continue
            type_ = self._objects.type_of(address)
            size = self._memory.u64(type_ + self._objects.layout["type.tp_basicsize"])
            if not 24 <= size <= 1024:
                continue
            fields = self._memory.words(address, size // 8)
            first = self._objects.layout.header // 8
            if address <= word < address + size:
                owner_place = word + 8
            elif word in fields[first:]:
                owner_place = address + 8 * fields.index(word, first) + 8
            else:
                continue
            return self._object_with_lock(kind, address, name, owner_place)
        return None

    def _object_with_lock(
        self, kind: NodeKind, address: int, name: str, owner_place: int
    ) -> Awaited:
        if kind is NodeKind.QUEUE:
            text, note = "SimpleQueue.get: it waits for an item", "a queue has no owner"
            return Awaited(
                kind,
                address,
                text,
                type_name="queue.SimpleQueue",
                note=note,
                call="SimpleQueue.get",
            )
        ident = self._memory.u64(owner_place)
        owners = (
            (Owner(ident, Certainty.CERTAIN, "the buffer records it as its owner"),)
            if ident in self._stacks
            else ()
        )
        text = "it waits for the lock of a buffered file"
        recorded = (owner_place, ident) if ident else None
        return Awaited(
            kind,
            address,
            text,
            Certainty.CERTAIN,
            type_name=name,
            owners=owners,
            recorded=recorded,
        )
