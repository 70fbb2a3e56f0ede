"""Several captures: of the same process one after the other, of others as one."""

from collections.abc import Sequence

from hangtui.hosts import host_name
from hangtui.model import Capture, UsageError, clean, host_of, own


def in_order(captures: Sequence[Capture]) -> tuple[Capture, ...]:
    """Captures of the same process in the order of time, others as one.

    Raises:
        UsageError: they are of several machines, and two are of the same process.
    """
    processes = [one for capture in captures for one in _processes(capture)]
    hosts = {capture.host for capture in captures if capture.host}
    if len(processes) == len(set(processes)) or len(hosts) > 1:
        return (combine(captures),)
    return tuple(sorted(captures, key=lambda capture: capture.taken_at))


def combine(captures: Sequence[Capture], within_s: float | None = None) -> Capture:
    """Several captures as one.

    *within_s*: the time in which all were taken, by one clock; None: it is not known.

    Raises:
        UsageError: a process is in two of them.
    """
    seen: set[tuple[str, int]] = set()
    for capture in captures:
        processes = set(_processes(capture))
        if both := seen & processes:
            host, pid = min(both)
            raise UsageError(
                f"PID {pid} of {clean(host) or 'a host that is not known'} is in more than one of "
                "these captures",
                "look at them one by one",
            )
        seen |= processes
    if len(captures) == 1:
        return captures[0]
    from hangtui.joined import joined

    return joined(captures, within_s)


def _processes(capture: Capture) -> list[tuple[str, int]]:
    """Whose captures it holds: the host, and the number there."""
    return [(host_of(one.pid) or host_name(capture), own(one.pid)) for one in capture.processes]
