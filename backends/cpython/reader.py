"""One process's Python side, put together: threads, frames, the GIL, lock waits and holds."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.awaited import self_of
from hangtui.backends.cpython.bindings import Bindings
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.docs import Docs
from hangtui.backends.cpython.extension_calls import ExtensionCalls
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.handled_errors import HandledErrors
from hangtui.backends.cpython.handlers import Handlers
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.locks import Locks
from hangtui.backends.cpython.managers import Managers
from hangtui.backends.cpython.message_loops import MessageLoops
from hangtui.backends.cpython.names import Names, worker_name
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.ownership import Ownership
from hangtui.backends.cpython.queued import QueuedCalls
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.runtime import locate, threads_ever
from hangtui.backends.cpython.sharedlocks import SharedLocks
from hangtui.backends.cpython.shares import SharedFrames
from hangtui.backends.cpython.sleep_loops import SleepLoops
from hangtui.backends.cpython.taken_queues import taken_queue
from hangtui.backends.cpython.threads import Gil, Threads
from hangtui.backends.cpython.traces import Traces
from hangtui.backends.cpython.waits import PythonWaits
from hangtui.backends.cpython.with_blocks import WithBlocks
from hangtui.backends.elf.image import Image
from hangtui.backends.elf.images import Images
from hangtui.backends.libc.thread_descriptor import tid_of
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.model import PythonFrame, clean

_NAMING_FRAMES = 8
"""Innermost frames of a thread whose variables are searched for a name."""

_MOST_UNNAMED = 8
"""Objects for which the frames of all threads are searched."""
_JOINS, _OF_THREADS = ("_wait_for_tstate_lock", "join"), "threading.py"
_JOINING_FRAMES = 2
_ATTEMPTS = 20
"""How often the stacks are read before they are held to be unreadable.

