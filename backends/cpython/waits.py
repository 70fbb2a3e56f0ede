"""What a Python thread waits for when its futex belongs to an object of the interpreter."""

from collections.abc import Iterator
from dataclasses import dataclass

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory import MemoryReadError

_FRAMES_SEARCHED = 4
_STACK_SEARCHED = 16 << 10
"""Bytes of the native stack that are searched for the lock object."""
_PARKED_ADDRESS = -8
"""From wait_entry.sema to wait_entry.addr (Python/parking_lot.c, 3.13 on)."""
_HANDLE_POINTER, _HANDLE_SIZE = 16, 72
"""ThreadHandleObject.handle and sizeof(ThreadHandle) (Modules/_threadmodule.c, 3.13)."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The thread whose end is awaited."""

    ident: int
    text: str


class PythonWaits:
    """Resolves waits of one process's Python threads."""

    def __init__(self, objects: Objects, frames: Frames, locks: Locks) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._frames = frames
        self._locks = locks

    def word(self, futex: int, stack_pointer: int) -> int:
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

    def lock(self, word: int, frames: tuple[Frame, ...], stack_pointer: int) -> Lock | None:
        """The lock object whose waiters sleep on *word*; the match is exact or there is none."""
        for address in self._candidates(frames, stack_pointer):
            lock = self._locks.read(address)
            if lock is not None and lock.word == word:
                return lock
        return None

    def _candidates(self, frames: tuple[Frame, ...], stack_pointer: int) -> Iterator[int]:
        """Where the object that a thread waits on can be found: its frames, then its C stack."""
        for frame in frames[:_FRAMES_SEARCHED]:
            for value in self._frames.stack_slots(frame):
                yield value
                yield self._objects.bound_to(value)
            yield from self._frames.variables(frame).values()
        yield from set(self._memory.words_upward(stack_pointer, _STACK_SEARCHED))

    def joined(self, word: int, lock: Lock | None, frames: tuple[Frame, ...]) -> Joined | None:
        """The thread that ``Thread.join`` waits for."""
        for frame in frames[:_FRAMES_SEARCHED]:
            if not frame.code.filename.endswith("threading.py"):
                continue
            thread = self._frames.variables(frame).get("self")
            attributes = self._objects.attributes(thread) if thread else {}
            text = self._join_proof(attributes, word, lock)
            ident = attributes.get("_ident")
            if text and ident and self._objects.kind(ident) == "int":
                try:
                    return Joined(self._objects.integer(ident), text)
                except MemoryReadError:
                    return None
        return None

    def _join_proof(self, attributes: dict[str, int], word: int, lock: Lock | None) -> str | None:
        if lock is not None and attributes.get("_tstate_lock") == lock.address:
            return "Thread.join: it waits for the lock that the thread's end releases"
        handle = attributes.get("_handle") or attributes.get("_os_thread_handle")  # 3.13, 3.14
        if handle and self._objects.kind(handle) == "_thread._ThreadHandle":
            try:
                inside = self._memory.u64(handle + _HANDLE_POINTER)
            except MemoryReadError:
                return None
            if inside <= word < inside + _HANDLE_SIZE:
                return "Thread.join: it waits for the event that the thread's end sets"
        return None

    def condition(self, lock: Lock, frames: tuple[Frame, ...]) -> int | None:
        """The Condition whose ``wait`` sleeps on *lock*, a lock made for this one wait."""
        if not frames or frames[0].code.function.rsplit(".", 1)[-1] != "wait":
            return None
        variables = self._frames.variables(frames[0])
        condition = variables.get("self")
        if condition is None or variables.get("waiter") != lock.address:
            return None
        try:
            known = self._objects.qualified_type(condition) == "threading.Condition"
        except MemoryReadError:
            return None
        return condition if known else None
