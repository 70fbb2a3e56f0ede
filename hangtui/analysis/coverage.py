"""What a capture could not see, so that silence is not taken for good news."""

from hangtui.model import Capture, Process, Thread


def unread(capture: Capture) -> tuple[Process, ...]:
    """The processes of which nothing is known but that they exist: no stack, no wait, no GIL."""
    return tuple(process for process in capture.processes if _unread(process))


def _unread(process: Process) -> bool:
    if process.state in ("Z", "X") or any(_seen(thread) for thread in process.threads):
        return False
    # A thread on a CPU is in no system call; only a Python one has a stack that could be read.
    asleep = any(thread.state != "R" for thread in process.threads)
    return asleep or process.python is not None or not process.threads


def _seen(thread: Thread) -> bool:
    return (
        thread.python_stack is not None
        or thread.native_stack is not None
        or thread.syscall is not None
        or thread.gil is not None
    )
