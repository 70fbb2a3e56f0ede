"""Tasks that wait for timers by a clock that stands."""

from dataclasses import replace
from typing import Any

import pytest

from hangtui import findings
from hangtui.backends.cpython.aio.clocks import never_due
from hangtui.model import (
    Capture,
    EventLoop,
    Finding,
    LoopState,
    Severity,
    Sleep,
    Task,
    TaskState,
)
from tests.unit.factories import PID, capture, python_frame, stood, thread

LOOP = 0x10
NOW = 5_000.0
DATE = 1_709_164_800.0
"""The 29th of February 2024, in seconds since 1970."""


def sleeper(state: TaskState = TaskState.WAITING) -> Task:
    frames = (
        python_frame("sleep", 665, "/usr/lib/python3.12/asyncio/tasks.py", entry=None),
        python_frame("poll", 9, "/app/jobs.py", entry=None),
    )
    awaits = "sleep, by a clock that freezegun has stopped"
    made = Task(PID, 0x101, "Task-1", "poll", state, LOOP, PID, frames, awaits)
    return replace(made, sleep=Sleep(0.2, DATE))


def running(*others: Any, one: Task | None = None, **facts: Any) -> Capture:
    select = python_frame("select", 468, "/usr/lib/python3.12/selectors.py")
    known = {
        "timers": 1, "watched": 0, "signal_handlers": 0, "stopped_clock": "freezegun", **facts
    }  # fmt: skip
    loop = EventLoop(PID, LOOP, "asyncio.Loop", LoopState.IDLE, PID, **known)
    made = capture(thread("MainThread", python=[select]), *others)
    return replace(made, tasks=(one or sleeper(),), event_loops=(loop,))


def told(made: Capture) -> list[Finding]:
    return [one for one in findings.run(made) if one.id == "clock-stopped"]


def test_a_sleep_by_a_stopped_clock_does_not_end() -> None:
    (finding,) = told(stood(running()))

    assert finding.severity is Severity.ERROR
    assert finding.title == (
        "task poll waits at jobs.py:9 (poll) for a sleep of 0.2 s that does not end: freezegun has "
        "stopped the clock of its event loop"
    )
    assert "before tick() or move_to() is called, or freeze_time() ends. Nobody" in finding.sentence
    assert "real_asyncio=True" in finding.advice[0]


@pytest.mark.parametrize("facts", [{"watched": 1}, {"signal_handlers": 1}])
def test_who_hears_something_may_move_the_time_on(facts: dict[str, Any]) -> None:
    (finding,) = told(stood(running(**facts)))

    assert finding.severity is Severity.WARNING
    assert finding.sentence.endswith("Whether anybody is to do so is not known.")


def test_another_thread_or_a_signal_may_move_the_time_on() -> None:
    runs = thread("mover", 2, python=[python_frame("move", 3)])
    for made in (stood(running(runs)), stood(running(), "SIGALRM")):
        assert [one.severity for one in told(made)] == [Severity.WARNING]


def test_one_look_is_too_short_to_tell_that_nobody_moves_it() -> None:
    assert [one.severity for one in told(running())] == [Severity.WARNING]


def test_nothing_is_said_of_a_clock_that_goes_or_of_a_task_that_could_go_on() -> None:
    assert told(stood(running(stopped_clock=None))) == []
    assert told(stood(running(one=sleeper(TaskState.READY)))) == []


def test_who_sleeps_by_a_stopped_clock_is_not_at_rest() -> None:
    assert "idle" not in [one.id for one in findings.run(stood(running()))]


@pytest.mark.parametrize(
    ("due", "never"),
    [
        ([], False),
        ([DATE + 0.2], True),
        ([DATE + 0.2, NOW + 3.0], False),
        ([NOW + 3_600.0], False),
        ([NOW - 3.0], False),
    ],
)
def test_timers_by_a_stopped_clock_lie_years_ahead(due: list[float], *, never: bool) -> None:
    assert never_due(due, NOW) is never
