"""Waits that look like rests and are none, told by what the waiting thread has done before, by who
has called it, and by how long those sleep who could end them: literal captures."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.causes_first import causes_first
from hangtui.findings.rest.owed import sleeps_for_ages
from hangtui.findings.stack_queries import does
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    PythonFrame,
    Reason,
    Severity,
    Sleep,
    Syscall,
    Thread,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    process,
    python_frame,
    stood,
    thread,
    waits,
    with_thread,
)

PACKAGES = "/venv/lib/python3.12/site-packages"
BEGINS = python_frame("<module>", 60)
DAY_S = 86_400.0


def told(made: Capture, identifier: str) -> Finding:
    return next(one for one in findings.run(made) if one.id == identifier)


def beside_a_worker(main: Thread) -> Capture:
    booked = lock("Shop.booked (threading.Event)", 0x1, NodeKind.EVENT)
    orders = lock("Packer.orders (queue.Queue)", 0x2, NodeKind.QUEUE)
    packer = thread("packer", 43, python=[python_frame("run", 29)])
    takes = waits(packer, orders, text="Queue.get: it waits for a put()")
    made = capture(main, packer, resources=[booked, orders], waits=[waits(main, booked), takes])
    return stood(made)


@pytest.mark.parametrize("asks", [True, False])
def test_who_gave_something_to_others_in_this_round_is_not_parked(*, asks: bool) -> None:
    main = replace(thread("MainThread", python=[python_frame("confirm", 46), BEGINS]), asks=asks)
    found = told(beside_a_worker(main), "nobody-left-to-wake")

    assert ("is parked" in found.title) is not asks
    assert found.severity is (Severity.WARNING if asks else Severity.NOTE)


POST = python_frame("post", 134, f"{PACKAGES}/requests/api.py")
WRAPPER = python_frame("catch_wrapper", 12, f"{PACKAGES}/loguru/_logger.py")


@pytest.mark.parametrize(
    ("outer", "parked"), [((POST, BEGINS), False), ((WRAPPER, BEGINS), True), ((BEGINS,), True)]
)
def test_who_a_package_has_called_back_is_not_parked(
    outer: Sequence[PythonFrame], *, parked: bool
) -> None:
    main = thread("MainThread", python=[python_frame("pages", 47), *outer])
    found = told(beside_a_worker(main), "nobody-left-to-wake")

    assert ("is parked" in found.title) is parked


def test_a_lock_that_a_hook_of_a_fork_takes_is_told_as_one() -> None:
    natives = [native_frame("lock_PyThread_acquire_lock"), native_frame("PyOS_BeforeFork")]
    main = thread("MainThread", python=[python_frame("open_branch", 30)], native=natives)
    till = lock("Till.lock (threading.Lock)", 0x1)
    found = told(
        stood(capture(main, resources=[till], waits=[waits(main, till)])), "nobody-left-to-wake"
    )

    assert found.title.endswith("open_branch), inside of os.fork()")
    assert "functions run that os.register_at_fork was given" in found.sentence
    assert found.advice[0].startswith("Give os.register_at_fork")


def asleep(name: str, tid: int, seconds: float) -> Thread:
    call = Syscall("select", "some days in all", only_time=True, timed=True)
    call = replace(call, sleep=Sleep(seconds, None))
    return thread(name, tid, python=[python_frame("ring_out", 26)], syscall=call)


@pytest.mark.parametrize("days", [1, 20_000])
def test_who_waits_for_one_who_sleeps_for_ages_waits_in_vain(days: int) -> None:
    ringers = thread("ringers", 43, python=[python_frame("pull", 17)])
    main = asleep("MainThread", PID, days * DAY_S)
    noon = lock("Tower.noon (threading.Event)", 0x1, NodeKind.EVENT)
    could = CouldWake(
        noon.id, main.id, Complement.SET, Nearness.AHEAD, evidence("it runs the plan")
    )
    made = capture(main, ringers, resources=[noon], waits=[waits(ringers, noon)])
    made = stood(replace(made, could_wake=(could,)))
    words = words_of(made, build(made))

    assert sleeps_for_ages(ringers.id, words) is (days > 1)
    assert does(main, words).endswith("sleeps at main.py:26 (ring_out), some days in all")


def note(one: Thread) -> Finding:
    return Finding(
        "quiet",
        Severity.NOTE,
        Certainty.INFERRED,
        one.name or "",
        "",
        threads=(ref(one),),
        processes=(one.pid,),
        reason=Reason.ONE_WAIT,
    )


def test_a_child_that_only_sleeps_is_told_after_who_started_it_and_waits_for_that() -> None:
    own = thread("MainThread", python=[python_frame("stop", 36)])
    there = replace(asleep("feed", 90, 600.0), pid=90)
    pipe = lock("stdout pipe of process 90", 0x1, NodeKind.PIPE)
    made = capture(own, resources=[pipe], waits=[waits(own, pipe)], holds=[holds(pipe, there)])
    child = replace(process(90, there, script="feed.py"), ppid=own.pid)
    made = stood(replace(made, processes=(*made.processes, child)))
    found = causes_first([note(there), note(own)], made, build(made))

    assert [one.title for one in found] == ["MainThread", "feed"]


@pytest.mark.parametrize("feeds", [True, False])
def test_a_queue_without_anything_to_send_keeps_nobody_from_being_parked(*, feeds: bool) -> None:
    main = thread("MainThread", python=[python_frame("serve", 15)])
    made = beside_a_worker(main)
    queues = "/usr/lib/python3.12/multiprocessing/queues.py"
    inner = python_frame("Condition.wait", 355, "/usr/lib/python3.12/threading.py")
    own = python_frame("Queue._feed", 239, queues) if feeds else python_frame("sort", 9)
    feeder = thread("QueueFeederThread", 44, python=[inner, own])
    notempty = lock("notempty (threading.Condition)", 0x3, NodeKind.CONDITION)
    made = with_thread(made, feeder, waits=[waits(feeder, notempty)])
    made = stood(replace(made, resources=(*made.resources, notempty)))
    found = told(made, "nobody-left-to-wake")

    assert ("is parked" in found.title) is feeds
