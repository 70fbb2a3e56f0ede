"""Which pools are lent on from look to look."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from hangtui.analysis.lent_on import lent_on
from hangtui.model import (
    Capture,
    Ends,
    Hold,
    NodeKind,
    Resource,
    Task,
    TaskState,
    Traffic,
    Watched,
    resource_id,
)
from tests.unit.factories import PID, between, capture, evidence, thread, waits

POOL = resource_id(NodeKind.POOL, PID, 1)
LOOP = thread("MainThread", PID)


def look(
    holders: Collection[int],
    out: int | None = 2,
    came: int | None = None,
    sent_last: bool = True,
) -> Capture:
    """*holders*: of the pool, which wait for the next of a connection over which *came* so much."""
    lends = Resource(POOL, NodeKind.POOL, "a pool", PID, 1, size=2, out=out, accounted=len(holders))
    label = "next event of the connection to 1.2.3.4:80 (get)"
    event = Resource(resource_id(NodeKind.FUTURE, PID, 7), NodeKind.FUTURE, label, PID, 7)
    event = between(event, None, "1.2.3.4:80")
    tasks = [Task(PID, 0x100 + n, f"Task-{n}", "get", TaskState.WAITING, 9, PID) for n in holders]
    traffic = Traffic(1.0, 1.0, sent_last, came=came)
    made = capture(
        LOOP,
        resources=[lends, event],
        holds=[Hold(POOL, one.id, evidence()) for one in tasks],
        waits=[waits(one.id, event) for one in tasks],
    )
    watched = (Watched(LOOP.id, "", traffic, ends=Ends(None, "1.2.3.4:80")),)
    return replace(made, tasks=tuple(tasks), watched=watched if came is not None else ())


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        (look((1, 2)), look((1, 2)), False),
        (look((1, 2)), look((2, 3)), True),
        (look((1, 2)), look((1,)), False),  # the other one may have been missed
        (look((1, 2), out=None), look((2, 3), out=None), False),
        (look((1, 2), came=10), look((1, 2), came=10), False),
        (look((1, 2), came=10), look((1, 2), came=20), True),  # answered, and asked again
        (look((1, 2), came=10), look((1, 2), came=20, sent_last=False), False),
        (look((1, 2)), look((1, 2), came=20), False),
    ],
)
def test_others_have_it_or_have_got_further(earlier: Capture, later: Capture, found: bool) -> None:
    assert list(lent_on([earlier, later])) == ([POOL] if found else [])
