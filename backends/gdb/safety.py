"""When gdb may attach to a process, and that the process runs afterwards."""

import contextlib
import os
import select
import signal
import time

from hangtui.backends.permission import access
from hangtui.backends.procfs.files import PROC, numbers, status_of
from hangtui.model import Notice, Source, clean

_STOP_SIGNAL_BIT = 1 << (signal.SIGSTOP - 1)


def let_run(pid: int, watch_s: float, process: int | None = None) -> None:
    """Continues a process that a dying gdb left stopped.

    *process*: a pidfd of it, opened before gdb attached: whoever gets its PID later is left alone.

    To attach means to send SIGSTOP. If gdb dies before it has taken that signal back, the kernel
    delivers it: the process stops for good, at once or as soon as a thread can take signals again.
    SIGCONT ends the stop and cancels the signal. It is sent only where one of the two is
    seen, since the process may have a handler for it; that can be a moment after gdb has gone.
    """
    with contextlib.ExitStack() as opened:
        if process is None:
            try:
                process = os.pidfd_open(pid)
            except OSError:
                return  # it is gone
            opened.callback(os.close, process)
        _continue(pid, process, time.monotonic() + watch_s)


def _continue(pid: int, process: int, limit: float) -> None:
    while not select.select([process], [], [], 0)[0]:
        # What is seen of the PID may be another's, since a moment: the signal is not.
        if _is_left_stopped(pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(process, signal.SIGCONT)
        if time.monotonic() >= limit:
            return
        time.sleep(0.01)


def _is_left_stopped(pid: int) -> bool:
    for status in thread_statuses(pid):
        if status.get("TracerPid", "0") != "0":
            return False
        pending = int(status.get("SigPnd", "0"), 16) | int(status.get("ShdPnd", "0"), 16)
        if status["State"].startswith("T") or pending & _STOP_SIGNAL_BIT:
            return True
    return False


def thread_statuses(pid: int) -> list[dict[str, str]]:
    """The status of each thread."""
    result = []
    with contextlib.suppress(OSError):
        for tid in numbers(PROC / str(pid) / "task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                status = status_of(PROC / str(pid) / "task" / str(tid))
                if "State" in status:
                    result.append(status)
    return result


def refusal(pid: int) -> Notice | None:
    """Why gdb must stay away from the process; None: it may attach."""
    statuses = thread_statuses(pid)
    if not statuses:
        return notice(pid, "the process ended before gdb looked at it")
    if statuses[0]["State"][0] in "ZX":
        # Others may live on without it, but gdb attaches to a process through this one.
        return notice(pid, "its main thread has ended, so gdb cannot attach")
    tracer = next((t for s in statuses if (t := s.get("TracerPid", "0")) != "0"), None)
    if tracer is not None:
        message = f"process {tracer}{_name_of(tracer)} already traces it, and only one can"
        return notice(pid, message, f"end that debugger: kill {tracer}")
    if any(status["State"].startswith("T") for status in statuses):
        return notice(pid, "the process is stopped by a signal", f"kill -CONT {pid}")
    if not access.may_trace(pid):
        return notice(pid, *access.explain(pid, "no permission to attach gdb"))
    stuck = _uninterruptible(statuses)
    if stuck and stuck & _uninterruptible_after(pid, 0.05):
        message = "a thread is in uninterruptible sleep (D), which gdb would wait for too"
        return notice(pid, message)
    return None


def _uninterruptible(statuses: list[dict[str, str]]) -> set[str]:
    return {status["Pid"] for status in statuses if status["State"].startswith("D")}


def _uninterruptible_after(pid: int, seconds: float) -> set[str]:
    """Asked again, because a disk access looks the same for a moment."""
    time.sleep(seconds)
    return _uninterruptible(thread_statuses(pid))


def _name_of(pid: str) -> str:
    with contextlib.suppress(OSError):
        return f" ({clean((PROC / pid / 'comm').read_text(errors='replace').strip())})"
    return ""


def notice(pid: int, message: str, fix: str | None = None) -> Notice:
    """A notice of this source."""
    return Notice(Source.GDB, message, fix, pid)
