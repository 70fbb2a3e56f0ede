"""What a capture could not see, so that silence is not taken for good news."""

from hangtui.model import Capture, Process, Thread

_ENDED = ("Z", "X")


def unread(capture: Capture) -> tuple[Process, ...]:
    """The processes of which nothing is known but that they exist: no stack, no wait, no GIL."""
    return tuple(process for process in capture.processes if _unread(process))


def partly(capture: Capture) -> tuple[Process, ...]:
    """The processes of which a bound of their reading cut something off."""
    return tuple(process for process in capture.processes if process.incomplete)


def nothing_read(capture: Capture) -> bool:
    """Whether that is all that is known of every process that has not ended."""
    alive = [process for process in capture.processes if process.state not in _ENDED]
    dark = unread(capture)
    return len(dark) == len(alive) and (bool(dark) or not capture.processes)


def _unread(process: Process) -> bool:
    if process.state in _ENDED or any(_seen(thread) for thread in process.threads):
        return False
    # A thread on a CPU is in no system call; only a Python one has a stack that could be read. But
    # whoever could look into its process has counted how often it ran.
    asleep = any(thread.state != "R" for thread in process.threads)
    watched = any(thread.runs is not None for thread in process.threads)
    return asleep or process.python is not None or not watched


def _seen(thread: Thread) -> bool:
    return (
        thread.python_stack is not None
        or thread.native_stack is not None
        or thread.syscall is not None
        or thread.gil is not None
    )
