"""Reads one process from memory: stacks, waits, holds, the GIL, and who stood still.

A live one, or with its own memory and watch one that is stopped or that is no more.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from hangtui.backends.capture.describer import Describer
from hangtui.backends.capture.frames_tell import by_frames
from hangtui.backends.capture.thread_stacks import ThreadStacks
from hangtui.backends.capture.versions import Versions
from hangtui.backends.capture.visibility import Visibility
from hangtui.backends.cpython.gil import GilReading, GilWatch, add_gils
from hangtui.backends.cpython.library_facts import LibraryResolver
from hangtui.backends.cpython.lock_facts import PythonResolver
from hangtui.backends.cpython.task_facts import TaskResolver
from hangtui.backends.cpython.world import add_world
from hangtui.backends.elf.images import Images
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.peer import Peer, SharedLock
from hangtui.backends.libc.futex import FutexCall
from hangtui.backends.libc.thread_descriptor import tid_of
from hangtui.backends.libc.waits import NativeResolver, decoder_of
from hangtui.backends.limits import ASKED, BudgetSpentError, Limits
from hangtui.backends.memory.damage import foreign_data
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.memory.reader import Memory
from hangtui.backends.process.thread_watch import ThreadWatch, Watch
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.backends.unwind.perf import SamplingError
from hangtui.model import Notice, Process, Source, TargetError, thread_id

WATCH_MS, LONG_WATCH_MS = 60.0, 250.0
"""How long threads are watched that hold what others wait for, in milliseconds: those whose own
waits explain why they do not go on, and those that merely sleep."""

_LAST_S = 1.0
"""What the conclusion may take in any case, in seconds: it looks at each thread once."""

BUSY_WATCH_MS = 100.0
"""How long a process with running threads is watched at least, in milliseconds: the kernel counts
their processor time every 1 to 10 ms."""


class ProcessReader:
    """Reads one process; a context manager that lets go of it at the end.

    Raises:
        TargetError: the process is gone, or its memory may not be read.
    """

    def __init__(
        self,
        process: Process,
        memory: Memory | None = None,
        watch: ThreadWatch | None = None,
        limits: Limits = ASKED,
        native: NativeStacks | None = None,
    ) -> None:
        self._process = process
        self._memory = memory or ProcessMemory(process.pid, limits)
        self._spent = self._memory.spent
        with self._spent.clock():
            self._begin(watch, native)

    def _begin(self, watch: ThreadWatch | None, native: NativeStacks | None) -> None:
        process = self._process
        self._watch: ThreadWatch = watch or Watch(process.pid)
        self._native = native or NativeStacks(self._memory, Images(self._memory))
        self._images = self._native.images
        self._tids = {thread.ns_tid or thread.tid: thread.tid for thread in process.threads}
        self.live_watch = self._watch if isinstance(self._watch, Watch) else None
        live = self.live_watch is not None
        self._visibility = visibility = Visibility(process.pid, live=live)
        self.notices = visibility.notices
        self._foreign = visibility.is_foreign(self._memory)
        if self.live_watch is not None:
            visibility.counts_runs(self.live_watch.counted)
        self._knows_stacks = not (self._foreign or (live and visibility.is_emulated(self._memory)))
        self._python = (
            None if self._foreign else visibility.python(self._memory, self._images, self._tids)
        )
        self._gil = GilWatch(self._python, self._watch, self._native) if self._python else None
        self._asleep = self._find_asleep()
        asleep = self._asleep if self._knows_stacks else {}
        self._stacks = ThreadStacks(self._memory, self._images, self._native, asleep)
        self._in_c = self._native_resolver()
        self._in_python = PythonResolver(process.pid, self._python) if self._python else None
        python = self._python
        self._in_tasks = tasks = TaskResolver(process.pid, python, live=live) if python else None
        self._library = LibraryResolver(process.pid, python, tasks) if python and tasks else None
        self._describer = Describer(
            process, visibility, self._memory, self._watch, self._stacks, python, self._asleep
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()

    def _find_asleep(self) -> dict[int, BlockedThread]:
        """Where its threads sleep; nowhere if its system calls have another machine's numbers."""
        if self._gil:
            return self._gil.asleep
        return {} if self._foreign else self._watch.asleep()

    def _native_resolver(self) -> NativeResolver | None:
        if not self._knows_stacks or not self._visibility.knows_library(self._memory):
            return None
        decoder = decoder_of(self._memory, self._tids)
        return NativeResolver(self.pid, self._images, self._native, decoder, self._stacks.raw)

    @property
    def pid(self) -> int:
        """The process's PID."""
        return self._process.pid

    def tid_of_ident(self, ident: int) -> int | None:
        """The TID of the thread with this ``Thread.ident``, by the C library's own record."""
        return self._tids.get(tid_of(self._memory, ident) or 0)

    @property
    def reads_python(self) -> bool:
        """Whether Python stacks and locks are read; otherwise another source may serve."""
        return self._python is not None

    @property
    def held_back(self) -> bool:
        """Whether memory was left unread because somebody would have to deliver it first."""
        return isinstance(self._memory, ProcessMemory) and self._memory.held_back

    @property
    def is_gone(self) -> bool:
        """Whether the program that was read is no more: it ended, or became another one."""
        return isinstance(self._memory, ProcessMemory) and self._memory.is_gone

    @foreign_data()
    def read(self, facts: Facts) -> None:
        """Add what the process's threads wait for and hold."""
        with self._spent.clock():
            # What is known once the budget is spent stays.
            with suppress(BudgetSpentError):
                self._add_waits(facts)
            if self._in_python:
                with suppress(BudgetSpentError):
                    self._in_python.add_holds(facts)
            if self._in_tasks:
                with suppress(BudgetSpentError):
                    self._in_tasks.add(facts)
                    self.notices += self._in_tasks.notices
            if self._in_python and self._in_tasks:
                with suppress(BudgetSpentError):
                    self._in_python.add_holds_of_tasks(facts, self._in_tasks.suspended)
                    self._in_python.name_by_tasks(facts, self._in_tasks.suspended)
            if self._library:
                self._library.add(facts, self._asleep)

    def _add_waits(self, facts: Facts) -> None:
        waiters = self._gil.waiters() if self._gil else set[int]()
        for tid, where in self._asleep.items():
            if where.futex is not None and tid not in waiters:
                with suppress(BudgetSpentError):
                    self._add_wait(facts, tid, where.futex, where.stack_pointer)

    def _add_wait(self, facts: Facts, tid: int, call: FutexCall, stack_pointer: int) -> None:
        python = self._in_python
        if python and python.add_wait(facts, tid, call, stack_pointer):
            return
        if self._in_c:
            self._in_c.add(facts, tid, call, self._stacks.raw.get(tid), self.place(tid))

    def place(self, tid: int) -> str | None:
        """``file:line`` of a thread's innermost Python frame."""
        return self._in_python.place(tid) if self._in_python else None

    def peer(self) -> Peer:
        """The process as those see it that relate it to others."""
        waiters = frozenset(self._gil.waiters()) if self._gil else frozenset[int]()
        known = self._process, self._memory, self._asleep, waiters, self.place, self._shared_locks
        told = by_frames(self._python, self._asleep) if self._python else {}
        if self._in_tasks:
            streams = self._in_tasks.streams
            told |= {"streams": streams.waits, "stream_users": streams.users}
            told |= {
                "paused": streams.paused,
                "hearers": streams.hearers,
                "descriptors": self._in_tasks.descriptors,
            }
        return Peer(*known, **told)

    def _shared_locks(self) -> Sequence[SharedLock]:
        with suppress(BudgetSpentError), self._spent.clock():
            return self._in_python.shared_locks() if self._in_python else ()
        return ()

    def go_on(self, facts: Facts) -> None:
        """Plan to watch on for a while if some threads hold what others wait for."""
        waiters = self._gil.waiters() if self._gil else set()
        # A waiter of the GIL wakes all the time; the GIL's holder stands for it.
        suspects = (self._holders(facts) | self._gil_holders(waiters)) - waiters
        if self._in_tasks:
            suspects |= self._in_tasks.suspects & self._asleep.keys() - waiters
        # For how long one is in uninterruptible sleep tells a slow disk from a dead one.
        suspects |= self.live_watch.uninterruptible() if self.live_watch else set()
        if suspects:
            surely = facts.explain(thread_id(self.pid, tid) for tid in suspects)
            self._watch.go_on(WATCH_MS if surely else LONG_WATCH_MS, suspects)
        if self._awake():
            self._watch.go_on(BUSY_WATCH_MS, ())

    def _awake(self) -> list[int]:
        """Threads that ran when they were looked at, and are not stopped."""
        running = self.live_watch.running() if self.live_watch else []
        return [tid for tid in running if tid not in self._asleep]

    def _holders(self, facts: Facts) -> set[int]:
        """Sleeping threads that hold what others wait for."""
        holders = facts.awaited_holders()
        return {tid for tid in self._asleep if thread_id(self._process.pid, tid) in holders}

    def _gil_holders(self, waiters: set[int]) -> set[int]:
        """Threads that sleep with a GIL that others wait for."""
        return self._gil.holders() & self._asleep.keys() if self._gil and waiters else set()

    @property
    def left_out(self) -> list[Notice]:
        """Which of the files that the process names were not read, and why."""
        return self._memory.root.budget.notices(self.pid)

    def described(self) -> Process:
        """What is known before the watch has ended: all but the GIL, stillness, native stacks."""
        return self._describer.process([], watched=False)

    def sample(self) -> None:
        """Take the native stacks of threads that run, as far as the kernel allows it."""
        awake = self._awake()
        if not awake or not self._knows_stacks:
            return
        try:
            with suppress(BudgetSpentError), self._spent.clock():
                self._stacks.sample(awake)
        except SamplingError as error:
            fix = "sysctl kernel.perf_event_paranoid=2, or --cap-add PERFMON for a container"
            self._visibility.note(Source.PERF, f"threads that run cannot be sampled: {error}", fix)

    def stop(self) -> None:
        """Take the native stacks of threads that run by stopping them."""
        if not self._knows_stacks or self.is_gone:  # another one may have its PID
            return
        try:
            with self._spent.clock():
                interrupted = self._stacks.stop()
        except BudgetSpentError:
            return
        except TargetError as error:
            self._visibility.note(Source.GUARD, error.message, error.fix)
            return
        for tid in interrupted:
            message = f"thread {tid} entered a call as it was stopped, and got EINTR from it"
            self._visibility.note(Source.GUARD, message)

    @foreign_data()
    def name_native_stacks(self) -> None:
        """Find the names of native frames."""
        with suppress(BudgetSpentError), self._spent.clock():
            self._stacks.name()
        for path in self._images.foreign_debug_files():
            fix = "install the debug symbols of exactly the version that runs, or remove the file"
            self._visibility.note(
                Source.UNWIND, f"{path} belongs to another build: it is not used", fix
            )

    @foreign_data()
    def conclude(self, facts: Facts) -> Process:
        """End the watch and add the GIL; the process with everything."""
        with self._spent.clock(_LAST_S):
            return self._concluded(facts)

    def _concluded(self, facts: Facts) -> Process:
        self._watch.finish()
        if self._in_python:
            with suppress(BudgetSpentError):
                self._in_python.conclude(facts)
        if self._library:
            self._library.conclude(facts, self._watch.still)
        if self._in_c:
            with suppress(BudgetSpentError):
                self._in_c.conclude(facts, moves=self.live_watch is not None)
        gils: list[GilReading] = []
        with suppress(BudgetSpentError):
            gils = self._gil.finish() if self._gil else []
        known = gils or self.is_gone
        if self._python and not (known or self._python.free_threaded):
            self._visibility.miss("who holds the GIL", "its record cannot be followed")
        add_gils(facts, self.pid, gils, self.place)
        add_world(facts, self.pid, self._gil.world.finish() if self._gil else (), self.place)
        process = self._describer.process(gils, watched=True)
        awake = sum(thread.native_stack is None for thread in process.threads)
        if awake and self._stacks.are_named:
            fix = f"hangtui dump {process.pid} --native stop   (stops it for about a millisecond)"
            text = f"{awake} thread(s) ran: their native stacks can only be read by stopping them"
            self._visibility.note(Source.UNWIND, text, fix)
        for source, sentence in self._spent.reached.values():
            self._visibility.note(source, sentence)
        versions = Versions(self._memory.root)
        facts.tasks[:] = [versions.of(t) if t.pid == self.pid else t for t in facts.tasks]
        return versions.threads(process)