The only thread of a busy event loop is misread in four of ten readings (3.15, one core)."""


class PythonReader:
    """Reads one process; *tids* maps thread ids as the target sees them to the host's.

    Raises:
        NotPythonError: the process runs no CPython.
        LayoutError: its CPython's memory layout is not known.
    """

    def __init__(self, memory: Memory, images: Images, tids: Mapping[int, int]) -> None:
        runtime = locate(memory, images)
        self.free_threaded = runtime.layout.free_threaded
        self.objects = Objects(memory, runtime.layout)
        codes = self.codes = CodeReader(self.objects)
        self.frames = Frames(self.objects, codes)
        self.docs = Docs(codes)
        self._handlers = Handlers(self.objects, self.frames)
        self.blocks = WithBlocks(self.objects, codes)
        self._threads = Threads(memory, runtime, self.objects, tids)
        self.threads_ever = threads_ever(memory, runtime)
        self.states = self._threads.all()
        """Every thread in every interpreter that it is in, the innermost first."""
        self.unknown_states = self._threads.unknown
        """States of sub-interpreters with frames, of which it is not known which thread runs."""
        self.threads = {thread.tid: thread for thread in reversed(self.states)}
        self.idents = {thread.ident: thread.tid for thread in self.threads.values()}
        self.stacks = self._believed_stacks()
        self.handled = HandledErrors(self.objects, self.frames, codes, self.threads)
        self.names: dict[int, str] = {}
        self.names_by_ident: dict[int, str] = {}
        """Also of those that are no threads of the kernel: greenlets."""
        ends: dict[range, int] = {}
        with suppress(BudgetSpentError):  # their names are the lesser part
            self._read_thread_objects(ends)
        for tid, frames in self.stacks.items():
            if tid not in self.names and (name := worker_name(frames)):
                self.names[tid] = name
        by_ident = {thread.ident: self.stacks.get(tid, ()) for tid, thread in self.threads.items()}
        shared = SharedLocks(self.objects, self.frames, self._threads, self.stacks)
        self.shared_locks = shared
        self.waits = PythonWaits(
            self.objects, self.frames, Locks(self.objects), ends, by_ident, shared
        )
        self.references = References(self.objects, self.frames, self.blocks, codes)
        self.traces = Traces(self.objects, self.frames, codes, self.blocks, self.references)
        managers = Managers(self.objects, self.frames, self.blocks, self.traces.signs)
        self.ownership = Ownership(self.frames, managers, self.blocks, self.traces)
        self._containers = containers = Containers(self.objects, codes)
        self._names = Names(self.objects, self.frames)
        self.queued = QueuedCalls(self.objects, self.frames, containers, codes)
        self.loops = SleepLoops(self.objects)
        self.bindings = Bindings(self.objects)
        self.extension_calls = ExtensionCalls(self.objects, self.frames)

    @cached_property
    def message_loops(self) -> MessageLoops:
        """Tells which waits are for what comes next."""
        return MessageLoops(self.loops, self.objects, self.codes)

    def _believed_stacks(self) -> dict[int, tuple[Frame, ...]]:
        """The stacks, if at least one looks like what programs run.

        A thread that runs meanwhile can be misread; an unknown layout misreads all of them, again
        and again.
        """
        for _ in range(_ATTEMPTS):
            stacks = self._read_stacks()
            running = [frames for frames in stacks.values() if frames]
            if len(stacks) == len(self.threads) and not running:
                return stacks
            if any(map(_is_believed, running)):
                return stacks
            self.objects.memory.forget()
        text = self.objects.layout.text
        raise LayoutError(f"CPython {text} with an unknown layout of frames and code")

    def _read_stacks(self) -> dict[int, tuple[Frame, ...]]:
        """Frames by TID; a thread whose frames cannot be read is missing."""
        spent = self.objects.memory.spent
        share = SharedFrames(spent, len(self.states))
        found = share.read({one.state: self.frames.walk(one.state) for one in self.states})
        stacks: dict[int, tuple[Frame, ...]] = {}
        for thread in self.states:
            if thread.state in found:
                stacks[thread.tid] = stacks.get(thread.tid, ()) + tuple(found[thread.state])
        return stacks

    def _read_thread_objects(self, ends: dict[range, int]) -> None:
        """Fill in the names, and *ends*: where a ``join`` of each thread waits, with its ident."""
        registered = self._threads.objects()
        for ident, attributes in (registered | self._joined(registered)).items():
            name, end = self._threads.name(attributes), self._threads.end(attributes)
            if name:
                self.names_by_ident[ident] = name
            if name and ident in self.idents:
                self.names[self.idents[ident]] = name
            if end:
                ends[end] = ident

    def _joined(self, registered: Collection[int]) -> dict[int, dict[str, int]]:
        """Attributes of thread objects that others join and that are not *registered* any more,
        by ident: such a thread runs the finalizers of its thread-local values."""
        found = {}
        for frames in self.stacks.values():
            for frame in frames[:_JOINING_FRAMES]:
                one = next(
                    (t for n in _JOINS if (t := self_of(self.frames, frame, n, _OF_THREADS))), 0
                )
                with suppress(MemoryReadError):
                    attributes = self.objects.attributes(one) if one else {}
                    ident = attributes.get("_ident", 0)
                    if self.objects.kind(ident) == "int":
                        found[self.objects.integer(ident)] = attributes
        live = self.idents.keys() - set(registered)
        return {ident: attributes for ident, attributes in found.items() if ident in live}

    def shown(self, frame: Frame) -> PythonFrame:
        """The frame as the model has it; a finalizer with its class, which 3.10 and older do not
        record in the code."""
        shown = frame.shown()
        if shown.function != "__del__":
            return shown
        kind = None
        with suppress(BudgetSpentError):
            kind = self.objects.kind(self.frames.variables(frame).get("self", 0))
        return replace(shown, function=f"{clean(kind, 100)}.__del__") if kind else shown

    def shown_stack(self, frames: tuple[Frame, ...]) -> tuple[PythonFrame, ...]:
        """A stack as the model has it."""
        shown = self.docs.added(frames, tuple(map(self.shown, frames)))
        return self._handlers.added(frames, shown)

    def gils(self) -> list[Gil]:
        """The GILs as they are now; interpreters that share one have one entry, of the oldest.

        A free-threaded build has none that is in use, unless something asked for it.
        """
        found = (self._threads.gil(interpreter) for interpreter in self._threads.interpreters)
        return list({gil.address: gil for gil in found if gil.enabled}.values())

    def registered(self) -> dict[int, int]:
        """The ``threading.Thread`` objects of threads that run, by their ``ident``."""
        return self._threads.registered()

    @property
    def image(self) -> Image:
        """What the interpreter's code and variables come from."""
        return self._threads.image

    def module(self, name: str) -> dict[str, int]:
        """The globals of an imported module; empty: it is not imported. Never raises."""
        return self._threads.module(name)

    def tracked(self) -> GcLists:
        """All objects that the collector of the oldest interpreter tracks."""
        return GcLists(self.objects, self._threads.collector(self._threads.interpreters[-1]))

    def tid_of_state(self, state: int) -> int | None:
        """The TID of a PyThreadState."""
        return next((thread.tid for thread in self.states if thread.state == state), None)

    def still_records(self, place: int, ident: int) -> bool:
        """Whether the record of an owner at *place* names *ident* now as well. Never raises."""
        try:
            return int.from_bytes(self.objects.memory.fresh(place, 8), "little") == ident
        except MemoryReadError:
            return False

    def ended(self, ident: int) -> bool:
        """Whether the thread with this ``Thread.ident`` surely is no more. Never raises.

        A thread that was started after the others were read is in no list, but has a descriptor.
        That of one that has ended says 0, or -1 once it was joined, if it is there at all.
        """
        memory = self.objects.memory
        memory.forget()
        told = any(tid_of(memory, known) for known in self.idents)
        return told and ident not in self.idents and (tid_of(memory, ident) or 0) <= 0

    def ended_thread(self, address: int, registered: Mapping[int, int]) -> str | None:
        """The name of the ``threading.Thread`` at *address*, if that surely is no more; None: it
        is something else, or may run. *registered*: those that ran before it was found.

        Raises:
            MemoryReadError: it cannot be read.
            DamagedDataError: what was read is not what it should be.
        """
        if "Thread" not in self._containers.classes(address):
            return None
        attributes = self.objects.attributes(address)
        value = attributes.get("_ident", 0)
        if not value or self.objects.kind(value) != "int":
            return None  # it was not started
        ident = self.objects.integer(value)
        now = registered.get(ident)
        if now == address or (now is None and not self.ended(ident)):
            return None
        return self._threads.name(attributes)

    def unstarted_thread(self, address: int) -> str | None:
        """The name of the ``threading.Thread`` at *address*, if it has not begun to run, with that
        of its class, if the program made one of its own; None: it is something else.

        Raises:
            MemoryReadError: it cannot be read.
            DamagedDataError: what was read is not what it should be.
        """
        classes = self._containers.classes(address)
        attributes = self.objects.attributes(address)
        if "Thread" not in classes or self.objects.kind(attributes.get("_ident", 0)) != "NoneType":
            return None
        flag = self.objects.attributes(attributes.get("_started", 0)).get("_flag", 0)
        if self.objects.kind(flag) != "bool" or self.objects.integer(flag):
            return None
        name = self._threads.name(attributes)
        return name if name is None or classes[0] == "Thread" else f"{name} ({classes[0]})"

    # -- names ----------------------------------------------------------------------------------

    def taken_queue(self, stack: Sequence[Frame]) -> str | None:
        """What the program calls the queue of processes from which it takes an item there."""
        return taken_queue(stack, self.frames, self._names)

    def names_of(self, users: Mapping[tuple[int, str], list[int]]) -> dict[int, str | None]:
        """What the program calls objects of ``(address, type)``, by address; None: nothing.

        *users* are the TIDs that wait for each or hold it.
        """
        names = {
            key: self._names.of(key[0], self._frames_of(tids)) or "" for key, tids in users.items()
        }
        # What was handed to a thread is named by who handed it on.
        for key in islice((key for key, name in names.items() if not name), _MOST_UNNAMED):
            names[key] = self._names.of(key[0], self._frames_of(list(self.stacks))) or ""
        shared = {name for name, count in Counter(names.values()).items() if name and count > 1}
        for key, name in names.items():
            if name in shared:
                through = self._names.through_global(key[0], self._frames_of(users[key]))
                names[key] = through or f"{name} at {key[0]:#x}"
        return {address: name or None for (address, _), name in names.items()}

    def _frames_of(self, tids: list[int]) -> list[Frame]:
        return [frame for tid in tids for frame in self.stacks.get(tid, ())[:_NAMING_FRAMES]]


def _is_believed(frames: Sequence[Frame]) -> bool:
    """Whether a stack looks like what programs run."""
    return all(one.plausible for one in frames) and any(one.named_apart for one in frames)
