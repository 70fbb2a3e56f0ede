"""Several captures: of the same process one after the other, of others as one."""

from collections.abc import Sequence
from dataclasses import replace

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
    first, *others = captures
    for other in others:
        both = {p.pid for p in first.processes} & {p.pid for p in other.processes}
        if both:
            raise UsageError(
                f"PID {min(both)} is in more than one of these captures",
                "look at them one by one",
            )
        hosts = (
            first.host if other.host in first.host.split(", ") else f"{first.host}, {other.host}"
        )
        first = replace(
            first,
            host=hosts,
            processes=first.processes + other.processes,
            resources=first.resources + other.resources,
            waits=first.waits + other.waits,
            holds=first.holds + other.holds,
            could_wake=first.could_wake + other.could_wake,
            tasks=first.tasks + other.tasks,
            event_loops=first.event_loops + other.event_loops,
            crash=first.crash or other.crash,
            origin=", ".join(o for o in (first.origin, other.origin) if o) or None,
            notices=first.notices + other.notices,
            pending=tuple(dict.fromkeys(first.pending + other.pending)),
        )
    return first
