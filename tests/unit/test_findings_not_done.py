"""Who joins a queue whose workers all wait for its next item: literal captures."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    PythonInfo,
    Severity,
    Thread,
)
from tests.unit.factories import capture, evidence, lock, python_frame, stood, thread, waits

JOBS = replace(lock("jobs (queue.Queue)", 0x3, NodeKind.QUEUE), wakers_known=True)
MAIN = thread("MainThread", python=[python_frame("main", 30)])
PACKER = thread("packer", 101, python=[python_frame("pack", 10)])
SENDER = thread("sender", 102, python=[python_frame("send", 20)])
TICKER = thread("ticker", 103, python=[python_frame("tick", 40)])


def joined(*others: Thread, workers: tuple[Thread, ...] = (PACKER, SENDER)) -> Capture:
    """The main thread joins the queue that the workers wait for an item of."""
    join = replace(waits(MAIN, JOBS, Certainty.PROVEN, "main.py:30"), call="Queue.join")
    gets = [replace(waits(one, JOBS, Certainty.PROVEN), call="Queue.get") for one in workers]
    made = capture(MAIN, PACKER, SENDER, *others, resources=[JOBS], waits=[join, *gets])
    reports = tuple(could(one) for one in (PACKER, SENDER))
    return replace(made, could_wake=reports)


def could(candidate: Thread, nearness: Nearness = Nearness.AHEAD) -> CouldWake:
    found = evidence("its code reaches it", Certainty.INFERRED, "main.py:11")
    call = ("jobs.task_done", "main.py:11")
    return CouldWake(JOBS.id, candidate.id, Complement.TASK_DONE, nearness, found, *call)


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "tasks-not-done"), None)


def test_all_workers_wait_for_the_next_item() -> None:
    found = told(stood(joined(TICKER)))

    assert found is not None
    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert "MainThread waits at main.py:30 (main) in jobs.join()" in found.title
    assert "packer and sender wait for the next item" in found.sentence


def test_seen_once_it_is_a_note() -> None:
    found = told(joined(TICKER))

    assert found is not None
    assert found.severity is Severity.NOTE


def test_one_that_works_on_an_item_is_about_to_report_it() -> None:
    assert told(stood(joined(TICKER, workers=(PACKER,)))) is None


@pytest.mark.parametrize("nearness", [Nearness.AHEAD, Nearness.REFERS])
def test_somebody_else_may_report_it(nearness: Nearness) -> None:
    made = joined(TICKER)
    made = replace(made, could_wake=(*made.could_wake, could(TICKER, nearness)))

    assert told(stood(made)) is None


def test_where_not_everybody_was_searched_nothing_is_told() -> None:
    made = joined(TICKER)

    assert told(replace(made, resources=(replace(JOBS, wakers_known=False),))) is None


def test_what_was_given_to_a_pool_may_be_about_to_end() -> None:
    inside = python_frame("run", 58, "/usr/lib/python3.12/concurrent/futures/thread.py")
    pool = thread("pool_0", 104, python=[python_frame("fetch", 50), inside])
    found = told(stood(joined(TICKER, pool)))

    assert found is not None
    assert found.severity is Severity.NOTE


def alone(*reports: CouldWake, ended: tuple[str, ...] = ()) -> Capture:
    join = replace(waits(MAIN, JOBS, Certainty.PROVEN, "main.py:30"), call="Queue.join")
    made = replace(capture(MAIN, TICKER, resources=[JOBS], waits=[join]), could_wake=reports)
    (process,) = made.processes
    info = PythonInfo("3.12.1", "CPython", ended=ended)
    return stood(replace(made, processes=(replace(process, python=info),)))


@pytest.mark.parametrize("ended", [(), ("packer",)])
def test_nobody_works_for_the_queue(ended: tuple[str, ...]) -> None:
    found = told(alone(ended=ended))

    assert found is not None
    assert found.severity is Severity.WARNING
    assert found.title == (
        "MainThread waits at main.py:30 (main) in jobs.join(), and no thread works for that queue"
    )
    assert "whoever did has ended, as by an exception, or was never started." in found.sentence
    assert ("Threads of it that have ended: packer." in found.sentence) is bool(ended)


@pytest.mark.parametrize("nearness", [Nearness.AHEAD, Nearness.REFERS])
def test_who_is_at_work_works_for_the_queue(nearness: Nearness) -> None:
    assert told(alone(could(TICKER, nearness))) is None
