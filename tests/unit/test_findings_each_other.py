"""Threads that wait for what only the others of them could end, beside one that goes on; and a
package's own thread, in which the program waits for that package."""

from dataclasses import replace
from typing import Any

import pytest

from hangtui import findings
from hangtui.model import (
    Certainty,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    Severity,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    lock,
    python_frame,
    stood,
    thread,
    waits,
)

DONE = replace(lock("Yard.done", 0xD, NodeKind.QUEUE), wakers_known=True)
READY = replace(lock("Trade.ready", 0xE, NodeKind.QUEUE), wakers_known=True)
PLAN = thread("MainThread", python=[python_frame("build", 49), python_frame("main", 30)])
TRADE = thread("rigger", PID + 1, python=[python_frame("run", 21)])
TICK = thread("weather", PID + 2, python=[python_frame("tick", 62)])
RX = "/venv/lib/python3.12/site-packages/reactivex/"


def ring(*, code: tuple[str, ...] = ("build (main.py:31)",), seconds: float = 2.0) -> Finding:
    """*code*: what would put into the workers' queue."""
    made = capture(
        PLAN,
        TRADE,
        TICK,
        resources=[DONE, replace(READY, ending_code=code)],
        waits=[waits(PLAN, DONE, operation="get"), waits(TRADE, READY, operation="get")],
    )
    wakers = (
        CouldWake(DONE.id, TRADE.id, Complement.PUT, Nearness.AHEAD, evidence()),
        CouldWake(READY.id, PLAN.id, Complement.PUT, Nearness.AHEAD, evidence()),
    )
    made = stood(replace(made, could_wake=wakers), seconds=seconds)
    return next(one for one in findings.run(made) if one.id == "waker-busy")


def test_who_waits_for_workers_that_only_it_could_give_work_is_a_warning() -> None:
    found = ring()

    assert found.severity is Severity.WARNING
    assert "which only rigger could put into; rigger waits at" in found.title
    assert "only MainThread could end that" in found.title


@pytest.mark.parametrize("change", [{"code": ("take_order (shop.py:9)",)}, {"seconds": 0.2}])
def test_other_code_may_bring_it_and_a_moment_is_no_sign(change: dict[str, Any]) -> None:
    assert ring(**change).severity is Severity.NOTE


def signalled(*, code: tuple[str, ...] = (), seconds: float = 2.0) -> Finding:
    """Two services that wait for each other to be ready. *code*: what else would set the event of
    the second."""
    archive, press = (
        replace(lock(f"Service.ready at {number:#x}", number, NodeKind.EVENT), wakers_known=True)
        for number in (0xB, 0xC)
    )
    made = capture(
        PLAN,
        TRADE,
        TICK,
        resources=[archive, replace(press, ending_code=code)],
        waits=[waits(PLAN, archive), waits(TRADE, press)],
    )
    wakers = (
        CouldWake(one.id, who.id, Complement.SET, Nearness.AHEAD, evidence(), "self.ready.set")
        for one, who in ((archive, TRADE), (press, PLAN))
    )
    made = stood(replace(made, could_wake=tuple(wakers)), seconds=seconds)
    return next(one for one in findings.run(made) if one.id in {"mutual-wait", "waker-busy"})


def test_threads_that_alone_could_set_each_others_events_are_a_warning() -> None:
    found = signalled()

    assert (found.id, found.severity) == ("mutual-wait", Severity.WARNING)
    assert found.title.startswith("Possible deadlock: MainThread and rigger wait for each other")


@pytest.mark.parametrize("change", [{"code": ("take_order (shop.py:9)",)}, {"seconds": 0.2}])
def test_other_code_may_set_it_and_a_moment_is_no_sign(change: dict[str, Any]) -> None:
    assert signalled(**change).severity is Severity.NOTE


def latch(*, led: bool) -> Finding:
    """*led*: the frames of another thread lead to what is waited for."""
    runs = replace(
        python_frame("run", 187, f"{RX}eventloopscheduler.py"), package="reactivex 4.1.0"
    )
    inner = replace(python_frame("run", 61, f"{RX}run.py"), package="reactivex 4.1.0")
    own = thread("Thread-1", PID + 1, python=[inner, python_frame("look_up", 22), runs])
    event = replace(lock("latch", 0xA, NodeKind.EVENT), wakers_known=True)
    made = capture(PLAN, own, TICK, resources=[event], waits=[waits(own, event)])
    if led:
        refers = CouldWake(event.id, TICK.id, Complement.SET, Nearness.REFERS, evidence())
        made = replace(made, could_wake=(refers,))
    return next(one for one in findings.run(stood(made)) if one.id == "waiting-for-others")


def test_who_waits_for_a_package_in_that_packages_own_thread_waits_for_itself() -> None:
    found = latch(led=False)

    assert found.severity is Severity.WARNING
    assert found.title.endswith("; reactivex has called look_up in its own run")
    assert "if that thread is to bring it, it waits for itself" in found.sentence


def test_another_thread_that_leads_there_may_bring_it() -> None:
    assert latch(led=True).severity is Severity.NOTE


@pytest.mark.parametrize(
    ("size", "near", "seconds", "severity"),
    [
        (3, Nearness.REFERS, 2.0, Severity.ERROR),
        (3, Nearness.AHEAD, 2.0, None),  # it comes to that, and they go on
        (4, Nearness.REFERS, 2.0, Severity.WARNING),  # somebody else is to come as well
        (3, Nearness.REFERS, 0.2, Severity.WARNING),
    ],
)
def test_a_barrier_for_just_those_who_wait_for_a_lock_of_one_that_is_there(
    size: int, near: Nearness, seconds: float, severity: Severity | None
) -> None:
    """Whoever else there is, and refers to it."""
    first, second, third = (
        thread(f"lane-{n}", 101 + n, python=[python_frame("note", 14 + n)]) for n in range(3)
    )
    speaker = thread("loudspeaker", 110, python=[python_frame("call_out", 40)], still=False)
    finish = lock("Board.finish (threading.Barrier)", 0x1, NodeKind.BARRIER)
    finish = replace(finish, wakers_known=True, size=size, waiting=1)
    guard = lock("Board.guard (threading.Lock)", 0x2)
    found = evidence("its code reaches it", Certainty.INFERRED)
    come = [
        CouldWake(finish.id, one.id, Complement.ARRIVE, Nearness.AHEAD, found, "finish.wait", "a:9")
        for one in (second, third)
    ]
    refers = CouldWake(finish.id, speaker.id, Complement.ARRIVE, near, found, None, None)
    made = capture(
        *(first, second, third, speaker),
        resources=[finish, guard],
        waits=[
            waits(first, finish, text="Barrier.wait: it waits for the other parties"),
            waits(second, guard),
            waits(third, guard),
        ],
        holds=[holds(guard, first)],
    )
    made = replace(stood(made, seconds=seconds), could_wake=(*come, refers))
    rings = (one for one in findings.run(made) if one.id == "mutual-wait")

    assert next((ring.severity for ring in rings), None) is severity
