"""Several captures: who stood still, who moved, who was busy where."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import compare, with_progress
from hangtui.model import (
    Capture,
    Child,
    EventLoop,
    GilState,
    LoopState,
    NodeKind,
    Severity,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Wait,
    shared_id,
)
from tests.unit.factories import capture, evidence, lock, native_frame, python_frame, thread, waits

MS = 1_000_000


def series(*looks: Thread, step_s: int = 1) -> list[Capture]:
    """One capture a second of one thread."""
    return [
        replace(capture(look), taken_at=f"2030-01-02T03:04:{step_s * n:02}+00:00")
        for n, look in enumerate(looks)
    ]


def busy(line: int, cpu_ms: int, function: str = "work") -> Thread:
    stack = [python_frame(function, line), python_frame("<module>", 99, entry=False)]
    one = thread("MainThread", state="R", still=False, python=stack)
    return replace(one, cpu_ns=cpu_ms * MS, runs=cpu_ms, busy=0.9, runnable=0.9)


def test_one_capture_tells_nothing() -> None:
    (only,) = series(thread("a"))
    assert with_progress([only]) is only
    assert list(compare([only])) == []


def test_a_thread_that_never_ran_is_unchanged_since_the_first_look() -> None:
    rests = replace(thread("a"), cpu_ns=5 * MS, runs=3)
    (found,) = compare(series(rests, rests, rests))

    assert (found.looks, found.lasted_s, found.unchanged_s, found.cpu_s) == (3, 2.0, 2.0, 0.0)


def test_a_thread_that_ran_at_first_rests_since_then() -> None:
    before, after = (
        replace(thread("a"), cpu_ns=5 * MS, runs=3),
        replace(thread("a"), cpu_ns=9 * MS, runs=4),
    )
    (found,) = compare(series(before, after, after))

    assert found.unchanged_s == 1.0
    assert found.cpu_s == pytest.approx(0.004)


def test_counters_that_were_not_read_prove_no_rest() -> None:
    (found,) = compare(series(thread("a"), thread("a")))
    assert (found.unchanged_s, found.cpu_s, found.busy) == (0.0, None, None)


def test_a_waiter_of_the_gil_stays_where_it_is_although_it_wakes() -> None:
    waiting = [
        replace(thread("a", gil=GilState.WAITS, python=[python_frame("f", 1)]), cpu_ns=n, runs=n)
        for n in range(3)
    ]
    (found,) = compare(series(*waiting))
    assert found.unchanged_s == 2.0


def test_lines_that_a_busy_thread_visited() -> None:
    (found,) = compare(series(busy(10, 0), busy(11, 900), busy(10, 1800)))

    assert found.busy == pytest.approx(0.9)
    assert [(visit.place, visit.looks) for visit in found.visits] == [
        ("main.py:10 (work)", 2),
        ("main.py:11 (work)", 1),
    ]
    assert found.common == ("<module>", "work")


def test_always_the_same_function_is_a_loop_and_many_are_work() -> None:
    loop = with_progress(series(busy(10, 0), busy(11, 900), busy(10, 1800)))
    work = with_progress(series(busy(10, 0), busy(11, 900, "other"), busy(10, 1800)))

    assert [(f.id, f.severity) for f in findings.run(loop)] == [("busy-loop", Severity.NOTE)]
    (working,) = findings.run(work)
    assert working.id == "working"
    assert "It was seen in 2 functions" in working.sentence
    assert "used 90% of a CPU over 2.0 s" in working.sentence


def test_looks_into_the_collector_are_counted() -> None:
    native = [native_frame("gc_collect_main"), native_frame("_PyEval_EvalFrameDefault")]
    looks = [replace(busy(10, n), native_stack=tuple(native)) for n in (0, 900, 1800)]
    made = with_progress(series(*looks))

    assert made.progress[0].collecting == 3
    assert findings.run(made)[0].id == "gc-storm"


def test_a_collector_that_gets_no_processor_is_no_storm() -> None:
    """All looks may have seen one collection that other processes held up."""
    looks = [replace(busy(10, n), collecting=True) for n in (0, 90, 180)]
    starved = findings.run(with_progress(series(*looks)))
    assert [(one.id, one.severity) for one in starved] == [("gc-storm", Severity.NOTE)]
    looks = [replace(busy(10, n), collecting=True) for n in (0, 900, 1800)]
    at_work = findings.run(with_progress(series(*looks)))
    assert [(one.id, one.severity) for one in at_work] == [("gc-storm", Severity.WARNING)]


@pytest.mark.parametrize("state", ["Z", "S"])
def test_a_loop_beside_a_child_that_has_ended_may_read_on_at_its_end(state: str) -> None:
    made = with_progress(series(busy(10, 0), busy(11, 900), busy(10, 1800)))
    (process,) = made.processes
    around = Surroundings(children=(Child(300, "python3", state),))
    made = replace(made, processes=(replace(process, around=around),))
    found = next(one for one in findings.run(made) if one.id == "busy-loop")

    ended = state == "Z"
    assert (
        "Of its process's children, process 300 (python3) has ended." in found.sentence
    ) is ended
    assert found.advice[0].startswith("If the loop reads what a child writes") is ended


def test_a_library_that_is_imported_makes_objects_that_stay() -> None:
    importing = python_frame("_find_and_load", 1176, "<frozen importlib._bootstrap>")
    looks = [
        replace(one, collecting=True, python_stack=(*(one.python_stack or ()), importing))
        for one in (busy(10, 0), busy(10, 900), busy(10, 1800))
    ]
    found = findings.run(with_progress(series(*looks)))
    assert [(one.id, one.severity) for one in found] == [("gc-storm", Severity.NOTE)]


def test_the_interpreters_record_tells_of_the_collector_where_functions_have_no_names() -> None:
    looks = [replace(busy(10, n), collecting=n > 0) for n in (0, 900, 1800)]
    made = with_progress(series(*looks))

    assert made.progress[0].collecting == 2
    (finding,) = findings.run(made)
    assert finding.id == "gc-storm"
    assert "the interpreter's own record says that it is collecting garbage" in finding.evidence
    idle = with_progress(series(*(replace(one, collecting=False) for one in looks)))
    assert findings.run(idle)[0].id == "busy-loop"


def test_a_thread_that_merely_waits_for_its_turn_is_not_busy() -> None:
    looks = [replace(busy(10, n), runnable=0.9) for n in (0, 5, 10)]
    assert not [one for one in findings.run(with_progress(series(*looks))) if one.id == "busy-loop"]


def test_a_task_that_computes_keeps_its_event_loop_from_all_others() -> None:
    looks = series(busy(10, 0), busy(11, 900), busy(10, 1800))
    (thread,) = looks[-1].threads()
    tasks = [Task(thread.pid, n, f"Task-{n}", "work", TaskState.RUNNING, 9) for n in (1, 2)]
    loop = EventLoop(thread.pid, 9, "loop", LoopState.BUSY, thread.tid, tasks[0].id)
    made = replace(with_progress(looks), tasks=tuple(tasks), event_loops=(loop,))
    assert "It is inside task work (Task-1): until" in findings.run(made)[0].sentence
    idle = replace(made, event_loops=(replace(loop, state=LoopState.IDLE),))
    assert "event loop" not in findings.run(idle)[0].sentence


@pytest.mark.parametrize(("state", "told"), [(LoopState.IDLE, False), (LoopState.BUSY, True)])
def test_a_loop_between_its_tasks_is_not_busy_by_waiting_for_its_turn(
    state: LoopState, told: bool
) -> None:
    """On a crowded machine each poll of a task makes its thread wait for a processor."""
    looks = series(*(replace(busy(10, n * 60), runnable=0.9) for n in range(3)))
    (thread,) = looks[-1].threads()
    task = Task(thread.pid, 1, "Task-1", "work", TaskState.RUNNING, 9)
    loop = EventLoop(thread.pid, 9, "loop", state, thread.tid, task.id)
    made = replace(with_progress(looks), tasks=(task,), event_loops=(loop,))
    busy_ids = {"working", "busy-loop", "busy"}
    assert bool(busy_ids & {one.id for one in findings.run(made)}) is told


def test_the_loop_of_a_forked_process_has_tasks_of_its_own_at_the_same_address() -> None:
    looks = series(busy(10, 0), busy(11, 900), busy(10, 1800))
    (thread,) = looks[-1].threads()
    pids = (thread.pid, thread.pid, thread.pid + 1, thread.pid + 1)
    tasks = tuple(
        Task(pid, n, f"Task-{n}", "work", TaskState.RUNNING, 9) for n, pid in enumerate(pids)
    )
    loop = EventLoop(thread.pid, 9, "loop", LoopState.BUSY, thread.tid, tasks[0].id)
    made = replace(with_progress(looks), tasks=tasks, event_loops=(loop,))
    assert "connection (1 other task)." in findings.run(made)[0].sentence


@pytest.mark.parametrize(
    ("call", "runs", "returned"),
    [
        (Syscall("poll", timed=False), 1, True),
        (Syscall("poll", timed=False), 0, False),
        (Syscall("recvfrom"), 1, True),
        (Syscall("mq_timedsend", timed=False), 1, True),
        (Syscall("mq_timedsend", timed=True), 1, False),
        (Syscall("futex", timed=True), 50, False),
        (Syscall("clock_nanosleep"), 50, False),
        (Syscall("epoll_wait", timed=True, timeout_ms=5000), 40, True),
        (Syscall("epoll_wait", timed=True, timeout_ms=5000), 2, False),
        (Syscall("epoll_wait", timed=True, timeout_ms=100), 20, False),
    ],
)
def test_who_was_woken_by_more_than_the_clock_came_back(
    call: Syscall, runs: int, returned: bool
) -> None:
    one = replace(thread("a", python=[python_frame("ask", 4)]), syscall=call, cpu_ns=0, runs=0)
    (found,) = compare(series(one, replace(one, runs=runs)))

    assert found.same_stack
    assert found.returned is returned


@pytest.mark.parametrize(("after", "returned"), [(7, False), (8, True), (None, False)])
def test_who_changed_a_variable_of_the_application_came_back(
    after: int | None, returned: bool
) -> None:
    one = replace(
        thread("a", python=[python_frame("ask", 4)]), syscall=Syscall("clock_nanosleep"), bindings=7
    )
    (found,) = compare(series(one, replace(one, bindings=after)))

    assert found.returned is returned


@pytest.mark.parametrize(
    ("turns", "returned"),
    [((3, 4, 4), True), ((3, 3, 3), False), ((3, None, 3), False), ((None, None, None), False)],
)
def test_who_waits_for_another_answer_than_before_came_back(
    turns: tuple[int | None, ...], returned: bool
) -> None:
    stack = [python_frame("get", 4, "/x/site-packages/ray/worker.py"), python_frame("own", 4)]
    one = replace(thread("a", python=stack), syscall=Syscall("futex", timed=True), cpu_ns=0, runs=0)
    actor = shared_id(NodeKind.ACTOR, "ray-01")
    looks = [
        replace(look, waits=(Wait(one.id, actor, evidence(), turn=turn),))
        for look, turn in zip(series(one, one, one), turns, strict=True)
    ]
    (found,) = with_progress(looks).progress

    assert found.returned is returned
    assert found.same_line is not returned


@pytest.mark.parametrize(("cpu_ms", "same"), [(40, True), (400, True), (700, False)])
def test_who_sleeps_by_the_clock_below_one_line_only_asks_again(cpu_ms: int, same: bool) -> None:
    stack = [python_frame("Lock.acquire", 58, "/x/site-packages/locks.py"), python_frame("own", 4)]
    asleep = replace(
        thread("a", python=stack), syscall=Syscall("clock_nanosleep"), cpu_ns=0, runs=0
    )
    awake = replace(thread("a", state="R", python=stack[:]), cpu_ns=cpu_ms * MS, runs=900)
    (found,) = compare(series(asleep, awake))

    assert found.same_line is same


@pytest.mark.parametrize(("function", "asks"), [("Lock.acquire", True), ("Lock.refresh", False)])
def test_a_library_that_asks_again_for_a_lock_is_no_busy_loop(function: str, asks: bool) -> None:
    """Also if no look met it asleep, and each time it asks costs something."""
    inner = replace(
        python_frame(function, 102, "/usr/lib/python3/site-packages/disklock/lock.py"),
        package="disklock 1.0",
    )
    stack = [inner, python_frame("migrate", 14)]
    looks = [
        replace(thread("MainThread", state="R", still=False, python=stack),
                cpu_ns=n * 70 * MS, runs=n, busy=0.07, runnable=0.9)
        for n in range(4)
    ]  # fmt: skip
    made = with_progress(series(*looks))

    (progress,) = made.progress
    assert (progress.asks, progress.same_line) == (asks, asks)
    found = {one.id: one for one in findings.run(made)}
    if asks:
        waits = found["waiting-in-library"]
        assert waits.severity is Severity.WARNING
        assert "disklock" in waits.title
        assert "by polling for 3 s" in waits.title
        assert "busy-loop" not in found
    else:
        assert "it computes" not in found["busy-loop"].sentence


@pytest.mark.parametrize(
    ("function", "says"),
    [
        ("sre_ucs1_match", "matching a regular expression (re)"),
        ("sre_ucs4_match.constprop.0", "matching a regular expression (re)"),
        ("k_mul", "computing with large integers"),
        ("long_to_decimal_string_internal", "converting between a large integer and its digits"),
        ("list_sort_impl", "sorting a list"),
    ],
)
def test_what_the_interpreter_does_for_a_line_is_told(function: str, says: str) -> None:
    native = (native_frame(function), native_frame("_PyEval_EvalFrameDefault"))
    looks = [replace(busy(10, n), native_stack=native, native_sampled=True) for n in (0, 900, 1800)]
    (finding,) = findings.run(with_progress(series(*looks)))

    assert finding.id == "busy-loop"
    assert finding.title.endswith(f"is busy: it is {says} at main.py:10 (work)")
    assert f"is {says} in main.py:10 (work)" in finding.sentence
    assert "either it never ends, or it has a lot to do" in finding.sentence


@pytest.mark.parametrize(
    ("native", "sampled", "lines"),
    [
        (("PyObject_Call", "_PyEval_EvalFrameDefault", "sre_ucs1_match"), True, (10, 10, 10)),
        (("sre_ucs1_match", "_PyEval_EvalFrameDefault"), False, (10, 10, 10)),
        (("sre_ucs1_match", "_PyEval_EvalFrameDefault"), True, (10, 11, 10)),
    ],
    ids=["it calls Python again", "not sampled", "several lines"],
)
def test_nothing_is_told_of_what_the_interpreter_does_for_other_lines(
    native: tuple[str, ...], sampled: bool, lines: tuple[int, ...]
) -> None:
    stack = tuple(map(native_frame, native))
    looks = [
        replace(busy(line, 900 * n), native_stack=stack, native_sampled=sampled)
        for n, line in enumerate(lines)
    ]
    for finding in findings.run(with_progress(series(*looks))):
        assert "regular expression" not in finding.title + finding.sentence


def test_who_waits_for_one_and_the_same_answer_of_an_actor_has_waited_on() -> None:
    asks = thread("asks", 10)
    answer = lock("cart", 1, NodeKind.CALL)
    waiting = replace(waits(asks, answer), turn=7, lasting=True)
    looks = [replace(one, resources=(answer,), waits=(waiting,)) for one in series(asks, asks)]
    (seen,) = with_progress(looks).progress
    assert seen.same_wait
    assert seen.waited_s == seen.lasted_s
    other = replace(looks[1], waits=(replace(waiting, turn=8),))
    (seen,) = with_progress([looks[0], other]).progress
    assert not seen.same_wait


@pytest.mark.parametrize(
    ("after", "returned"),
    [
        (Syscall("futex", timed=False), True),
        (Syscall("futex", timed=True), False),
        (Syscall("clock_nanosleep"), False),
    ],
)
def test_who_went_from_a_sleep_into_a_wait_without_an_end_came_back(
    after: Syscall, returned: bool
) -> None:
    """Both on one line, as in ``with lock: time.sleep(1)``."""
    one = replace(thread("a", python=[python_frame("use", 4)]), cpu_ns=0, runs=0)
    sleeps = replace(one, syscall=Syscall("clock_nanosleep"))
    (found,) = compare(series(sleeps, replace(one, syscall=after, runs=2)))

    assert found.returned is returned


def test_a_task_stays_as_long_as_every_look_meets_it_in_the_same_wait() -> None:
    def look(at: int, line: int, name: str = "Task-7") -> Capture:
        gate = lock("gate", 0x77)
        stack = (python_frame("enter", line),)
        one = Task(100, 0x900, name, "enter", TaskState.WAITING, 0x1, python_stack=stack)
        made = replace(capture(thread("loop")), resources=(gate,), tasks=(one,))
        made = replace(made, waits=(Wait(one.id, gate.id, evidence()),))
        return replace(made, taken_at=f"2030-01-02T03:04:{at:02}+00:00")

    def stays(*looks: Capture) -> list[float]:
        return [one.lasted_s for one in with_progress(looks).stays if one.sure]

    assert stays(look(0, 9), look(1, 9), look(2, 9)) == [2.0]
    assert stays(look(0, 8), look(1, 9), look(2, 9)) == [1.0]
    assert stays(look(0, 9), look(1, 9), look(2, 8)) == []
    assert stays(look(0, 9), look(1, 9, "Task-8")) == []  # a new one in its place
    assert stays(look(0, 9, "pump"), look(1, 9, "pump")) == []  # maybe, too
    (met,) = with_progress((look(0, 9, "pump"), look(1, 9, "pump"))).stays
    assert (met.lasted_s, met.sure) == (1.0, False)

    # One that waited for the same has got it.
    other = Task(100, 0x901, "Task-9", "enter", TaskState.WAITING, 0x1)
    (wait,) = look(0, 9).waits
    with_it = replace(look(0, 9), waits=(wait, replace(wait, waiter=other.id)))
    assert stays(with_it, look(1, 9), look(2, 9)) == [1.0]
    assert with_progress([with_it, look(1, 9), look(2, 9)]).given == (wait.target,)


@pytest.mark.parametrize(("states", "same"), [("RRRR", False), ("RSRR", True)])
def test_who_is_met_awake_each_time_gets_no_processor(states: str, same: bool) -> None:
    """It computes, on a machine that has others to serve: it does not ask again and again."""
    looks = [
        replace(thread("a", state=state, python=[python_frame("own", 4)]), cpu_ns=n * MS, runs=n)
        for n, state in enumerate(states)
    ]
    (found,) = compare(series(*looks))

    assert found.same_line is same
