"""The capture of a process that a signal is about to end, while it stands still for it."""

import time
from dataclasses import replace
from datetime import UTC, datetime

from hangtui.backends.capture.stopped_reader import Stopped, read_stopped
from hangtui.backends.crash.reading import FatalSignal
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.monitor.tracer import Fatal
from hangtui.backends.process import processes
from hangtui.backends.procfs import syscalls
from hangtui.backends.procfs.files import PROC, link
from hangtui.backends.ptrace.stopped_threads import FrozenThread
from hangtui.model import Capture, Process, Thread


def capture(fatal: Fatal, host: str) -> Capture:
    """Everything that can be read of it.

    Raises:
        TargetError: it was killed meanwhile.
    """
    started = time.monotonic()
    process = _described(processes.read_process(fatal.pid), fatal.threads)
    base = Capture(taken_at=datetime.now(UTC).isoformat(timespec="milliseconds"), host=host)
    thread = next(thread for thread in fatal.threads if thread.tid == fatal.tid)
    signal = FatalSignal(thread, fatal.info)
    with ProcessMemory(process.pid) as memory:
        images = Images(memory)
        stopped = Stopped(process, memory, images, fatal.threads, signal, live=True)
        taken = read_stopped(stopped, base)
        left_out = memory.root.budget.notices(process.pid)
    took_ms = (time.monotonic() - started) * 1000
    return replace(
        taken,
        processes=tuple(replace(one, stopped_for_ms=took_ms) for one in taken.processes),
        notices=(*taken.notices, *left_out),
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
