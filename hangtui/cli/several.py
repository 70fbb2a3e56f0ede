"""Several captures: of the same process one after the other, of others as one."""

from collections.abc import Sequence

from hangtui.joined import joined
from hangtui.model import Capture, UsageError


def in_order(captures: Sequence[Capture]) -> tuple[Capture, ...]:
    """Captures of the same process in the order of time, others as one.

    Raises:
        UsageError: processes of several machines or containers have the same PID.
    """
    pids = [process.pid for capture in captures for process in capture.processes]
    hosts = {capture.host for capture in captures if capture.host}
    if len(pids) == len(set(pids)) or len(hosts) > 1:
        return (combine(captures),)
    return tuple(sorted(captures, key=lambda capture: capture.taken_at))


def combine(captures: Sequence[Capture]) -> Capture:
    """Several captures as one.

    Raises:
        UsageError: a PID is in two of them.
    """
    seen: set[int] = set()
    for capture in captures:
        pids = {process.pid for process in capture.processes}
        if both := seen & pids:
            raise UsageError(
                f"PID {min(both)} is in more than one of these captures",
                "look at them one by one",
            )
        seen |= pids
    return joined(captures) if len(captures) > 1 else captures[0]
