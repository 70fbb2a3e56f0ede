"""One process's Python side, put together: threads, frames, the GIL, lock waits and holds."""

from collections import Counter
from collections.abc import Mapping

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.names import Names
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.ownership import LockHold, Ownership
from hangtui.backends.cpython.runtime import locate
from hangtui.backends.cpython.threads import Gil, Threads
from hangtui.backends.cpython.waits import Joined, PythonWaits
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.elf import Images
from hangtui.backends.memory import MemoryReadError, ProcessMemory

_NAMING_FRAMES = 8
"""Innermost frames of a thread whose variables are searched for a name."""


class PythonReader:
    """Reads one process; *tids* maps thread ids as the target sees them to the host's.

    Raises:
        NotPythonError: the process runs no CPython.
        LayoutError: its CPython's memory layout is not known.
    """

    def __init__(self, memory: ProcessMemory, images: Images, tids: Mapping[int, int]) -> None:
        runtime = locate(memory, images)
        self.version = runtime.layout.text
        objects = Objects(memory, runtime.layout)
        codes = CodeReader(objects)
        self._frames = Frames(objects, codes)
        self._locks = Locks(objects)
        self._waits = PythonWaits(objects, self._frames, self._locks)
        self._ownership = Ownership(self._frames, self._locks, WithBlocks(objects, codes))
        self._names = Names(objects, self._frames)
        self._threads = Threads(memory, runtime, objects, tids)
        self.threads = {thread.tid: thread for thread in self._threads.all()}
        self.idents = {thread.ident: thread.tid for thread in self.threads.values()}
        names = self._threads.names()
        self.names = {
            tid: names[thread.ident]
            for tid, thread in self.threads.items()
            if thread.ident in names
        }
        self.stacks = self._read_stacks()

    def _read_stacks(self) -> dict[int, tuple[Frame, ...]]:
        """Frames by TID; a thread whose frames cannot be read is missing."""
        stacks = {}
        for tid, thread in self.threads.items():
            try:
                stacks[tid] = self._frames.stack(thread.state)
            except MemoryReadError:
                continue
        return stacks

    def gils(self) -> list[Gil]:
        """The GILs as they are now; interpreters that share one have one entry."""
        found = (self._threads.gil(interpreter) for interpreter in self._threads.interpreters)
        return list({gil.address: gil for gil in found}.values())

    def tid_of_state(self, state: int) -> int | None:
        """The TID of a PyThreadState."""
        return next((tid for tid, t in self.threads.items() if t.state == state), None)

    def awaited(
        self, tid: int, futex: int, stack_pointer: int
    ) -> tuple[Lock | None, Joined | None]:
        """The lock, or the thread's end, that a thread's futex stands for."""
        frames = self.stacks.get(tid, ())
        word = self._waits.word(futex, stack_pointer)
        lock = self._waits.lock(word, frames, stack_pointer)
        return lock, self._waits.joined(word, lock, frames)

    def holds(self, awaited: list[Lock]) -> list[LockHold]:
        """All holds that can be told; *awaited* are the locks that somebody waits for."""
        holds = self._ownership.holds(self.stacks, self.idents)
        known = {hold.lock.address for hold in holds}
        for lock in awaited:
            hold = self._ownership.recorded(lock, self.idents)
            if hold is not None and lock.address not in known:
                known.add(lock.address)
                holds.append(hold)
        return holds

    def lock_labels(self, users: Mapping[Lock, list[int]]) -> dict[Lock, str]:
        """What a person calls each lock; *users* are the TIDs that wait for it or hold it."""
        names = {
            lock: self._names.of(lock.address, self._frames_of(tids)) or ""
            for lock, tids in users.items()
        }
        shared = {name for name, count in Counter(names.values()).items() if name and count > 1}
        for lock, name in names.items():
            if name in shared:
                names[lock] = self._distinct_name(lock, name, users[lock])
        return {
            lock: f"{name} ({lock.type_name})" if name else f"{lock.type_name} at {lock.address:#x}"
            for lock, name in names.items()
        }

    def _distinct_name(self, lock: Lock, name: str, tids: list[int]) -> str:
        """A name that no other lock has: by the global that leads to it, else with its address."""
        through = self._names.through_global(lock.address, self._frames_of(tids))
        return through or f"{name} at {lock.address:#x}"

    def _frames_of(self, tids: list[int]) -> list[Frame]:
        return [frame for tid in tids for frame in self.stacks.get(tid, ())[:_NAMING_FRAMES]]

    def condition(self, tid: int, lock: Lock) -> int | None:
        """The Condition that a thread waits to be notified of, by way of *lock*."""
        return self._waits.condition(lock, self.stacks.get(tid, ()))

    def condition_label(self, condition: int, tid: int) -> str:
        """What a person calls a condition that a thread waits for."""
        name = self._names.of(condition, self.stacks.get(tid, ())[1:8])
        return f"{name} (threading.Condition)" if name else f"threading.Condition at {condition:#x}"
