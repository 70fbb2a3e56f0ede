"""Workers of a queue that all wait, while more work lies in it."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    Polled,
    Progress,
    Severity,
    WorkerQueue,
)
from tests.unit.factories import capture, evidence, lock, python_frame, thread, waits

MAIN = thread("MainThread", 100, 100, python=[python_frame("run", 46)])


def desk(*, stood_s: float = 2.0, polls: bool = True, coming: bool = False) -> Capture:
    """Two clerks wait for answers, and two orders lie in their queue."""
    clerks = [
        thread(name, tid, 100, python=[python_frame("ask", 17), python_frame("serve", 9)])
        for name, tid in (("clerk-1", 102), ("clerk-0", 101))
    ]
    answers = lock("Desk.answers", 0x1, NodeKind.QUEUE)
    made = capture(
        *(MAIN, *clerks),
        resources=[answers],
        waits=[waits(one, answers, text="Queue.get: it waits for an item") for one in clerks],
    )
    seen = [Progress(one.id, 5, 2.0, stood_s, 0.0) for one in clerks]
    seen.append(Progress(MAIN.id, 5, 2.0, 0.0, 0.0, same_stack=True))
    takers = tuple(one.id for one in clerks)
    queue = WorkerQueue(100, "self.orders", "Desk.serve (desk.py:9)", 2, takers)
    polled = Polled(MAIN.id, ("orders.qsize()",), "main.py:46") if polls else None
    ender = CouldWake(
        *(answers.id, MAIN.id, Complement.PUT, Nearness.AHEAD),
        *(evidence(), "self.answers.put", "main.py:50"),
    )
    return replace(
        made,
        progress=tuple(seen),
        worker_queues=(queue,),
        polled=(polled,) if polled else (),
        could_wake=(ender,) if coming else (),
    )


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "pool-starvation"), None)


def test_all_who_take_work_wait_while_more_lies_there() -> None:
    finding = told(desk())

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "Workers starved: both threads that take from self.orders wait, and 2 items lie behind: "
        "clerk-0 waits at main.py:17 (ask) for Desk.answers"
    )
    assert "from which only clerk-0 and clerk-1 take (Desk.serve (desk.py:9))" in finding.sentence
    assert finding.sentence.endswith(
        "Meanwhile MainThread waits at main.py:46 (run), by polling orders.qsize()."
    )


def test_where_another_thread_does_something_it_is_a_note() -> None:
    finding = told(desk(polls=False))

    assert finding is not None
    assert finding.severity is Severity.NOTE


@pytest.mark.parametrize(("stood_s", "coming"), [(0.2, False), (2.0, True)])
def test_who_has_just_begun_to_wait_or_is_to_be_answered_holds_up_nothing(
    stood_s: float, *, coming: bool
) -> None:
    assert told(desk(stood_s=stood_s, coming=coming)) is None
