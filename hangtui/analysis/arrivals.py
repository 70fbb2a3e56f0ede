"""Over which connections data came from look to look: who waits there does not wait for a silent
peer."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from hangtui.model import Arrivals, Capture, NodeId


def arrivals(captures: Sequence[Capture], moments: Sequence[float]) -> Iterator[Arrivals]:
    """Of those that are waited for in the last of *captures*, by how much the kernel has counted,
    as far back as each look before it knows that.

    *moments*: when each was taken, in seconds.
    """
    seen = [dict(_came(capture)) for capture in captures]
    awaited = {wait.target for wait in captures[-1].waits}
    for resource, came in seen[-1].items():
        if resource not in awaited:
            continue
        first = _first(resource, seen)
        counts = [one[resource] for one in seen[first:]]
        times = sum(before < after for before, after in pairwise(counts))
        if times:
            lasted = moments[-1] - moments[first]
            yield Arrivals(resource, came - counts[0], times, lasted)


def _first(resource: NodeId, seen: Sequence[Mapping[NodeId, int]]) -> int:
    """The first look of those in a row up to the last that know the connection."""
    first = len(seen) - 1
    while first:
        before = seen[first - 1].get(resource)
        if before is None or before > seen[first][resource]:
            break  # another one, which has the place of one that was closed
        first -= 1
    return first


def _came(capture: Capture) -> Iterator[tuple[NodeId, int]]:
    for one in capture.resources:
        if one.traffic is not None and one.traffic.came is not None:
            yield one.id, one.traffic.came
