"""The capture of a process that a signal is about to end, while it stands still for it."""

import time
from dataclasses import replace
from datetime import UTC, datetime

from hangtui.backends.capture import pyspy
from hangtui.backends.capture.process_reader import Inspector
from hangtui.backends.crash.packages import with_packages
from hangtui.backends.crash.reading import FatalSignal, read_crash, with_source_lines
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.monitor.tracer import Fatal
from hangtui.backends.process import processes
from hangtui.backends.procfs import syscalls
from hangtui.backends.procfs.files import PROC, link
from hangtui.backends.ptrace.stopped_threads import FrozenThread, FrozenWatch
from hangtui.model import Capture, Notice, Process, Source, Thread, clean


def capture(fatal: Fatal, host: str) -> Capture:
    """Everything that can be read of it.

    Raises:
        TargetError: it was killed meanwhile.
    """
    started = time.monotonic()
    process = _described(processes.read_process(fatal.pid), fatal.threads)
    facts, notices = Facts(), list[Notice]()
    with ProcessMemory(process.pid) as memory:
        try:
            inspector = Inspector(process, memory, FrozenWatch(fatal.threads))
            inspector.read(facts)
            inspector.name_native_stacks()
            process = inspector.conclude(facts)
            notices += inspector.notices
            if process.python is not None and not inspector.reads_python:
                process, told = pyspy.with_stacks(process, inspector.tid_of_ident)
                notices += [told] if told else []
        except DamagedDataError as error:
            message = f"it could not be read to the end: {type(error).__name__}: {error}"
            notices.append(Notice(Source.CPYTHON, clean(message, 200), None, process.pid))
        thread = next(thread for thread in fatal.threads if thread.tid == fatal.tid)
        signal = FatalSignal(thread, fatal.info)
        crash = read_crash(memory, process, signal, fatal.threads, Source.PROCFS)
        process = with_source_lines(memory, with_packages(process, memory.root), crash)
        notices += memory.root.budget.notices(process.pid)
    took_ms = (time.monotonic() - started) * 1000
    return Capture(
        taken_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        host=host,
        processes=(replace(process, stopped_for_ms=took_ms),),
        resources=tuple(facts.resources.values()),
        waits=tuple(facts.waits),
        holds=tuple(facts.holds),
        tasks=tuple(facts.tasks),
        event_loops=tuple(facts.event_loops),
        crash=crash,
        notices=tuple(notices),
        took_ms=took_ms,
    )


def without_tracer(process: Process, tracer: int) -> Process:
    """*process* without the fact that we trace it."""
    if process.tracer_pid != tracer:
        return process
    around = replace(process.around, tracer=None) if process.around else None
    return replace(process, tracer_pid=None, around=around)


def _described(process: Process, frozen: tuple[FrozenThread, ...]) -> Process:
    """The process as it would be seen if nobody had stopped it."""
    by_tid = {thread.tid: thread for thread in frozen}
    around = replace(process.around, tracer=None) if process.around else None
    threads = tuple(_thread(thread, by_tid.get(thread.tid)) for thread in process.threads)
    return replace(process, state="S", tracer_pid=None, around=around, threads=threads)


def _thread(thread: Thread, frozen: FrozenThread | None) -> Thread:
    if frozen is None:
        return thread
    folder = PROC / str(thread.pid) / "fd"
    call = syscalls.describe(frozen.syscall_line, lambda number: link(folder / str(number)))
    state = "S" if frozen.call >= 0 else "R"
    return replace(thread, state=state, syscall=call, wchan=None)
