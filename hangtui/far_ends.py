"""Waits that lead from one capture into another, over a TCP connection whose ends are in both.

Captures are taken one after the other, and on clocks that differ. That two processes wait for each
other at one moment follows only if nothing went over the connection between the two looks, by the
kernel's account at both ends; what is not known to hold is in no ring.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hangtui.dataclass import dataclass
from hangtui.model import (
    Capture,
    Certainty,
    Evidence,
    Hold,
    Meetings,
    NodeId,
    NodeKind,
    Resource,
    Source,
    TcpEnd,
    Traffic,
    label_of,
    process_id,
    thread_id,
    weakest,
)

_CLOCKS_S = 0.5
"""By how much two machines may disagree about when data went over a connection, which takes time
as well."""
_AT_ONCE = "nothing went over it between the two looks"


@dataclass(frozen=True, slots=True)
class _Moment:
    """Whether what both ends say is true of one moment."""

    certainty: Certainty
    why: str


def with_far_ends(capture: Capture, within_s: float | None) -> Capture:
    """*capture*, which was put together from several, with the holders of what threads wait for at
    the other ends of connections.

    *within_s*: the time in which all of them were taken, by one clock; None: it is not known.
    """
    meetings = Meetings(capture.tcp_ends, capture.networks)
    awaited = {wait.target for wait in capture.waits}
    resources = {one.id: one for one in capture.resources}
    main = {process.pid for process in capture.processes}
    holds: list[Hold] = []
    users: dict[NodeId, tuple[NodeId, ...]] = {}
    replaced: set[tuple[NodeId, NodeId]] = set()
    for end in capture.tcp_ends:
        resource = resources.get(end.socket)
        if resource is None or end.socket not in awaited:
            continue
        met = meetings.of(end)
        if met.unclear:
            resources[end.socket] = replace(resource, note=f"{_ALONE}: {met.unclear}")
        others = [one for one in met.others if one.pid in main and one.pid != end.pid]
        if not others:
            continue
        resources[end.socket] = _told(resource, end, others)
        replaced |= {(end.socket, process_id(one.pid)) for one in others}
        users[end.socket] = tuple(node for one in others for node in one.users)
        holds += [hold for one in others for hold in _holds(end, one, within_s)]
    if not holds and resources == {one.id: one for one in capture.resources}:
        return capture
    old = (one for one in capture.holds if (one.resource, one.holder) not in replaced)
    return replace(
        capture,
        resources=tuple(resources.values()),
        holds=(*old, *dict.fromkeys(holds)),
        waits=tuple(
            replace(wait, answering=users[wait.target]) if users.get(wait.target) else wait
            for wait in capture.waits
        ),
    )


_ALONE = "its other end is on another machine, or in another network namespace"


def _told(resource: Resource, end: TcpEnd, others: Sequence[TcpEnd]) -> Resource:
    """A connection, called by the process at its other end."""
    pids = list(dict.fromkeys(one.pid for one in others))
    who = f"process {pids[0]}" if len(pids) == 1 else f"{len(pids)} processes, as {pids[0]}"
    name = f"TCP connection to {end.remote} in {who}"
    return replace(
        resource,
        name=name,
        label=label_of(name, resource.detail),
        note=None,
        unaccepted=not any(one.accepted for one in others),
    )


def _holds(end: TcpEnd, other: TcpEnd, within_s: float | None) -> Iterator[Hold]:
    """Those of the process at the other end that can end a wait for *end*."""
    moment = _moment(end, other, within_s)
    has = f"has the other end open ({other.descriptors})"
    if not other.accepted:
        has = f"listens there ({other.descriptors}) and has not accepted the connection"
    text = f"process {other.pid} {has}; {moment.why}"
    if other.able is None:
        text += "; which of its threads could act is not known"
        evidence = Evidence(Source.PROCFS, Certainty.UNKNOWN, text)
        yield Hold(end.socket, process_id(other.pid), evidence)
        return
    # If nobody there can act, its main thread stands for all of them.
    able = other.able or (thread_id(other.pid, other.pid),)
    count = len(other.able)
    if count > 1:
        text += f"; {count} of its threads could act first"
    sure = weakest([Certainty.PROVEN, other.complete, end.complete, moment.certainty])
    for node in able:
        if node.kind is NodeKind.THREAD:
            yield Hold(end.socket, node, Evidence(Source.PROCFS, sure, text))


def _moment(end: TcpEnd, other: TcpEnd, within_s: float | None) -> _Moment:
    """Whether both ends were seen in one state of the connection."""
    both = (end.traffic, other.traffic if other.accepted else end.traffic)
    quiet = [_quiet_s(one) for one in both if one is not None]
    if len(quiet) < 2 or end.seen_at is None or other.seen_at is None:
        why = "whether both were so at the same moment is not known"
        return _Moment(Certainty.UNKNOWN, why)
    if any(one is not None and one.unacknowledged for one in both):
        return _Moment(Certainty.UNKNOWN, "what was sent over it has not arrived")
    apart_s = abs(end.seen_at - other.seen_at)
    if within_s is not None and min(quiet) > within_s:
        return _Moment(Certainty.PROVEN, _AT_ONCE)
    last = [at - s for at, s in zip((end.seen_at, other.seen_at), quiet, strict=True)]
    same = quiet[0] == quiet[1] or abs(last[0] - last[1]) <= _CLOCKS_S
    if same and min(quiet) > apart_s + _CLOCKS_S:
        return _Moment(Certainty.INFERRED, f"{_AT_ONCE}, if the clocks of both are right")
    return _Moment(Certainty.UNKNOWN, "data went over it shortly before, or between, the two looks")


def _quiet_s(traffic: Traffic) -> float:
    """For how many seconds nothing has gone over a connection."""
    known = [one for one in (traffic.sent_s, traffic.received_s) if one is not None]
    return min(known, default=float("inf"))
