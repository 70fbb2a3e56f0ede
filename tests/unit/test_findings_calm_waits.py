"""Waits inside of packages that last, and are no warning; each with what is one."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.model import (
    Capture,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    Progress,
    PythonFrame,
    Resource,
    Retried,
    Severity,
    Sleep,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Watched,
    shared_id,
)
from tests.unit.factories import PID, capture, evidence, holds, lock, python_frame, thread, waits

SITE = "/app/.venv/lib/python3.12/site-packages"
OWN = python_frame("follow", 12, "/app/feed.py")
WAITS = python_frame("Condition.wait", 355, "/usr/lib/python3.12/threading.py")
PEER = 200
OVER = "TCP connection to 10.0.0.1:50051"


def in_package(function: str) -> PythonFrame:
    return python_frame(function, 547, f"{SITE}/somerpc/call.py")


def watched(
    function: str, *others: Thread, traffic: Traffic | None, peers: Sequence[int] = ()
) -> Finding:
    """What several looks say of a main thread that waits in this function of a package, threads of
    C code of which have a connection."""
    looks = []
    for second in (0, 1, 3):
        main = thread("MainThread", python=(WAITS, in_package(function), OWN))
        main = replace(main, runs=7, cpu_ns=7000)
        native = replace(thread("event_engine", 101), is_python=False)
        line = lock("arrived", 1, NodeKind.CONDITION)
        made = capture(
            main, native, *others, resources=[line], waits=[waits(main, line, expires=True)]
        )
        one = Watched(native.id, OVER, traffic, tuple(peers))
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(made, watched=(one,), taken_at=taken_at))
    return only(with_progress(looks))


def only(made: Capture) -> Finding:
    (found,) = (one for one in findings.run(made) if one.id == "waiting-in-library")
    return found


@pytest.mark.parametrize(
    ("function", "received_s", "calm"),
    [
        ("Call.__next__", 50.0, True),
        ("Call.__next__", None, False),
        ("Call.result", 50.0, False),
    ],
)
def test_who_goes_through_messages_that_threads_of_c_code_bring(
    function: str, received_s: float | None, calm: bool
) -> None:
    finding = watched(function, traffic=Traffic(40.0, received_s, True))

    assert "for 3 s or more" in finding.title
    assert (finding.severity is Severity.NOTE) is calm


@pytest.mark.parametrize(
    ("takes_next", "received_s", "calm"),
    [(True, 50.0, True), (True, None, False), (False, 50.0, False)],
)
def test_who_takes_what_comes_over_its_own_connection(
    takes_next: bool, received_s: float | None, calm: bool
) -> None:
    """A loop of the application goes through what a package hears, which waits by poll()."""
    looks = []
    for second in (0, 1, 3):
        polls = Syscall("epoll_wait")
        main = thread("MainThread", python=(in_package("Channel.consume"), OWN), syscall=polls)
        main = replace(main, runs=7, cpu_ns=7000, takes_next=takes_next, still=True)
        one = Watched(main.id, OVER, Traffic(40.0, received_s, None), ())
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(capture(main), watched=(one,), taken_at=taken_at))

    assert (only(with_progress(looks)).severity is Severity.NOTE) is calm


def brought(received_s: float | None) -> Finding:
    """What several looks say of a main thread that goes through messages which another one is seen
    on the way to bring, and that one watches a connection."""
    looks = []
    line = lock("arrived", 1, NodeKind.CONDITION)
    for second in (0, 1, 3):
        main = thread("MainThread", python=(WAITS, in_package("Call.__iter__"), OWN))
        other = thread("brings", 101, python=[in_package("Call.run")])
        main, other = (replace(one, runs=7, cpu_ns=7000) for one in (main, other))
        made = capture(main, other, resources=[line], waits=[waits(main, line)])
        brings = CouldWake(line.id, other.id, Complement.NOTIFY, Nearness.AHEAD, evidence())
        one = Watched(other.id, OVER, Traffic(40.0, received_s, True), ())
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(made, watched=(one,), could_wake=(brings,), taken_at=taken_at))
    return only(with_progress(looks))


@pytest.mark.parametrize(("received_s", "calm"), [(50.0, True), (None, False)])
def test_who_goes_through_messages_that_a_thread_of_the_package_brings(
    received_s: float | None, *, calm: bool
) -> None:
    finding = brought(received_s)
    assert (finding.severity is Severity.NOTE) is calm


@pytest.mark.parametrize("asleep", [True, False])
def test_who_goes_through_messages_that_come_of_what_it_asks_by_the_clock(*, asleep: bool) -> None:
    """The package goes through its questions, as in a stream of gRPC in both directions; nobody is
    seen to bring the answers but threads of C code."""
    orders = python_frame("orders", 3, "/app/feed.py")
    call = Syscall("clock_nanosleep", sleep=Sleep(None, None)) if asleep else Syscall("futex")
    looks = []
    line = lock("arrived", 1, NodeKind.CONDITION)
    for second in (0, 1, 3):
        main = thread("MainThread", python=(WAITS, in_package("Call.__next__"), OWN))
        asks = thread("asks", 101, python=(orders, in_package("consume")), syscall=call)
        native = replace(thread("event_engine", 102), is_python=False)
        main, asks = (replace(one, runs=7, cpu_ns=7000) for one in (main, asks))
        made = capture(main, asks, native, resources=[line], waits=[waits(main, line)])
        ahead = CouldWake(line.id, asks.id, Complement.NOTIFY, Nearness.AHEAD, evidence())
        one = Watched(native.id, OVER, Traffic(4.0, 5.0, True), ())
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(made, watched=(one,), could_wake=(ahead,), taken_at=taken_at))

    assert (only(with_progress(looks)).severity is Severity.NOTE) is asleep


@pytest.mark.parametrize("serves", [True, False])
def test_a_call_goes_on_as_long_as_all_handlers_at_the_other_end_do(*, serves: bool) -> None:
    sleeps = Syscall("clock_nanosleep", sleep=Sleep(10.0, 4.0)) if serves else None
    handler = python_frame("report", 3, "/app/server.py")
    inside = thread("rpc_0", 201, PEER, python=(handler, in_package("serve")), syscall=sleeps)
    finding = watched("Call.result", inside, traffic=Traffic(40.0, 50.0, True), peers=(PEER,))

    assert (finding.severity is Severity.NOTE) is serves


@pytest.mark.parametrize(("total_s", "calm"), [(20.0, True), (3600.0, False)])
def test_a_sleep_between_two_tries_ends_by_itself(total_s: float, calm: bool) -> None:
    asleep = Syscall("clock_nanosleep", "some time left", sleep=Sleep(total_s, total_s - 5))
    looks = []
    for second in (0, 2):
        main = thread("MainThread", python=(in_package("Retrying.call"), OWN), syscall=asleep)
        made = capture(replace(main, runs=7, cpu_ns=7000))
        retried = (Retried(main.id, "connect (feed.py:4)", 3),)
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(made, retried=retried, taken_at=taken_at))
    finding = only(with_progress(looks))

    assert "between calls of connect (feed.py:4), of which it counts 3 for 2 s" in finding.title
    assert "It goes on by itself when that time is over" in finding.sentence
    assert "not recorded" not in finding.sentence
    assert (finding.severity is Severity.NOTE) is calm


def test_who_is_awake_elsewhere_in_a_package_in_each_look_does_not_wait() -> None:
    looks = []
    for second, line in ((0, 10), (2, 20)):
        stack = (python_frame("<module>", line, f"{SITE}/somerpc/{line}.py"), OWN)
        main = thread("MainThread", state="R", still=False, python=stack)
        main = replace(main, runs=7 + line, cpu_ns=7000)
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(capture(main), taken_at=taken_at))

    assert "waiting-in-library" not in {one.id for one in findings.run(with_progress(looks))}


@pytest.mark.parametrize("by_package", [True, False])
def test_what_the_program_does_in_the_packages_own_threads_is_told_beside(by_package: bool) -> None:
    """Who waits for a result waits for them, as far as can be seen: another package may stand in
    between."""
    main = thread("MainThread", python=(WAITS, in_package("Future.result"), OWN))
    graph = python_frame("Task.__call__", 7, f"{SITE}/somegraph/spec.py")
    began = (graph, in_package("Worker.run")) if by_package else ()
    asleep = Syscall("clock_nanosleep", sleep=Sleep(10.0, 4.0))
    own = python_frame("reprice", 9, "/app/shop.py")
    job = thread("worker-0", 101, python=(own, OWN, *began), syscall=asleep)
    task = Task(PID, 0x70, "Task-1", "_result", TaskState.WAITING, 0x60, PID, ())
    result = lock("the result of _result()", 1, NodeKind.FUTURE)
    made = capture(
        *(main, job),
        resources=[result],
        waits=[waits(main, result)],
        holds=[holds(result, task.id)],
    )
    finding = only(replace(made, tasks=(task,)))

    told = "worker-0 sleeps at shop.py:9 (reprice)"
    assert finding.title.endswith(f"; meanwhile {told}") is by_package
    assert (f"Meanwhile somerpc has called the program: {told}." in finding.sentence) is by_package


PIPE = shared_id(NodeKind.PIPE, "0x1/write")


@pytest.mark.parametrize("works", [True, False])
def test_a_full_pipe_is_told_with_the_readers_of_other_processes(*, works: bool) -> None:
    """As a pool has it, whose own process has the reading end open, too."""
    sleeps = Syscall("clock_nanosleep", sleep=Sleep(10.0, 4.0)) if works else None
    looks = []
    for second in (0, 2):
        main = thread("MainThread", python=(WAITS, OWN))
        feeds = thread("_handle_tasks", 101, python=(python_frame("feed", 3),))
        worker = thread("MainThread", PEER, PEER, python=(OWN,), syscall=sleeps)
        pipe = Resource(PIPE, NodeKind.PIPE, "the pipe to workers", PID, 0x1, name="the pipe")
        made = capture(
            *(replace(one, runs=7, cpu_ns=7000) for one in (main, feeds, worker)),
            resources=[pipe],
            waits=[waits(feeds, pipe, operation="write")],
            holds=[holds(pipe, one) for one in (main, worker)],
        )
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(made, taken_at=taken_at))
    found = findings.run(with_progress(looks))
    (finding,) = (one for one in found if one.id == "output-blocked")

    assert f"MainThread of process {PID}" not in finding.sentence
    assert f"only MainThread of process {PEER} could read it" in finding.sentence
    assert (finding.severity is Severity.NOTE) is works


@pytest.mark.parametrize("takes_next", [True, False])
def test_a_loop_that_takes_what_a_package_looks_for_now_and_then(*, takes_next: bool) -> None:
    looks = []
    stack = (
        python_frame("Transport.drain_events", 1012, f"{SITE}/kombu/transport/virtual/base.py"),
        python_frame("Connection.drain_events", 399, f"{SITE}/kombu/connection.py"),
        OWN,
    )
    for second in range(5):
        call = Syscall("clock_nanosleep")
        main = thread("MainThread", python=stack, syscall=call)
        main = replace(main, runs=7 + second, cpu_ns=7000, takes_next=takes_next)
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(capture(main), taken_at=taken_at))
    found = only(with_progress(looks))

    assert "for somebody to publish a message to a queue that it consumes from" in found.title
    assert (found.severity is Severity.NOTE) is takes_next


@pytest.mark.parametrize(
    ("state", "cpu_s", "calm"),
    [("R", 1.8, True), ("R", 0.1, True), ("S", 0.1, False), ("R", 0.0, False)],
)
def test_what_threads_of_the_package_compute_is_waited_for(
    state: str, cpu_s: float, *, calm: bool
) -> None:
    main = thread("MainThread", python=(WAITS, in_package("Parallel.retrieve"), OWN))
    worker = replace(thread("worker-0", 101, python=(in_package("Tree.fit"),)), state=state)
    line = lock("arrived", 1, NodeKind.CONDITION)
    made = capture(main, worker, resources=[line], waits=[waits(main, line, expires=True)])
    seen = (
        Progress(main.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True),
        Progress(worker.id, 5, 2.0, 0.0, cpu_s),
    )
    finding = only(replace(made, progress=seen))

    assert (finding.severity is Severity.NOTE) is calm


@pytest.mark.parametrize(("left_s", "told"), [(7000.0, "urllib3's Retry: 1 h 56 min left)"),
                                              (5.0, "urllib3's Retry)")])  # fmt: skip
def test_how_long_a_library_sleeps_between_two_tries_is_told_if_that_is_long(
    left_s: float, told: str
) -> None:
    sleeps = Syscall("clock_nanosleep", "1 h 56 min left", sleep=Sleep(None, left_s))
    retry = python_frame("Retry.sleep", 374, f"{SITE}/urllib3/util/retry.py")
    main = thread("MainThread", python=[retry, OWN], syscall=sleeps)
    looks = [replace(capture(main), taken_at=f"2026-01-02T03:04:0{s}+00:00") for s in range(5)]

    assert f"for the clock between two tries ({told}" in only(with_progress(looks)).title
