"""The interpreter's threads and its global lock (the GIL)."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field

from hangtui.backends.cpython import runtime as runtimes
from hangtui.backends.cpython.attribution import NOBODY, PythonThread, settle
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.runtime import Runtime
from hangtui.backends.libc import musl
from hangtui.backends.libc.thread_descriptor import tid_of
from hangtui.backends.memory.c_library import CLibrary
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass
from hangtui.model import clean

_STATICS_OF_3_6 = ("gil_cond", "gil_mutex", "switch_cond", "switch_mutex")
"""Python/ceval_gil.h."""


@dataclass(frozen=True, slots=True)
class Gil:
    """One global interpreter lock at one moment."""

    address: int
    ranges: tuple[tuple[int, int], ...]
    """Where its mutexes and conditions lie: ``(start, end)``. Empty: not known."""
    locked: bool
    holder: int
    """PyThreadState of the thread that holds it, or that held it last."""
    switches: int
    """How often it has changed hands."""
    interpreter: int = 0
    """The number of the interpreter whose own it is; 0: the main one's, which others may share."""
    enabled: bool = True
    """Whether threads take it at all: not in a free-threaded build, unless something asked."""
    words: frozenset[int] = field(default=frozenset(), compare=False)
    """Where else its waiters sleep: under musl in nodes on their own stacks."""
    collecting: bool | None = field(default=None, compare=False)
    """Its holder's interpreter was collecting garbage. None: nobody held it, or not known."""

    def contains(self, address: int) -> bool:
        """Whether *address* is one of its mutexes or conditions."""
        return address in self.words or any(start <= address < end for start, end in self.ranges)


