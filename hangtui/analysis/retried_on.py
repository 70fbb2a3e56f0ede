"""What packages call again after errors, in one call of the program's that several looks met."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from hangtui.model import Capture, NodeId, Retried

_LOOKS = 3


def retried_on(captures: Sequence[Capture]) -> Iterator[Retried]:
    """What the last of *captures* knows of that, with for how long it was so. A look may have met a
    thread in the function of the program instead: then an earlier one tells."""
    seen: dict[NodeId, list[tuple[float, Retried]]] = {}
    for capture in captures:
        for one in capture.retried:
            seen.setdefault(one.actor, []).append((_moment(capture), one))
    now = {one.actor for one in captures[-1].retried}
    for actor, met in seen.items():
        (first, _), (last, latest) = met[0], met[-1]
        same = {(one.call, one.inside, one.bindings) for _, one in met}
        known = latest.inside is not None and latest.bindings is not None
        if known and len(same) == 1 and len(met) >= _LOOKS:
            yield replace(latest, lasted_s=last - first)
        elif actor in now:
            yield latest


def _moment(capture: Capture) -> float:
    return datetime.fromisoformat(capture.taken_at).timestamp()
