"""An event loop and threads of its process that all wait, so that none can wake another one."""

from dataclasses import replace
from typing import Any

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.model import (
    Capture,
    Certainty,
    Ended,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    NoHolder,
    PythonFrame,
    Resource,
    Severity,
    Surroundings,
    Task,
    TaskState,
    Thread,
    resource_id,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, thread, waits

LIB = "/usr/lib/python3.12"
WAIT = python_frame("Condition.wait", 355, f"{LIB}/threading.py")
GET = python_frame("Queue.get", 171, f"{LIB}/queue.py")
JANUS = python_frame("put", 381, f"{LIB}/site-packages/janus/__init__.py")
SHUTDOWN = python_frame("ThreadPoolExecutor.shutdown", 238, f"{LIB}/concurrent/futures/thread.py")
READ, COPY = python_frame("read_lines", 13), python_frame("copy_file", 27)
DONE = lock("result of read_lines", 0xF, NodeKind.FUTURE)
ROOM = lock("full (threading.Condition)", 0xC, NodeKind.CONDITION)
LINES = lock("typed (queue.Queue)", 0xD, NodeKind.QUEUE)


def beside(*others: Thread, wait: Resource | None = ROOM, source: str = "") -> Capture:
    """A loop whose only task waits for a result of the first of *others*, which waits as well."""
    main = replace(thread("MainThread"), runs=7, cpu_ns=7000)
    task = Task(PID, 0x101, "main", "copy", TaskState.WAITING, 0x10, PID, (COPY,), "a result")
    counts: dict[str, Any] = {
        fact: int(fact == source) for fact in ("timers", "watched", "signal_handlers")
    }
    made = capture(
        main,
        *others,
        resources=[DONE, ROOM, LINES],
        waits=[waits(task.id, DONE), *([waits(others[0], wait)] if wait else [])],
        holds=[holds(DONE, one, Certainty.INFERRED) for one in others[:1]],
    )
    (process,) = made.processes
    process = replace(process, steady=True, around=Surroundings(handles_signals=()))
    loop = EventLoop(PID, 0x10, "asyncio.Loop", LoopState.IDLE, PID, **counts)
    return replace(made, processes=(process,), tasks=(task,), event_loops=(loop,))


def worker(*stack: PythonFrame, name: str = "reader", tid: int = 101) -> Thread:
    return replace(thread(name, tid, python=stack), runs=3, cpu_ns=3000)


def seen(made: Capture) -> dict[str, Finding]:
    looks = [replace(made, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
    return {one.id: one for one in findings.run(with_progress(looks))}


@pytest.mark.parametrize("owes", [True, False])
def test_a_librarys_own_thread_does_not_lead_what_a_task_waits_for(owes: bool) -> None:
    service = worker(GET, name="service")
    made = beside(service, wait=None)
    takes = waits(service, LINES, text="Queue.get: it waits for an item")
    made = replace(made, waits=(*made.waits, takes), holds=made.holds if owes else ())
    found = seen(made)["event-loop-stalled"]
    assert "and task copy (main) waits in it at main.py:27 (copy_file)" in found.title
    left = "for work that is left to service, which waits for an item of typed"
    assert found.title.endswith(left) is owes


def test_a_thread_waits_inside_a_library_for_what_only_the_loop_could_do() -> None:
    found = seen(beside(worker(WAIT, JANUS, READ)))["event-loop-stalled"]

    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert found.title.startswith("Nothing can wake the event loop of MainThread, nor reader, ")
    assert "which waits at main.py:13 (read_lines) for full" in found.title
    assert "task copy (main) waits at main.py:27 (copy_file) for work that is left to reader" in (
        found.sentence
    )
    assert found.where is not None
    assert found.where.function == "read_lines"
    assert "notify full" in found.advice[0]


def test_a_thread_that_takes_what_comes_may_be_all_that_the_program_is_for() -> None:
    found = seen(beside(worker(WAIT, GET, READ), wait=LINES))["event-loop-stalled"]

    assert found.severity is Severity.WARNING


def test_a_task_whose_cancel_scope_was_cancelled_is_not_there_to_rest() -> None:
    made = beside(worker(WAIT, GET, READ), wait=LINES)
    tasks = tuple(replace(one, cancelled_at="/app/main.py:26") for one in made.tasks)
    found = seen(replace(made, tasks=tasks))["event-loop-stalled"]

    assert found.severity is Severity.ERROR
    said = "although its cancel scope (main.py:26) was cancelled, or its time is over"
    assert said in found.sentence


def test_an_executor_that_is_shut_down_waits_for_no_rest() -> None:
    reader = worker(WAIT, GET, READ)
    joins = worker(WAIT, SHUTDOWN, name="stopper", tid=102)
    made = beside(reader, joins, wait=LINES)
    made = replace(made, waits=(*made.waits, waits(joins, reader)))

    assert seen(made)["event-loop-stalled"].severity is Severity.ERROR


@pytest.mark.parametrize("source", ["timers", "watched", "signal_handlers"])
def test_a_loop_that_something_wakes_may_go_on(source: str) -> None:
    assert "event-loop-stalled" not in seen(beside(worker(WAIT, JANUS, READ), source=source))


def test_a_thread_that_can_go_on_by_itself_may_wake_the_loop() -> None:
    sleeps = beside(worker(READ), wait=None)
    gives_up = beside(worker(WAIT, READ))
    gives_up = replace(gives_up, waits=tuple(replace(w, expires=True) for w in gives_up.waits))
    other = beside(worker(WAIT, READ), worker(READ, name="timer", tid=102))

    for made in (sleeps, gives_up, other):
        assert "event-loop-stalled" not in seen(made)


def test_a_thread_that_another_process_can_wake_may_wake_the_loop() -> None:
    pipe = replace(ROOM, id=resource_id(NodeKind.PIPE, 0, 0x77), kind=NodeKind.PIPE)
    made = beside(worker(READ), wait=pipe)

    assert "event-loop-stalled" not in seen(replace(made, resources=(*made.resources, pipe)))


@pytest.mark.parametrize("timers", [0, 1])
def test_tasks_in_a_ring_are_stuck_whoever_has_the_lock_if_nothing_wakes_their_loop(
    timers: int,
) -> None:
    main = replace(thread("MainThread"), runs=7, cpu_ns=7000)
    taken = lock("ledger (DeferredLock)", 0xE)
    pay = Task(PID, 0x101, "pay", "pay", TaskState.WAITING, 0x10, PID, (COPY,), "task fee")
    fee = Task(PID, 0x102, "fee", "fee", TaskState.WAITING, 0x10, PID, (READ,), "ledger")
    made = capture(
        main,
        resources=[taken],
        waits=[waits(pay.id, fee.id, Certainty.PROVEN), waits(fee.id, taken)],
        holds=[holds(taken, pay.id, Certainty.INFERRED)],
    )
    (process,) = made.processes
    around = Surroundings(handles_signals=("SIGTERM",), children=())
    process = replace(process, steady=True, around=around)
    loop = EventLoop(PID, 0x10, "Loop", LoopState.IDLE, PID, None, timers, 0, 0)
    made = replace(made, processes=(process,), tasks=(pay, fee), event_loops=(loop,))
    found = seen(made)["deadlock"]
    assert found.severity is (Severity.WARNING if timers else Severity.ERROR)
    assert found.certainty is Certainty.INFERRED


def test_a_thread_that_draws_bars_by_the_clock_does_not_wake_a_loop() -> None:
    bars = worker(python_frame("TMonitor.run", 60, f"{LIB}/site-packages/tqdm/_monitor.py"))
    found = seen(beside(bars, wait=None))["event-loop-stalled"]

    assert "look after others by the clock" in found.sentence


@pytest.mark.parametrize("enders", [("Judge.flush (main.py:25)",), ()])
def test_what_only_a_function_would_do_that_nobody_runs_is_a_warning_beside_native_threads(
    enders: tuple[str, ...],
) -> None:
    native = replace(worker(name="jemalloc_bg_thd"), is_python=False)
    made = beside(native, wait=None)
    done = replace(DONE, enders=enders, wakers_known=True)
    made = replace(made, resources=(done, *made.resources[1:]), holds=())
    found = seen(made).get("quiet")

    assert (found is not None and found.severity is not Severity.NOTE) is bool(enders)


def test_who_waits_for_the_thread_that_runs_the_loop_waits_for_its_tasks() -> None:
    """Its end, or the result of a call that it is in, tells less than what these wait for."""
    made = beside(wait=None)
    (loop,), (task,) = made.event_loops, made.tasks
    (main,) = made.threads()
    runner = replace(worker(READ, name="floor"), tid=102)
    loop, task = replace(loop, tid=runner.tid), replace(task, loop_tid=runner.tid)
    joins = replace(main, python_stack=(COPY,))
    for target, holds_ in ((runner, ()), (ROOM, (holds(ROOM, runner, Certainty.PROVEN),))):
        room = replace(ROOM, kind=NodeKind.FUTURE)
        found = capture(
            joins,
            runner,
            resources=[DONE, room],
            waits=[waits(task.id, DONE), waits(joins, target)],
            holds=[*holds_],
        )
        (process,) = found.processes
        process = replace(process, steady=True, around=Surroundings(handles_signals=()))
        found = replace(found, processes=(process,), tasks=(task,), event_loops=(loop,))
        told = seen(found)["event-loop-stalled"]
        assert "of floor, and task copy (main) waits in it at main.py:27" in told.title
        assert "MainThread waits at main.py:27 (copy_file) for these tasks" in told.sentence


def test_a_title_says_who_would_end_it() -> None:
    made = beside(wait=None)
    done = replace(DONE, wakers_known=True)

    def title(resource: Resource) -> str:
        known = replace(made, resources=(resource,), holds=())
        return seen(known)["event-loop-stalled"].title

    flush = "Judge.flush (main.py:25)"
    would = f"; {flush} would end that, and nobody runs it"
    assert title(replace(done, enders=(flush,))).endswith(would)
    gone = Ended("task flush", "KeyError", "flush", "/app/main.py:9")
    died = "; task flush, whose code would end that, has ended with KeyError"
    assert title(replace(done, ended=(gone,))).endswith(died)
    taken = replace(DONE, no_holder=NoHolder.GONE)
    assert title(taken).endswith("; whoever took it has ended, or went on, without giving it back")
    given = replace(taken, enders=(flush,))
    assert title(given).endswith(f"; {flush} would give it back, and nobody runs it")


def test_who_waits_for_the_thread_of_a_loop_that_goes_on_is_told_behind_its_tasks() -> None:
    made = beside(wait=None, source="watched")
    (loop,), (task,) = made.event_loops, made.tasks
    (main,) = made.threads()
    runner = replace(worker(READ, name="floor"), tid=102)
    joins = replace(main, python_stack=(READ,))
    found = capture(
        joins, runner, resources=[DONE], waits=[waits(task.id, DONE), waits(joins, runner)]
    )
    (process,) = found.processes
    process = replace(process, steady=True, around=Surroundings(handles_signals=()))
    loop, task = replace(loop, tid=runner.tid), replace(task, loop_tid=runner.tid)
    found = replace(found, processes=(process,), tasks=(task,), event_loops=(loop,))
    told = seen(found)["quiet"]
    assert "task copy (main) waits at main.py:27 (copy_file)" in told.title
    assert "MainThread waits at main.py:13 (read_lines) for floor to end" in told.sentence
