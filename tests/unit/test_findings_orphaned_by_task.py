"""A lock that greenlets or tasks wait for, and whose owner, one of them, has ended."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    LoopState,
    NodeKind,
    Severity,
    Task,
    TaskState,
    Wait,
)
from tests.unit.factories import capture, evidence, lock, python_frame, thread

PID = 100


def waiting(*, orphaned: bool, expires: bool = False) -> Capture:
    hub = EventLoop(PID, 9, "gevent.hub.Hub", LoopState.IDLE, PID, timers=1, library="gevent")
    stack = (python_frame("want_lock", 12),)
    task = Task(PID, 2, "Greenlet", "want_lock", TaskState.WAITING, 9, PID, stack)
    task = replace(task, kind=NodeKind.GREENLET, still=True)
    held = replace(lock("lock", 7, NodeKind.RLOCK), orphaned=orphaned)
    wait = Wait(task.id, held.id, evidence("it is among those to be told"), expires, "acquire")
    made = capture(thread("MainThread", PID, python=[python_frame("run", 600)]))
    return replace(made, event_loops=(hub,), tasks=(task,), resources=(held,), waits=(wait,))


def test_whose_owner_has_ended_is_told_as_such() -> None:
    (found,) = (one for one in findings.run(waiting(orphaned=True)) if one.id == "orphaned-lock")

    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.CERTAIN)
    assert found.title.endswith("greenlet want_lock waits for lock, whose owner has ended")
    assert "at main.py:12 (want_lock) for" in found.sentence


def test_the_task_that_it_records_is_named() -> None:
    made = waiting(orphaned=True)
    note = "it records its owner, task Karla, which has ended"
    resources = tuple(replace(one, note=note) for one in made.resources)
    tasks = tuple(replace(one, kind=NodeKind.TASK) for one in made.tasks)
    made = replace(
        made,
        tasks=tasks,
        resources=resources,
        waits=tuple(replace(one, waiter=tasks[0].id) for one in made.waits),
    )

    (found,) = (one for one in findings.run(made) if one.id == "orphaned-lock")

    assert (
        "It records its owner, task Karla, which has ended without releasing it" in found.sentence
    )
    assert "async with" in found.advice[0]


def test_nothing_of_one_that_may_be_given_back_or_whose_wait_ends() -> None:
    for made in (waiting(orphaned=False), waiting(orphaned=True, expires=True)):
        assert "orphaned-lock" not in {one.id for one in findings.run(made)}