class Threads:
    """Reads the threads of one process.

    *tids* maps thread ids as the target sees them to those the capturing host sees.
    """

    def __init__(
        self, memory: Memory, runtime: Runtime, objects: Objects, tids: Mapping[int, int]
    ) -> None:
        self.image = runtime.image
        self._memory = memory
        self._runtime = runtime
        self._objects = objects
        self._tids = tids
        self.interpreters = runtimes.interpreter_addresses(memory, runtime)
        self.unknown = 0
        """States with frames of which `all` could not tell in which thread they run."""

    def all(self) -> list[PythonThread]:
        """The threads of all interpreters whose TID can be told.

        A thread that runs code in a sub-interpreter is known to both; the newer comes first, for
        it was called from the older.
        """
        layout, memory = self._runtime.layout, self._memory
        result = []
        for interpreter in self.interpreters:
            for state in runtimes.thread_states(memory, layout, interpreter):
                ident = memory.u64(state + layout["tstate.thread_id"])
                tid = self._tid(state, ident)
                result.append(PythonThread(state, interpreter, ident, tid))
        settled = settle(result, memory, layout)
        self.unknown = settled.unknown
        return settled.threads

    def _tid(self, state: int, ident: int) -> int:
        """The thread that made a state.

        Versions before 3.11 do not store its TID; and a program that forks in C without a word to
        Python (uWSGI) leaves the one that the thread had in its parent.
        """
        layout, memory = self._runtime.layout, self._memory
        if layout.since(3, 11):
            stored = memory.u64(state + layout["tstate.native_thread_id"])
            if stored in self._tids:
                return self._tids[stored]
        inner = tid_of(memory, ident)
        return NOBODY if inner is None else self._tids.get(inner, NOBODY)

    def gil(self, interpreter: int) -> Gil:
        """The GIL that an interpreter uses, as it is now."""
        layout = self._runtime.layout
        if not layout.since(3, 7):
            return self._gil_of_3_6()
        address = runtimes.gil_address(self._memory, self._runtime, interpreter)
        raw = self._memory.fresh(address, layout["gil.sizeof"])

        def number(name: str, size: int) -> int:
            return int.from_bytes(raw[layout[name] : layout[name] + size], "little")

        locked, holder = number("gil.locked", 4) == 1, number("gil.last_holder", 8)
        collecting = self._collecting(holder) if locked else None
        if self._memory.fresh(address, len(raw)) != raw:
            collecting = None  # it changed hands: whose collection that was is not known
        return Gil(
            address,
            ((address + layout["gil.cond"], address + len(raw)),),
            locked,
            holder,
            number("gil.switch_number", 8),
            self._memory.i64(interpreter + layout["interp.id"]),
            not layout.free_threaded or number("gil.enabled", 4) != 0,
            self._words(address + layout["gil.cond"]),
            collecting,
        )

    def _words(self, condition: int) -> frozenset[int]:
        if self._memory.c_library is not CLibrary.MUSL:
            return frozenset()
        try:  # each waiter is out of the list for a moment every 5 ms
            return musl.waiting_words(self._memory, condition) | musl.waiting_words(
                self._memory, condition
            )
        except DamagedDataError:
            return frozenset()

    def collector(self, interpreter: int) -> int:
        """The address of the state of an interpreter's garbage collector."""
        layout = self._runtime.layout
        if layout.since(3, 9):
            return interpreter + layout["interp.gc"]
        return self._runtime.base + layout["runtime.gc"]

    def _collecting(self, state: int) -> bool | None:
        """Whether the interpreter of a thread state collects garbage: one collector serves all
        interpreters before 3.9."""
        layout, memory = self._runtime.layout, self._memory
        try:
            collector = self.collector(memory.u64(state + layout["tstate.interp"]))
            flag = memory.fresh(collector + layout["gc.collecting"], 4)
        except MemoryReadError:
            return None
        return {0: False, 1: True}.get(int.from_bytes(flag, "little"))

    def _gil_of_3_6(self) -> Gil:
        """3.6 keeps its GIL in static variables, of which only the holder's is exported."""
        image = self._runtime.image
        current = image.exported("_PyThreadState_Current")
        if current is None:
            raise MemoryReadError("CPython 3.6 without the symbol _PyThreadState_Current")
        holder = int.from_bytes(self._memory.fresh(current, 8), "little")
        glibc = self._memory.arch.glibc
        starts = [
            (image.address_of(name), glibc.condition_size if "cond" in name else glibc.mutex_size)
            for name in _STATICS_OF_3_6
        ]
        ranges = tuple((start, start + size) for start, size in starts if start is not None)
        return Gil(current, ranges, holder != 0, holder, 0)

    def objects(self) -> dict[int, dict[str, int]]:
        """Attributes of the ``threading.Thread`` objects by ident, of all interpreters."""
        result: dict[int, dict[str, int]] = {}
        for interpreter in self.interpreters:
            try:
                result.update(self._active(interpreter))
            except MemoryReadError:
                continue
        return result

    def _active(self, interpreter: int) -> dict[int, dict[str, int]]:
        """Attributes of the threads in ``threading._active``."""
        registered = self._registered(interpreter)
        return {ident: self._objects.attributes(one) for ident, one in registered.items()}

    def _registered(self, interpreter: int) -> dict[int, int]:
        """``threading._active``, if the interpreter has imported it."""
        active = self._module(interpreter, "threading").get("_active")
        items = self._objects.items(active) if active else ()
        return {self._objects.integer(ident): thread for ident, thread in items}

    def registered(self) -> dict[int, int]:
        """The ``threading.Thread`` objects of threads that run, by ident, of all interpreters."""
        result: dict[int, int] = {}
        for interpreter in self.interpreters:
            with suppress(MemoryReadError):
                result.update(self._registered(interpreter))
        return result

    def module(self, name: str) -> dict[str, int]:
        """The globals of a module of the oldest interpreter; empty if it has not imported it."""
        try:
            return self._module(self.interpreters[-1], name) if self.interpreters else {}
        except MemoryReadError:
            return {}

    def _module(self, interpreter: int, name: str) -> dict[str, int]:
        modules = self._memory.u64(interpreter + self._runtime.layout["interp.modules"])
        module = self._objects.named(modules).get(name) if modules else None
        if not module or self._objects.kind(module) != "module":
            return {}
        return self._objects.named(self._objects.module_namespace(module))

    def name(self, attributes: Mapping[str, int]) -> str | None:
        """A thread object's name."""
        name = attributes.get("_name", 0)
        if self._objects.kind(name) != "str":
            return None
        return clean(self._objects.text(name), 200)

    def end(self, attributes: Mapping[str, int]) -> range | None:
        """The addresses that ``join`` waits in: a lock's, or (3.13 on) the thread handle's."""
        layout = self._runtime.layout
        lock = attributes.get("_tstate_lock", 0)
        if self._objects.kind(lock) == "_thread.lock":
            return range(lock, lock + 1)
        handle = attributes.get("_handle") or attributes.get("_os_thread_handle") or 0
        if self._objects.kind(handle) != "_thread._ThreadHandle":
            return None
        try:
            inside = self._memory.u64(handle + layout["thandleobj.handle"])
        except MemoryReadError:
            return None
        return range(inside, inside + layout["threadhandle.sizeof"])
