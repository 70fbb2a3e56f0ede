"""Takes a capture: runs the sources over the targets and hands out what is known so far."""

import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from hangtui.backends import access, procfs
from hangtui.backends.inspection import Inspection, Inspector
from hangtui.backends.pyspy import python_stacks
from hangtui.model import Capture, Notice, Process, Source, TargetError, Thread
from hangtui.provider import CaptureRequest, NativeMode

_WAITS, _NATIVE = "waits and Python stacks", "native stacks"


@dataclass(slots=True)
class _Progress:
    """The capture while it grows."""

    started: float
    base: Capture
    inspections: dict[int, Inspection] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)

    def capture(self, *pending: str) -> Capture:
        """Everything so far."""
        done = self.inspections.values()
        return replace(
            self.base,
            processes=tuple(inspection.process for inspection in done),
            resources=tuple(r for inspection in done for r in inspection.resources),
            waits=tuple(w for inspection in done for w in inspection.waits),
            holds=tuple(h for inspection in done for h in inspection.holds),
            notices=(*self.notices, *(n for inspection in done for n in inspection.notices)),
            pending=pending,
            took_ms=(time.monotonic() - self.started) * 1000,
        )


def collect(request: CaptureRequest) -> Iterator[Capture]:
    """Captures that grow; the last one is complete.

    Raises:
        TargetError: no process could be read at all.
    """
    base = Capture(
        taken_at=datetime.now(UTC).isoformat(timespec="milliseconds"), host=socket.gethostname()
    )
    progress = _Progress(time.monotonic(), base)
    for process in _processes(request, progress.notices):
        progress.inspections[process.pid] = Inspection(process, notices=_state_notices(process))
    yield progress.capture(_WAITS, _NATIVE)
    native = request.native is not NativeMode.NONE
    for pid in list(progress.inspections):
        for inspection in _inspect(progress.inspections[pid], request.native):
            progress.inspections[pid] = inspection
            yield progress.capture(_WAITS, *((_NATIVE,) if native else ()))
    yield progress.capture()


def _processes(request: CaptureRequest, notices: list[Notice]) -> list[Process]:
    pids = list(request.pids) or procfs.python_pids()
    if not pids:
        raise TargetError("no Python process is running here")
    processes: dict[int, Process] = {}
    failures = []
    for pid in pids:
        try:
            found = [pid, *(procfs.children(pid) if request.children else ())]
        except TargetError as error:
            failures.append(error)
            continue
        for each in found:
            try:
                process = procfs.read_process(each)
            except TargetError as error:
                failures.append(error)
            else:
                processes.setdefault(process.pid, process)
    if not processes:
        raise failures[0]
    notices += [Notice(Source.PROCFS, error.message, error.fix) for error in failures]
    return list(processes.values())


def _state_notices(process: Process) -> tuple[Notice, ...]:
    """What the kernel says of a process that explains by itself why it does not run."""
    pid, notices = process.pid, []
    if process.tracer_pid:
        message = f"process {pid} is traced by process {process.tracer_pid}, which may hold it"
        fix = f"ps -o pid,args -p {process.tracer_pid}"
        notices.append(Notice(Source.PROCFS, message, fix, pid))
    if process.state == "T":
        message = f"process {pid} is stopped (SIGSTOP or SIGTSTP), so nothing in it moves"
        notices.append(Notice(Source.PROCFS, message, f"kill -CONT {pid}", pid))
    if process.state == "Z":
        message = f"process {pid} has ended; its parent {process.ppid} has not fetched its status"
        notices.append(Notice(Source.PROCFS, message, None, pid))
    return tuple(notices)


def _inspect(known: Inspection, native: NativeMode) -> Iterator[Inspection]:
    """What can be read of one process, in growing steps; a failure costs its own facts alone."""
    process = known.process
    if not process.threads:
        yield known
        return
    try:
        with Inspector(process) as inspector:
            inspection = inspector.inspect()
            inspection = replace(inspection, notices=known.notices + inspection.notices)
            if not inspector.reads_python:
                inspection = _with_pyspy(inspection)
            yield inspection
            if native is not NativeMode.NONE:
                inspection = inspector.with_native_stacks(inspection)
                yield inspection
        if native is NativeMode.GDB:
            yield _with_gdb(inspection)
    except TargetError as error:
        fix = error.fix or (None if access.may_trace(process.pid) else access.fix(process.pid))
        notice = Notice(Source.PROCFS, error.message, fix, process.pid)
        yield replace(known, notices=(*known.notices, notice))


def _with_pyspy(inspection: Inspection) -> Inspection:
    """Python stacks by py-spy, for interpreters that the own reader does not know."""
    if inspection.process.python is None:
        return inspection
    result = python_stacks(inspection.process.pid)

    def merged(thread: Thread) -> Thread:
        found = result.threads.get(thread.tid)
        if found is None:
            return thread
        name = found.name or thread.name
        return replace(thread, name=name, python_stack=found.frames, is_python=True)

    notices = inspection.notices + ((result.notice,) if result.notice else ())
    threads = tuple(map(merged, inspection.process.threads))
    return replace(
        inspection, notices=notices, process=replace(inspection.process, threads=threads)
    )


def _with_gdb(inspection: Inspection) -> Inspection:
    """Native stacks of all threads by gdb, which stops the process meanwhile."""
    from hangtui.backends.gdb import native_stacks

    result = native_stacks(inspection.process.pid)
    threads: Iterable[Thread] = (
        replace(thread, native_stack=result.stacks[thread.tid], native_complete=True)
        if thread.tid in result.stacks
        else thread
        for thread in inspection.process.threads
    )
    process = replace(inspection.process, threads=tuple(threads), stopped_for_ms=result.stopped_ms)
    notices = inspection.notices
    if result.notice is None:  # nothing is missing any more
        notices = tuple(notice for notice in notices if notice.source != Source.UNWIND)
    else:
        notices += (result.notice,)
    return replace(inspection, process=process, notices=notices)
