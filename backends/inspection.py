"""Reads one live process from memory: stacks, waits, holds, the GIL, and who stood still."""

import struct
from dataclasses import replace
from typing import Self

from hangtui.backends.between.peer import Peer
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.runtime import NotPythonError, version_of
from hangtui.backends.elf import Images
from hangtui.backends.facts import Facts
from hangtui.backends.futex import FutexDecoder
from hangtui.backends.gil import GilReading, GilWatch
from hangtui.backends.memory import MemoryReadError, ProcessMemory
from hangtui.backends.native import NativeStacks
from hangtui.backends.resolve_native import NativeResolver
from hangtui.backends.resolve_python import PythonResolver
from hangtui.backends.resolve_tasks import TaskResolver
from hangtui.backends.stillness import Watch
from hangtui.model import (
    Certainty,
    Evidence,
    GilState,
    Hold,
    NodeKind,
    Notice,
    Process,
    PythonInfo,
    Resource,
    Source,
    Thread,
    Wait,
    resource_id,
    thread_id,
)

CONFIRM_MS = 250.0
"""How long threads are watched when some wait for what another one holds, in milliseconds."""


class Inspector:
    """Reads one process; a context manager that lets go of it at the end.

    Raises:
        TargetError: the process is gone, or its memory may not be read.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self._memory = ProcessMemory(process.pid)
        self._watch = Watch(process.pid)
        self._images = Images(self._memory)
        self._native = NativeStacks(self._memory, self._images)
        self._tids = {thread.ns_tid or thread.tid: thread.tid for thread in process.threads}
        self.notices: list[Notice] = []
        self._version: str | None = None
        self._python = self._read_python()
        self._gil = GilWatch(self._python, self._watch, self._native) if self._python else None
        self._asleep = self._gil.asleep if self._gil else self._watch.asleep()
        self._stacks = {
            tid: self._native.raw(where.stack_pointer, where.address)
            for tid, where in self._asleep.items()
        }
        decoder = FutexDecoder(self._memory, self._tids)
        self._in_c = NativeResolver(process.pid, self._images, self._native, decoder)
        self._in_python = PythonResolver(process.pid, self._python) if self._python else None
        self._in_tasks = TaskResolver(process.pid, self._python) if self._python else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()

    def _read_python(self) -> PythonReader | None:
        try:
            version, _ = version_of(self._memory, self._images)
            self._version = ".".join(map(str, version))
            return PythonReader(self._memory, self._images, self._tids)
        except NotPythonError:
            self._notice(Source.CPYTHON, "no CPython in this process: only native facts are read")
        except LayoutError as error:
            self._notice(Source.CPYTHON, f"{error}: locks and the GIL are not read")
        except (MemoryReadError, struct.error) as error:
            self._notice(Source.CPYTHON, f"the interpreter's memory cannot be followed: {error}")
        return None

    def _notice(self, source: Source, message: str, fix: str | None = None) -> None:
        self.notices.append(Notice(source, message, fix, self._process.pid))

    @property
    def reads_python(self) -> bool:
        """Whether Python stacks and locks are read; otherwise another source may serve."""
        return self._python is not None

    def read(self, facts: Facts) -> None:
        """Add what the process's threads wait for and hold."""
        waiters = self._gil.waiters() if self._gil else set[int]()
        python = self._in_python
        for tid, where in self._asleep.items():
            call = where.futex
            if call is None or tid in waiters:
                continue
            if python and python.add_wait(facts, tid, call, where.stack_pointer):
                continue
            self._in_c.add(facts, tid, call, self._stacks.get(tid), self.place(tid))
        if python:
            python.add_holds(facts)
        if self._in_tasks:
            self._in_tasks.add(facts)
            self.notices += self._in_tasks.notices

    def place(self, tid: int) -> str | None:
        """``file:line`` of a thread's innermost Python frame."""
        return self._in_python.place(tid) if self._in_python else None

    def peer(self) -> Peer:
        """The process as those see it that relate it to others."""
        waiters = frozenset(self._gil.waiters()) if self._gil else frozenset[int]()
        return Peer(self._process, self._memory, self._asleep, waiters, self.place)

    def go_on(self, facts: Facts) -> None:
        """Watch on for a while if some threads hold what others wait for.

        A holder that itself waits for the GIL wakes all the time; the GIL's holder stands for it.
        """
        holders = facts.awaited_holders()
        suspects = {tid for tid in self._asleep if thread_id(self._process.pid, tid) in holders}
        waiters = self._gil.waiters() if self._gil else set()
        if self._gil and waiters:
            suspects |= self._gil.holders() & self._asleep.keys()
        if self._in_tasks:
            suspects |= self._in_tasks.suspects & self._asleep.keys()
        if suspects - waiters:
            self._watch.go_on(CONFIRM_MS, suspects - waiters)

    def conclude(self, facts: Facts) -> Process:
        """End the watch and add the GIL; the process with everything but native stacks."""
        self._watch.finish()
        gils = self._gil.finish() if self._gil else []
        for reading in gils:
            self._add_gil(facts, reading, len(gils) > 1)
        return replace(
            self._process,
            python=PythonInfo(self._version) if self._version else None,
            stopped_for_ms=0.0,
            threads=tuple(self._thread(thread, gils) for thread in self._process.threads),
        )

    def _add_gil(self, facts: Facts, reading: GilReading, several: bool) -> None:
        pid, gil = self._process.pid, reading.gil
        node = resource_id(NodeKind.GIL, pid, gil.address)
        label = f"GIL of the interpreter at {gil.address:#x}" if several else "GIL"
        facts.resources[node] = Resource(node, NodeKind.GIL, label, pid, gil.address)
        if reading.holder is not None:
            text = "the interpreter records it as the GIL's holder"
            evidence = Evidence(Source.CPYTHON, Certainty.CERTAIN, text)
            facts.holds.append(Hold(node, thread_id(pid, reading.holder), evidence))
        for tid in sorted(reading.waiters):
            text = "it waits in the GIL's condition variable"
            evidence = Evidence(Source.CPYTHON, Certainty.CERTAIN, text, self.place(tid))
            facts.waits.append(Wait(thread_id(pid, tid), node, evidence))

    def _thread(self, thread: Thread, gils: list[GilReading]) -> Thread:
        tid = thread.tid
        gil, still = None, self._watch.still(tid)
        for reading in gils:
            if tid == reading.holder:
                gil = GilState.HOLDS
            elif tid in reading.waiters:
                gil, still = GilState.WAITS, reading.at_rest
        thread = replace(
            thread, still=still, still_ms=self._watch.lasted_ms if still else None, gil=gil
        )
        if self._python is None:
            return thread
        is_python = tid in self._python.threads
        name = self._python.names.get(tid)
        if name is None and is_python and tid == thread.pid:
            name = "MainThread"
        frames = self._python.stacks.get(tid, None if is_python else ())
        return replace(
            thread,
            name=name or thread.name,
            is_python=is_python,
            python_stack=None if frames is None else tuple(frame.shown() for frame in frames),
        )

    def with_native_stacks(self, process: Process) -> Process:
        """*process* with native stacks for the threads that slept."""
        threads = tuple(self._with_native_stack(thread) for thread in process.threads)
        awake = sum(thread.native_stack is None for thread in threads)
        if awake:
            fix = f"hangtui dump {process.pid} --native gdb   (stops it about a second)"
            message = f"{awake} thread(s) ran: their native stacks cannot be read without a stop"
            self._notice(Source.UNWIND, message, fix)
        return replace(process, threads=threads)

    def _with_native_stack(self, thread: Thread) -> Thread:
        stack = self._stacks.get(thread.tid)
        if stack is None:
            return thread
        return replace(
            thread, native_stack=self._native.named(stack), native_complete=stack.complete
        )
