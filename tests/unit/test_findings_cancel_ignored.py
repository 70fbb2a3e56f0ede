"""Tasks and greenlets that were told to end, and wait on."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    EventLoop,
    FarEnd,
    Finding,
    LoopState,
    NodeKind,
    PythonFrame,
    Severity,
    Sleep,
    Syscall,
    Task,
    TaskState,
    Wait,
)
from tests.unit.factories import PID, capture, evidence, lock, python_frame, stood, thread, waits

SWELL = lock("Buoy.swell", 0xE, NodeKind.EVENT)
HUB = python_frame("Hub.run", 647, "/venv/lib/python3.12/site-packages/gevent/hub.py")
SELECT = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")


def told(kind: NodeKind, library: str, inside: PythonFrame, *, by: str | None) -> Finding | None:
    ring, main = (
        Task(PID, at, name, name, TaskState.WAITING, 9, PID, (frame,), kind=kind)
        for at, name, frame in (
            (0x101, "ring", python_frame("ring", 16)),
            (0x102, "take_in", python_frame("take_in", 33)),
        )
    )
    ring = replace(ring, cancels=int(by is not None), cancelled_by=by or None)
    ends = Wait(main.id, ring.id, evidence())
    made = capture(
        thread("MainThread", python=[inside], still=True),
        resources=[SWELL],
        waits=[waits(ring.id, SWELL), ends],
    )
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=0, library=library)
    made = replace(made, tasks=(ring, main), event_loops=(loop,))
    return next((one for one in findings.run(made) if one.id == "cancel-ignored"), None)


def test_a_greenlet_that_goes_on_although_it_was_killed_is_told_with_the_call() -> None:
    found = told(NodeKind.GREENLET, "gevent", HUB, by="gevent.killall")

    assert found is not None
    assert found.title.startswith("greenlet ring was killed and goes on to wait; ")
    assert found.title.endswith(", in gevent.killall(), for its end")
    assert "gevent.killall() was called for that, and it caught GreenletExit" in found.sentence
    assert "gevent.Timeout" in found.advice[0]


def test_a_task_is_told_with_how_often_it_was_asked() -> None:
    found = told(NodeKind.TASK, "asyncio", SELECT, by="")

    assert found is not None
    assert found.title.startswith("task ring was cancelled and goes on to wait; ")
    assert "cancel() was called on it once, and it caught CancelledError" in found.sentence
    assert "the task records 1 request to cancel it, not taken back" in found.evidence


@pytest.mark.parametrize("kind", [NodeKind.GREENLET, NodeKind.TASK])
def test_nothing_is_told_of_one_that_nobody_asked_to_end(kind: NodeKind) -> None:
    assert told(kind, "gevent", HUB, by=None) is None


@pytest.mark.parametrize(("left_s", "bad"), [(9.0, False), (90.0, True)])
def test_a_clean_up_that_awaits_an_answer_which_the_clock_brings_is_a_note(
    left_s: float, *, bad: bool
) -> None:
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    serves = replace(thread("Thread-2", 202, syscall=nap), pid=200)
    slow, main = (
        Task(PID, at, name, name, TaskState.WAITING, 9, PID, (python_frame(name, 16),), cancels=n)
        for at, name, n in ((0x101, "slow", 1), (0x102, "group", 0))
    )
    made = capture(
        thread("MainThread", python=[SELECT], still=True),
        serves,
        waits=[Wait(main.id, slow.id, evidence())],
    )
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=0, library="asyncio")
    link = FarEnd(slow.id, "connection to process 200 (app.py)", 200, (serves.id,))
    made = replace(stood(made), tasks=(slow, main), event_loops=(loop,), far_ends=(link,))

    found = next(one for one in findings.run(made) if one.id == "cancel-ignored")
    assert (found.severity is Severity.WARNING) is bad
