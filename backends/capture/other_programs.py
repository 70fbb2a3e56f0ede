"""What other programs know of the processes: NVIDIA's driver, py-spy, gdb."""

from contextlib import ExitStack
from dataclasses import replace

from hangtui.backends import heartbeat
from hangtui.backends.capture import turns
from hangtui.backends.capture.process_reader import ProcessReader
from hangtui.backends.capture.record import Record
from hangtui.backends.gpu import nvml
from hangtui.model import Notice, Source

_GPU_LIMIT_S = 3.0
"""The driver is asked while all else is read, which it delays, if it hangs, up to this long."""


def ask_driver(record: Record, stack: ExitStack) -> nvml.Question | None:
    """Ask who uses the GPUs, where one of the processes has one; *stack* closes the question."""
    if not nvml.concerns(record.processes.values()):
        return None
    try:
        return stack.enter_context(nvml.Question())
    except nvml.NoAnswerError as error:
        _no_gpus(record, error)
        return None


def add_gpus(record: Record, question: nvml.Question) -> None:
    """Add what the driver answers."""
    try:
        answer = question.answer(_GPU_LIMIT_S)
    except nvml.NoAnswerError as error:
        _no_gpus(record, error)
        return
    record.processes = {
        pid: nvml.with_use(process, answer) for pid, process in record.processes.items()
    }
    record.notices += nvml.notices(answer)


def _no_gpus(record: Record, error: nvml.NoAnswerError) -> None:
    message = f"what the processes use of their GPUs is not known: {error.reason}"
    record.notices.append(Notice(Source.NVML, message, error.fix))


def add_pyspy(record: Record, reader: ProcessReader, limit_s: float) -> None:
    """Add Python stacks by py-spy, for interpreters that the own reader does not know."""
    process = record.processes[reader.pid]
    if process.python is None:
        return
    from hangtui.backends.capture import pyspy

    found, notice = pyspy.with_stacks(process, reader.tid_of_ident, limit_s)
    if notice and record.is_another(reader):
        return
    record.processes[reader.pid] = found
    record.notices += [notice] if notice else []


def add_gdb(record: Record, pid: int) -> None:
    """Add native stacks of all threads by gdb, from a copy of the process."""
    from hangtui.backends.minicore.stacks import native_stacks, with_stack

    with heartbeat.at(pid, turns.GDB_PATIENCE_S):
        if record.has_ended(pid):
            return
        result = native_stacks(pid)
    process = record.processes[pid]
    threads = tuple(with_stack(t, result.stacks.get(t.tid, ())) for t in process.threads)
    record.processes[pid] = replace(process, threads=threads, stopped_for_ms=result.stopped_ms)
    record.notices += result.notices
    if result.stacks:  # what could not be read from memory is there now
        stale = [n for n in record.notices if n.source == Source.UNWIND and n.pid == pid]
        record.notices = [notice for notice in record.notices if notice not in stale]
