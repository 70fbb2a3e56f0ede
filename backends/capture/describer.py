"""One process in the words of the model: what its readers found, put together thread by thread."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.capture.thread_stacks import ThreadStacks
from hangtui.backends.capture.visibility import Visibility
from hangtui.backends.cpython.ended_threads import threads_absent
from hangtui.backends.cpython.gil import GilReading
from hangtui.backends.cpython.job_facts import place_in
from hangtui.backends.cpython.message_loops import Takes
from hangtui.backends.cpython.own_name import given, own_name
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.sentinels import Alive, failed, taken_for_alive
from hangtui.backends.cpython.signal_handlers import signal_handlers
from hangtui.backends.ipc.offspring import missing
from hangtui.backends.ipc.relatives import forgets_children
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.process.sleep_time import with_sleep
from hangtui.backends.process.syscall_memory import completed
from hangtui.backends.process.thread_watch import Effort, ThreadWatch, Watch
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.dataclass import dataclass
from hangtui.model import (
    Child,
    Gap,
    GilState,
    JobPlace,
    Process,
    Surroundings,
    Syscall,
    Thread,
)


@dataclass(frozen=True, slots=True)
class Describer:
    """Describes one process."""

    base: Process
    """As the kernel shows it."""
    visibility: Visibility
    """What could not be read, and which Python it is."""
    memory: Memory
    watch: ThreadWatch
    stacks: ThreadStacks
    python: PythonReader | None
    asleep: Mapping[int, BlockedThread]

    def process(self, gils: Sequence[GilReading], *, watched: bool) -> Process:
        """All that is known; *watched*: the watch has ended."""
        live = self.watch if isinstance(self.watch, Watch) else None
        place = place_in(self.python) if self.python else None
        around, info = self._around(place), self.visibility.info
        if self.python and info and watched:
            absent = threads_absent(self.python)
            info = replace(
                info,
                ended=absent.ended,
                unstarted=absent.unstarted,
                not_begun=absent.not_begun,
                called=own_name(self.python),
            )
        return replace(
            self.base,
            around=around,
            python=info,
            steady=live.steady if live and watched else None,
            incomplete=(*self.base.incomplete, *self.memory.spent.reached),
            gaps=(*self.base.gaps, *self.visibility.gaps, *self._bounds()),
            stopped_for_ms=self.stacks.stopped_ms,
            threads=tuple(self._thread(thread, gils, watched) for thread in self.base.threads),
        )

    def _around(self, place: JobPlace | None) -> Surroundings | None:
        """What is around it, with what only its memory tells."""
        around = self.base.around
        if around is None:
            return None
        if self.python and around.handles_signals:
            found = signal_handlers(self.python, self.python.image, around.handles_signals)
            around = replace(around, ending_signals=found.ending, marking_signals=found.marking)
        if self.python:
            alive = taken_for_alive(self.python)
            gone = missing(self.base.pid, [one.number for one in alive])
            around = _with_missing(around, self.base.pid, [o for o in alive if o.number in gone])
            around = _called(around, alive) if self.base.ns_pid == self.base.pid else around
            around = replace(around, failed=failed(self.python, self.base.ns_pid or self.base.pid))
        return replace(around, job=place) if place else around

    def _bounds(self) -> Iterator[Gap]:
        for what, (_, sentence) in self.memory.spent.reached.items():
            yield Gap(what, sentence)

    def _thread(self, thread: Thread, gils: Sequence[GilReading], watched: bool) -> Thread:
        """*thread* with all that is known of it."""
        tid = thread.tid
        gil, kept, still = None, None, self.watch.still(tid) if watched else None
        collecting = None
        for reading in gils:
            if tid == reading.holder:
                gil, kept, collecting = GilState.HOLDS, reading.kept, reading.gil.collecting
            elif tid in reading.waiters:
                gil, still = GilState.WAITS, reading.at_rest
        python = self.python.stacks.get(tid, ()) if self.python else ()
        thread = self.stacks.described(thread, (frame.shim for frame in python))
        live = self.watch if isinstance(self.watch, Watch) else None
        effort = live.effort(tid) if live and watched else Effort()
        total, moved = live.transfers(tid) if live and effort.busy else (None, None)
        return replace(
            self._python_thread(thread),
            syscall=self._syscall(thread, ran=still is False),
            still=still,
            still_ms=self.watch.lasted_ms if still else None,
            gil=gil,
            gil_kept_ms=None if kept is None else (self.watch.lasted_ms or 0.0) * kept,
            collecting=collecting,
            cpu_ns=effort.cpu_ns,
            runs=effort.runs,
            transfers=total,
            moved=moved,
            busy=effort.busy,
            runnable=effort.runnable,
        )

    def _syscall(self, thread: Thread, *, ran: bool) -> Syscall | None:
        with suppress(BudgetSpentError):
            where = self.asleep.get(thread.tid)
            call = completed(thread.syscall, where, self.memory)
            return with_sleep(call, where, self.memory, ran=ran)
        return thread.syscall

    def _python_thread(self, thread: Thread) -> Thread:
        """*thread* with its Python side."""
        tid = thread.tid
        if self.python is None:
            return thread
        is_python = tid in self.python.threads
        name = self.python.names.get(tid)
        if name is None and is_python and tid == thread.pid:
            name = "MainThread"
        frames = self.python.stacks.get(tid, None if is_python else ())
        by_clock = thread.syscall is not None and thread.syscall.sleeps
        calling = self.python.extension_calls.of(frames or ())
        loops = self.python.message_loops
        takes = Takes()
        if frames and thread.syscall is not None:
            takes = loops.of_polled(frames) if by_clock else loops.of(frames)
        return replace(
            thread,
            name=name or thread.name,
            is_python=is_python,
            python_stack=None if frames is None else self.python.shown_stack(frames),
            bindings=self.python.bindings.of(frames or ()),
            only_sleeps=self.python.loops.only_sleeps(frames or ()) if by_clock else None,
            takes_next=takes.next,
            subscribes=takes.subscribes,
            answers=takes.answers,
            asks=takes.asks,
            takes_from=self.python.taken_queue(frames) if frames and thread.syscall else None,
            calling=calling,
        )


def _with_missing(around: Surroundings, pid: int, gone: Sequence[Alive]) -> Surroundings:
    """*around*, with what multiprocessing started and takes for alive, and has ended: what its fork
    server started is none of the kernel's children, and of others there may be no trace."""
    if not gone:
        return around
    served = tuple(Child(one.number, one.name, "X") for one in gone if one.by_server)
    own = tuple(f"{one.name} (process {one.number})" for one in gone if not one.by_server)
    children = around.children if around.children is None else (*around.children, *served)
    return replace(around, children=children, forgotten=own if forgets_children(pid) else ())


def _called(around: Surroundings, alive: Sequence[Alive]) -> Surroundings:
    """*around*, with the names that its process has given to children of multiprocessing's."""
    names = {one.number: given(one.name) for one in alive if not one.by_server}
    children = [replace(one, called=names.get(one.pid)) for one in around.children or ()]
    return replace(around, children=tuple(children)) if any(names.values()) else around
