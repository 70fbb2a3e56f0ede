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


def desk(
    *,
    stood_s: float = 2.0,
    polls: bool = True,
    coming: bool = False,
    work: tuple[str, ...] = (),
    enders: tuple[str, ...] = (),
) -> Capture:
    """Two clerks wait for answers, and two orders lie in their queue."""
    clerks = [
        thread(name, tid, 100, python=[python_frame("ask", 17), python_frame("serve", 9)])
        for name, tid in (("clerk-1", 102), ("clerk-0", 101))
    ]
    answers = replace(lock("Desk.answers", 0x1, NodeKind.QUEUE), enders=enders)
    made = capture(
        *(MAIN, *clerks),
        resources=[answers],
        waits=[waits(one, answers, text="Queue.get: it waits for an item") for one in clerks],
    )
    seen = [Progress(one.id, 5, 2.0, stood_s, 0.0) for one in clerks]
    seen.append(Progress(MAIN.id, 5, 2.0, 0.0, 0.0, same_stack=True))
    takers = tuple(one.id for one in clerks)
    queue = WorkerQueue(100, "self.orders", "Desk.serve (desk.py:9)", 2, takers, work)
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


@pytest.mark.parametrize(
    ("enders", "said", "severity"),
    [
        (("reply (desk.py:20)",), "reply there would end that wait.", Severity.WARNING),
        (("reply (desk.py:20)", "call (a.py:2)"), "what is waited for may be", Severity.NOTE),
        ((), "what is waited for may be", Severity.NOTE),
    ],
)
def test_what_lies_behind_is_told_and_whether_it_would_end_the_wait(
    enders: tuple[str, ...], said: str, severity: Severity
) -> None:
    finding = told(desk(polls=False, work=("ask", "reply"), enders=enders))

    assert finding is not None
    assert finding.severity is severity
    assert "2 items lie in the queue self.orders (ask and reply) meanwhile" in finding.sentence
    assert said in finding.sentence
