"""What the scheduler of an engine has, by its own record."""

from hangtui.findings.protocols import rests_in, servers_of
from hangtui.model import Capture, Pid, Scheduler, Thread


def scheduler_of(pid: Pid, capture: Capture) -> Scheduler | None:
    """That of a process; None: it is no engine, or its record was not read."""
    return next((one for one in capture.schedulers if one.pid == pid), None)


def has_no_request(thread: Thread, capture: Capture) -> bool:
    """Whether it is an engine's, and waits for the next request, having none."""
    known, process = scheduler_of(thread.pid, capture), capture.process(thread.pid)
    if known is None or process is None or known.paused or known.requests:
        return False
    return rests_in(thread, servers_of(process)) is not None
