"""Tasks of asyncio in the graph, the findings and the reports."""

from dataclasses import replace
from typing import Any

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.capture_file import decode, encode
from hangtui.diagnosis import diagnose
from hangtui.findings.doing import doing
from hangtui.findings.rest.tasks import TaskRests
from hangtui.findings.wakeups import loop_tasks
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    EventLoop,
    Hold,
    Inward,
    LoopState,
    Nearness,
    NodeId,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Unattended,
    Wait,
    Watched,
)
from hangtui.report.json_report import to_dict
from hangtui.report.text_report import to_text
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    lock,
    only,
    python_frame,
    stood,
    thread,
    waits,
)

LOOP = 0x10


def task(
    function: str, number: int, state: TaskState = TaskState.WAITING, awaits: str | None = None
) -> Task:
    frames = (python_frame(function, 10 + number, "/app/jobs.py", entry=None),)
    return Task(PID, 0x100 + number, f"Task-{number}", function, state, LOOP, PID, frames, awaits)


def await_(waiter: Task | Thread, target: Task | Thread | str, *, expires: bool = False) -> Wait:
    goal = NodeId(target) if isinstance(target, str) else target.id
    return Wait(waiter.id, goal, evidence("it awaits it", Certainty.PROVEN), expires)


def loop(state: LoopState = LoopState.IDLE, **facts: Any) -> EventLoop:
    counts: dict[str, Any] = {"timers": 0, "watched": 0, "signal_handlers": 0, **facts}
    return EventLoop(PID, LOOP, "asyncio.Loop", state, PID, **counts)


def running(*tasks: Task, base: Capture | None = None, one: EventLoop | None = None) -> Capture:
    main = thread("MainThread", python=[python_frame("select", 468, "/usr/lib/python3.12/sel.py")])
    return replace(base or capture(main), tasks=tasks, event_loops=(one or loop(),))


def abba(*, still: bool = True) -> Capture:
    move, rebalance = task("move", 2), task("rebalance", 3)
    left, right = lock("left (asyncio.Lock)", 0xA), lock("right (asyncio.Lock)", 0xB)
    base = capture(
        thread("MainThread", still=still),
        resources=[left, right],
        waits=[
            waits(move.id, right, Certainty.PROVEN, "/app/jobs.py:12"),
            waits(rebalance.id, left, Certainty.PROVEN, "/app/jobs.py:13"),
        ],
        holds=[
            holds(left, move.id, Certainty.PROVEN, "/app/jobs.py:8"),
            holds(right, rebalance.id, Certainty.PROVEN, "/app/jobs.py:9"),
        ],
    )
    return running(move, rebalance, base=base)


def test_a_task_that_is_called_by_its_function_is_told_by_its_place() -> None:
    of_anyio = replace(task("serve", 7), name="shop.Door.serve")
    assert of_anyio.label == "task serve (at 0x107)"
    assert task("serve", 7).label == "task serve (Task-7)"
    assert replace(of_anyio, name="serve").label == "task serve"


def test_a_ring_of_tasks_is_a_deadlock_on_the_thread_of_their_loop() -> None:
    finding = only(abba())

    assert finding.id == "deadlock"
    assert finding.severity is Severity.ERROR
    assert finding.title == (
        "Deadlock: tasks move and rebalance wait for each other (asyncio.Lock right, left)"
    )
    assert [(ref.tid, ref.name) for ref in finding.threads] == [(PID, "MainThread")]
    assert "They are tasks of the asyncio event loop in MainThread." in finding.sentence
    assert "task rebalance holds (taken at jobs.py:9)" in finding.sentence
    assert any("asyncio.timeout()" in line for line in finding.advice)
    assert not any("acquire(timeout" in line for line in finding.advice)


def test_who_waits_for_what_only_the_thread_of_their_loop_is_on_the_way_to_end() -> None:
    made = abba()
    clerk = thread("clerk", 103, python=[python_frame("take_order", 12)])
    ready = lock("ready", 0xC, NodeKind.EVENT)
    main = made.threads()[0]
    could = CouldWake(ready.id, main.id, Complement.SET, Nearness.AHEAD, evidence("it is ahead"))
    (process,) = made.processes
    made = replace(
        made,
        processes=(replace(process, threads=(*process.threads, clerk)),),
        resources=(*made.resources, ready),
        waits=(*made.waits, waits(clerk, ready)),
        could_wake=(could,),
    )
    (ring,) = (one for one in findings.run(made) if one.id == "deadlock")
    assert ring.sentence.endswith(
        " clerk waits at main.py:12 (take_order) for ready, which only MainThread is seen on the "
        "way to end."
    )


def test_tasks_move_when_the_thread_of_their_loop_does() -> None:
    assert build(abba(still=False)).cycles == ()


def test_a_task_whose_loop_no_thread_runs_is_not_judged() -> None:
    made = abba()
    stopped = tuple(replace(one, loop_tid=None) for one in made.tasks)

    assert build(replace(made, tasks=stopped)).cycles == ()


def test_a_timer_that_ends_a_wait_opens_the_ring() -> None:
    one, two = task("fetch", 1), task("store", 2)
    base = replace(running(one, two), waits=(await_(one, two, expires=True), await_(two, one)))

    assert build(base).cycles == ()


def test_tasks_that_are_all_awaited_at_once_must_all_be_stuck() -> None:
    parent, stuck, free = task("main", 1), task("stuck", 2), task("free", 3)
    base = running(parent, stuck, free)
    ring = (await_(parent, stuck), await_(parent, free), await_(stuck, parent))

    assert build(replace(base, waits=ring)).cycles == ()


def test_a_thread_may_wait_for_a_task_and_a_task_for_a_thread() -> None:
    main, slow = thread("MainThread"), task("slow", 1, TaskState.READY)
    future = lock("future of slow (concurrent.futures.Future)", 0xF, NodeKind.FUTURE)
    base = capture(
        main,
        resources=[future],
        waits=[waits(main, future), await_(slow, main)],
        holds=[Hold(future.id, slow.id, evidence("it sets it", Certainty.PROVEN))],
    )
    finding = only(running(slow, base=base, one=loop(LoopState.BUSY)))

    assert "which task slow has to set" in finding.sentence
    assert "task slow waits at jobs.py:11 (slow) for MainThread, which runs its event loop" in (
        finding.sentence
    )
    assert not any("end" in line.split() for line in finding.advice)


def test_tasks_of_the_same_function_are_told_apart_by_their_names() -> None:
    one, two = task("work", 1), task("work", 2)
    base = replace(running(one, two), waits=(await_(one, two), await_(two, one)))

    assert only(base).title == "Deadlock: tasks work (Task-1) and work (Task-2) wait for each other"


def test_a_task_that_takes_its_own_lock_again() -> None:
    one, own = task("refresh", 1), lock("cache_lock (asyncio.Lock)", 0xA)
    base = capture(
        thread("MainThread"),
        resources=[own],
        waits=[waits(one.id, own, Certainty.PROVEN)],
        holds=[holds(own, one.id, Certainty.PROVEN, "/app/jobs.py:5")],
    )
    finding = only(running(one, base=base))

    assert finding.id == "self-deadlock"
    assert "task refresh" in finding.title
    assert "asyncio has no reentrant lock" in finding.advice[0]
    assert "threading.RLock" not in finding.advice[0]


def test_a_task_that_blocks_its_loop() -> None:
    render, other = task("render", 1, TaskState.RUNNING), task("tick", 2, TaskState.READY)
    main = thread(
        "MainThread",
        python=[python_frame("render", 9, "/app/jobs.py")],
        syscall=Syscall("clock_nanosleep"),
    )
    busy = loop(LoopState.BUSY, task=render.id)
    finding = only(running(render, other, base=capture(main), one=busy))

    assert finding.id == "event-loop-blocked"
    assert finding.severity is Severity.WARNING
    assert "task render" in finding.title
    assert finding.title.endswith("makes MainThread sleep at jobs.py:9 (render)")
    assert "jobs.py:9 (render)" in finding.sentence
    assert "1 other task" in finding.sentence


@pytest.mark.parametrize(
    ("timed", "alone", "severity"),
    [
        (True, True, Severity.NOTE),
        (True, False, Severity.WARNING),
        (None, True, Severity.WARNING),
    ],
)
def test_a_task_that_is_alone_and_looks_again_by_itself_keeps_nobody_waiting(
    timed: bool | None, alone: bool, severity: Severity
) -> None:
    start, other = task("start", 1, TaskState.RUNNING), task("tick", 2, TaskState.READY)
    main = thread(
        "MainThread",
        python=[python_frame("await_workers", 9, "/app/server.py")],
        syscall=Syscall("poll", timed=timed),
    )
    busy = loop(LoopState.BUSY, task=start.id)
    made = running(start, *([] if alone else [other]), base=capture(main), one=busy)
    (finding,) = (one for one in findings.run(made) if one.id == "event-loop-blocked")
    assert finding.severity is severity


@pytest.mark.parametrize(("package", "blocked"), [("IPython", False), ("server", True)])
def test_a_cell_of_a_notebook_runs_in_the_loop_of_its_kernel(package: str, blocked: bool) -> None:
    file = f"/venv/lib/python3.12/site-packages/{package}/shell.py"
    stack = [python_frame("<module>", 1, "/tmp/cell.py"), python_frame("run_code", 9, file)]
    told, other = task("shell_main", 1, TaskState.RUNNING), task("tick", 2, TaskState.READY)
    main = thread("MainThread", python=stack, syscall=Syscall("clock_nanosleep"))
    made = running(told, other, base=capture(main), one=loop(LoopState.BUSY, task=told.id))
    assert ("event-loop-blocked" in {found.id for found in findings.run(made)}) is blocked


@pytest.mark.parametrize(
    ("file", "facts", "blocked"),
    [
        ("/venv/lib/python3.12/site-packages/kernels/client.py", {}, False),
        ("/venv/lib/python3.12/site-packages/kernels/client.py", {"timers": 1}, True),
        ("/venv/lib/python3.12/site-packages/kernels/client.py", {"watched": None}, True),
        ("/app/jobs.py", {}, True),
    ],
)
def test_a_loop_that_a_package_runs_for_one_call_keeps_nobody_waiting(
    file: str, facts: dict[str, int | None], blocked: bool
) -> None:
    frame = python_frame("get_reply", 9, file, entry=None)
    one = replace(task("get_reply", 1, TaskState.RUNNING), python_stack=(frame,))
    main = thread(
        "MainThread",
        python=[frame, python_frame("run_cell", 22, "/app/jobs.py")],
        syscall=Syscall("poll"),
    )
    made = running(one, base=capture(main), one=loop(LoopState.BUSY, task=one.id, **facts))
    assert ("event-loop-blocked" in {found.id for found in findings.run(made)}) is blocked


@pytest.mark.parametrize(("parent", "address", "blocked"), [
    (200, None, False), (200, 0x99, True), (300, None, True),
])  # fmt: skip
def test_a_process_that_a_task_has_forked_by_hand_has_no_loop_to_block(
    parent: int, address: int | None, blocked: bool
) -> None:
    told = task("render", 1, TaskState.RUNNING)
    main = thread("MainThread", python=[python_frame("render", 9, "/app/jobs.py")],
                  syscall=Syscall("poll"))  # fmt: skip
    own = loop(LoopState.BUSY, task=told.id)
    made = running(told, base=capture(main), one=own)
    (process,) = made.processes
    around = replace(process.around or Surroundings(), forked_from=parent)
    theirs = replace(own, pid=200, tid=200, address=address or own.address)
    made = replace(
        made,
        processes=(replace(process, around=around),),
        event_loops=(*made.event_loops, theirs),
    )
    assert ("event-loop-blocked" in {one.id for one in findings.run(made)}) is blocked


def test_a_loop_that_stands_in_another_greenlet_is_not_blocked() -> None:
    sleep, begin = python_frame("weigh", 28), python_frame("<module>", 55)
    forever = python_frame("BaseEventLoop.run_forever", 641, "/usr/lib/python3.12/asyncio/b.py")
    for stack, blocked in (([sleep, begin], False), ([sleep, forever, begin], True)):
        main = thread("MainThread", python=stack, syscall=Syscall("clock_nanosleep"))
        other = task("serve", 1)
        made = running(other, base=capture(main), one=loop(LoopState.BUSY))
        ids = [finding.id for finding in findings.run(made)]
        assert ("event-loop-blocked" in ids) is blocked


def test_a_process_that_was_forked_inside_of_a_task_has_no_loop_to_block() -> None:
    lib = "/usr/lib/python3.12"
    wait = python_frame("fetch", 527, "/app/pool.py")
    launch = python_frame("Popen._launch", 71, f"{lib}/multiprocessing/popen_fork.py")
    start = python_frame("BaseProcess._bootstrap", 314, f"{lib}/multiprocessing/process.py")
    render = python_frame("render", 9, "/app/jobs.py")
    forever = python_frame("BaseEventLoop.run_forever", 641, f"{lib}/asyncio/base_events.py")
    told = task("render", 1, TaskState.RUNNING)
    for stack, blocked in (
        ([wait, start, launch, render, forever], False),
        ([wait, render, forever, start, launch], True),
    ):
        main = thread("MainThread", python=stack, syscall=Syscall("poll"))
        made = running(told, base=capture(main), one=loop(LoopState.BUSY, task=told.id))
        ids = [finding.id for finding in findings.run(made)]
        assert ("event-loop-blocked" in ids) is blocked


@pytest.mark.parametrize(
    "main",
    [
        thread("MainThread", still=False),
        thread("MainThread", still_ms=50.0),
        thread("MainThread", state="R"),
    ],
)
def test_a_task_that_runs_or_just_began_to_wait_blocks_nothing(main: Thread) -> None:
    one = task("render", 1, TaskState.RUNNING)
    busy = loop(LoopState.BUSY, task=one.id)

    assert findings.run(running(one, base=capture(main), one=busy)) == ()


def test_a_loop_that_nothing_can_wake() -> None:
    login = task("login", 1, awaits="an asyncio.Future")
    future = lock("asyncio.Future awaited in call", 0xF, NodeKind.FUTURE)
    made = running(login, base=capture(thread("MainThread"), resources=[future]))
    finding = only(replace(made, waits=(await_(login, future.id),)))

    assert finding.id == "event-loop-stalled"
    assert finding.severity is Severity.WARNING
    assert "task login awaits an asyncio.Future" in finding.sentence
    assert finding.resources == (future.id,)


def test_a_connection_to_itself_that_nobody_has_accepted_is_told() -> None:
    visit, main = task("visit", 1, awaits="an asyncio.Future"), thread("MainThread")
    future = lock("asyncio.Future awaited in visit", 0xF, NodeKind.FUTURE)
    made = running(visit, base=capture(main, resources=[future]), one=loop(watched=1))
    knocks = Watched(main.id, "TCP connection to 127.0.0.1:80", None, (PID,), accepted=False)
    hears = Inward(main.id, (PID,))
    made = replace(made, waits=(await_(visit, future.id),), watched=(knocks,), inward=(hears,))
    found = [one for one in findings.run(made) if one.id == "event-loop-stalled"]

    assert [
        " Nobody has accepted 1 connection that it watches (TCP connection to 127.0.0.1:80): only "
        "this process listens there, and that loop does not ask for them now." in one.sentence
        for one in found
    ] == [True]


@pytest.mark.parametrize(("ago_s", "said"), [(5.0, True), (0.2, False)])
def test_what_lies_unread_in_a_connection_that_the_loop_does_not_watch_is_told(
    ago_s: float, said: bool
) -> None:
    future = lock("asyncio.Future awaited in call", 0xF, NodeKind.FUTURE)
    login = task("login", 1, awaits="an asyncio.Future")
    made = running(login, base=capture(thread("MainThread"), resources=[future]))
    traffic = Traffic(9.0, ago_s, sent_last=False, unread=44)
    left = Unattended(PID, "TCP connection to 10.0.0.1:80", "fd 7", traffic)
    made = replace(made, waits=(await_(login, future.id),), unattended=(left,))
    finding = only(made)

    assert finding.title.endswith(", while 44 bytes lie unread in its own connection") is said
    assert ("TCP connection to 10.0.0.1:80 (fd 7), for 5 s: no" in finding.sentence) is said
    assert finding.advice[0].startswith("See to it that somebody reads") is said


@pytest.mark.parametrize(
    ("several", "severity"), [(True, Severity.ERROR), (False, Severity.WARNING)]
)
def test_one_task_alone_may_just_keep_the_program_alive(several: bool, severity: Severity) -> None:
    """More than one in a loop that nothing can wake are hung, whatever they wait for."""
    told, main = task("told", 1, awaits="event.wait()"), task("main", 2, awaits="task told")
    event = lock("event (asyncio.Event)", 0xF, NodeKind.EVENT)
    made = running(*([told, main] if several else [told]), base=capture(
        replace(thread("MainThread"), runs=7, cpu_ns=7000), resources=[event]
    ))  # fmt: skip
    (process,) = made.processes
    process = replace(process, steady=True, around=Surroundings(handles_signals=()))
    waited = (await_(told, event.id), *([await_(main, told.id)] if several else []))
    made = replace(made, processes=(process,), waits=waited)
    looks = [replace(made, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
    finding = next(f for f in findings.run(with_progress(looks)) if f.id == "event-loop-stalled")

    assert (finding.severity, finding.subject) == (severity, told.id)


@pytest.mark.parametrize("kept", [True, False])
def test_who_has_the_only_other_end_of_its_channel_itself_waits_for_itself(kept: bool) -> None:
    told = task("collect", 1, awaits="an item of receive")
    receive = lock("receive", 0xF, NodeKind.QUEUE)
    if kept:
        receive = replace(receive, kept=("send of collect (crawl.py:15)",))
    made = running(told, base=capture(thread("MainThread"), resources=[receive]))
    wait = replace(await_(told, receive.id), operation="get")
    finding = only(stood(replace(made, waits=(wait,))), "event-loop")

    assert finding.severity is (Severity.ERROR if kept else Severity.WARNING)
    said = "Of the sending ends of receive only what task collect has itself is still open: send of"
    assert (said in finding.sentence) is kept
    assert finding.advice[0].startswith("Close send of collect (crawl.py:15) before") is kept


@pytest.mark.parametrize(
    ("function", "severity"), [("send", Severity.ERROR), ("receive", Severity.WARNING)]
)
def test_who_gives_something_away_does_not_rest(function: str, severity: Severity) -> None:
    """One that receives may be there to serve."""
    package = "/srv/venv/lib/python3.12/site-packages/anyio/streams/memory.py"
    stack = (
        python_frame(f"MemoryObjectStream.{function}", 278, package),
        python_frame("read_rows", 13),
    )
    told = replace(task("wrapper", 1, awaits="asyncio.Event to be set"), python_stack=stack)
    event = lock("event (asyncio.Event)", 0xF, NodeKind.EVENT)
    made = running(told, base=capture(thread("MainThread"), resources=[event]))
    finding = only(stood(replace(made, waits=(await_(told, event.id),))), "event-loop")

    assert (finding.id, finding.severity) == ("event-loop-stalled", severity)
    assert finding.title.endswith("task wrapper waits in it at main.py:13 (read_rows) for event")
    assert f"in anyio (memory.py:278 (MemoryObjectStream.{function}))" in finding.sentence


@pytest.mark.parametrize(
    ("paused", "severity"), [("shop.Feed", Severity.ERROR), (None, Severity.WARNING)]
)
def test_a_connection_whose_transport_is_paused_is_not_even_told_of_its_end(
    paused: str | None, severity: Severity
) -> None:
    told, event = task("told", 1, awaits="event.wait()"), lock("event", 0xF, NodeKind.EVENT)
    made = running(told, base=capture(thread("MainThread"), resources=[event]))
    traffic = Traffic(9.0, 5.0, sent_last=False, unread=44)
    left = Unattended(PID, "TCP connection to 10.0.0.1:80", "fd 7", traffic, paused)
    made = replace(made, waits=(await_(told, event.id),), unattended=(left,))
    finding = only(stood(made))

    assert (finding.id, finding.severity) == ("event-loop-stalled", severity)
    assert ("is paused (pause_reading() of its protocol shop.Feed)" in finding.sentence) is bool(
        paused
    )
    assert finding.advice[0].startswith("Take what has come over the TCP") is bool(paused)


def test_tasks_that_wait_alike_are_told_once_with_the_threads_behind_them() -> None:
    """Jobs of an executor wait for tasks that need a thread of the same executor."""
    loads = [task("load", 1, awaits=f"a thread's work: Future at 0x{n}") for n in range(3)]
    loads = [replace(one, address=0x200 + n, name=f"Task-{n}") for n, one in enumerate(loads)]
    other = task("watch", 2, awaits="an asyncio.Future at 0x9")
    futures = [lock(f"Future at {n}", 0x300 + n, NodeKind.FUTURE) for n in range(4)]
    workers = [
        thread(f"worker_{n}", 101 + n, python=[python_frame("render", 19)]) for n in range(3)
    ]
    made = running(
        *(*loads, other),
        base=capture(
            *(thread("MainThread"), *workers),
            resources=futures,
            waits=[waits(one, two.id) for one, two in zip(workers, loads, strict=True)],
        ),
    )
    awaited = [await_(one, two.id) for one, two in zip((*loads, other), futures, strict=True)]
    finding = only(replace(made, waits=(*made.waits, *awaited)), "event-loop-stalled")

    assert finding.title.endswith(
        "and 3 tasks load, task watch wait in it, at jobs.py:11 (load) and jobs.py:12 (watch)"
    )
    assert finding.sentence.startswith(
        "3 tasks load await a thread's work: Future at jobs.py:11 (load); task watch awaits an "
        "asyncio.Future at 0x9 at jobs.py:12 (watch); worker_0, worker_1, worker_2 wait at "
        "main.py:19 (render) for these tasks. "
    )


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, "it itself (taken at jobs.py:9) has"), (2, "they themselves (taken at jobs.py:9) have")],
)
def test_tasks_that_have_what_they_wait_for_are_told_so(count: int, told: str) -> None:
    permits = replace(lock("limit", 0xA, NodeKind.SEMAPHORE), name="limit")
    calls = [task("call", 1, awaits="a unit of limit") for _ in range(count)]
    calls = [replace(one, address=0x200 + n) for n, one in enumerate(calls)]
    made = running(
        *calls,
        base=capture(
            thread("MainThread"),
            resources=[permits],
            waits=[waits(one.id, permits, Certainty.PROVEN, "/app/jobs.py:11") for one in calls],
            holds=[holds(permits, one.id, Certainty.INFERRED, "/app/jobs.py:9") for one in calls],
        ),
    )
    (clause,) = loop_tasks.told(calls, (), words_of(made, build(made)))
    assert clause.endswith(f", which {told}")


def test_a_test_with_one_task_is_to_end() -> None:
    told, event = task("told", 1, awaits="event.wait()"), lock("event", 0xF, NodeKind.EVENT)
    runner = python_frame("pytest_pyfunc_call", 150, "/usr/lib/_pytest/python.py")
    main = thread("MainThread", python=[runner])
    made = running(told, base=capture(main, resources=[event]))
    finding = only(stood(replace(made, waits=(await_(told, event.id),))))

    assert (finding.id, finding.severity) == ("event-loop-stalled", Severity.ERROR)


@pytest.mark.parametrize(("peers", "stalled"), [((PID,), True), ((PID, 200), False), ((), False)])
def test_a_connection_to_itself_wakes_no_loop(peers: tuple[int, ...], stalled: bool) -> None:
    login = task("login", 1, awaits="an asyncio.Future")
    main = thread("MainThread")
    future = lock("asyncio.Future awaited in call", 0xF, NodeKind.FUTURE)
    base = capture(main, resources=[future])
    made = running(login, base=base, one=loop(LoopState.IDLE, watched=1))
    own = Watched(main.id, "TCP connection to 127.0.0.1:80", None, peers)
    found = findings.run(replace(made, waits=(await_(login, future.id),), watched=(own,)))

    assert ("event-loop-stalled" in [one.id for one in found]) is stalled


@pytest.mark.parametrize(("buffered", "known"), [(1, True), (0, True), (None, True), (1, False)])
def test_a_stream_at_which_nobody_waits_wakes_no_loop(buffered: int | None, known: bool) -> None:
    """As far as is known of each task what it waits for."""
    login, other = task("login", 1, awaits="a lock"), task("other", 2, awaits="something")
    turn = lock("turn (asyncio.Lock)", 0xF)
    base = capture(thread("MainThread"), resources=[turn])
    made = running(login, other, base=base, one=loop(watched=1, buffered=buffered))
    found = [await_(login, turn.id), *([await_(other, turn.id)] if known else [])]
    told = findings.run(replace(made, waits=tuple(found)))

    stalled = [one for one in told if one.id == "event-loop-stalled"]
    assert bool(stalled) is (buffered == 1 and known)
    assert all("a connection at which a task waits" in one.sentence for one in stalled)


@pytest.mark.parametrize(("timers", "told"), [(1, True), (2, False)])
def test_a_timer_that_closes_connections_at_rest_wakes_no_loop(timers: int, told: bool) -> None:
    login, turn = task("login", 1, awaits="a lock"), lock("turn (asyncio.Lock)", 0xF)
    base = capture(thread("MainThread"), resources=[turn])
    made = running(login, base=base, one=loop(timers=timers, watched=1, buffered=1, upkeep=1))
    found = findings.run(replace(made, waits=(await_(login, turn.id),)))

    stalled = [one for one in found if one.id == "event-loop-stalled"]
    assert bool(stalled) is told
    assert all("without a timer that ends a wait" in one.sentence for one in stalled)
    assert all("by which a library looks after" in one.evidence[0] for one in stalled)


def test_what_many_tasks_wait_for_is_named_once() -> None:
    """Who waits behind a finding is looked for from each of its resources."""
    tasks = [task(f"fetch_{n}", n, awaits="ready.wait()") for n in range(9)]
    event = lock("ready (asyncio.Event)", 0xF, NodeKind.EVENT)
    made = running(*tasks, base=capture(thread("MainThread"), resources=[event]))
    finding = only(replace(made, waits=tuple(await_(one, event.id) for one in tasks)))

    assert (finding.id, finding.resources) == ("event-loop-stalled", (event.id,))


@pytest.mark.parametrize("fact", ["timers", "watched", "signal_handlers"])
def test_a_loop_that_something_can_wake(fact: str) -> None:
    login = task("login", 1, awaits="an asyncio.Future")
    count: dict[str, Any]
    for count in ({fact: 1}, {fact: None}):
        made = running(login, one=loop(LoopState.IDLE, **count))
        assert all(finding.severity is Severity.NOTE for finding in findings.run(made))


@pytest.mark.parametrize(
    ("caller", "rests"),
    [
        (python_frame("wait_for", 520, "/usr/lib/python3.12/asyncio/tasks.py"), True),
        (python_frame("run_task", 7, "/x/site-packages/anyio/_backends/_asyncio.py"), True),
        (python_frame("handle_lifespan", 9, "/x/site-packages/hypercorn/lifespan.py"), False),
    ],
)
def test_what_a_server_has_called_does_not_rest_at_an_event_because_of_signals(
    caller: PythonFrame, rests: bool
) -> None:
    wait = python_frame("Event.wait", 212, "/usr/lib/python3.12/asyncio/locks.py")
    begin = replace(task("begin", 1), python_stack=(wait, python_frame("begin", 9), caller))
    ready = lock("ready (asyncio.Event)", 0xA, NodeKind.EVENT)
    wait_for_it = waits(begin.id, ready, Certainty.PROVEN)
    base = capture(thread("MainThread"), resources=[ready], waits=[wait_for_it])
    made = running(begin, base=base, one=loop(LoopState.IDLE, signal_handlers=2))
    assert TaskRests(words_of(made, build(made))).rests(begin, made.event_loops[0]) == rests


@pytest.mark.parametrize("idle", [True, False])
def test_who_joins_a_queue_is_told_first_if_nobody_works_for_it(idle: bool) -> None:
    work, join = task("work", 2, awaits="what is in jobs"), task("join", 3, awaits="task_done()")
    jobs = lock("jobs (tornado.Queue)", 0xA, NodeKind.QUEUE)
    get = waits(work.id, jobs, Certainty.PROVEN, operation="get" if idle else "put")
    ended = waits(join.id, jobs, Certainty.PROVEN, operation="join")
    base = capture(thread("MainThread"), resources=[jobs], waits=[get, ended])

    (found,) = findings.run(running(work, join, base=base))

    first, advice = (
        (
            "join awaits task_done()",
            "Call jobs.task_done() for every item taken at jobs.py:12 (work)",
        )
        if idle
        else ("work awaits what is in jobs", "Find who should have set")
    )
    assert found.sentence.startswith(f"task {first}")
    assert found.advice[0].startswith(advice)


def test_another_thread_can_wake_a_loop() -> None:
    base = capture(thread("MainThread"), thread("worker", 101))

    assert findings.run(running(task("login", 1), base=base)) == ()


def test_the_report_lists_loops_and_tasks() -> None:
    text = to_text(diagnose(abba()))

    assert "CYCLE 1: 2 tasks wait for each other" in text
    assert "EVENT LOOP  in MainThread (TID 100), idle, 2 tasks, 0 timers" in text
    assert "X task move (Task-2)" in text
    assert "holds left (asyncio.Lock), taken at jobs.py:8 (proven)" in text
    assert "jobs.py:12 move" in text


def test_many_tasks_at_one_place_are_told_in_a_few_lines() -> None:
    tick = task("tick", 1)
    many = [replace(tick, address=0x1000 + n, name=f"Task-{n}") for n in range(500)]
    text = to_text(diagnose(running(*many)))

    assert "497 more tasks" in text
    assert text.count("jobs.py:11 tick") == 3


def test_json_has_tasks_and_loops_by_process() -> None:
    top = to_dict(diagnose(abba()))
    (process,) = top["processes"]
    move = next(one for one in process["tasks"] if one["coroutine"] == "move")

    assert move["thread"] == f"thread:{PID}:{PID}"
    assert move["waits_for"] == f"lock:{PID}:0xb"
    assert move["holds"] == [f"lock:{PID}:0xa"]
    assert move["state"] == "waiting"
    assert process["event_loops"][0]["state"] == "idle"
    node = next(one for one in top["nodes"] if one["id"] == move["id"])
    assert (node["kind"], node["label"]) == ("task", "task move (Task-2)")
    assert move["id"] in top["cycles"][0]


def test_tasks_survive_a_file() -> None:
    made = abba()
    again = decode(encode(made))

    assert again.tasks == made.tasks
    assert again.event_loops == made.event_loops


def not_woken(waited_s: float | None, **facts: Any) -> list[tuple[str, Severity]]:
    made = running(task("serve", 2, TaskState.READY), one=loop(**facts))
    seen = Progress(made.threads()[0].id, 3, 2.0, waited_s or 0.0, 0.0)
    made = made if waited_s is None else replace(made, progress=(seen,))
    found = [one for one in findings.run(made) if one.id == "loop-not-woken"]
    return [(one.title, one.severity) for one in found]


def test_a_loop_that_sleeps_although_a_task_is_ready() -> None:
    ((title, severity),) = not_woken(2.0)
    assert title == (
        "task serve at jobs.py:12 (serve) could go on, but nothing woke the event loop of "
        "MainThread, which has slept for 2 s or more"
    )
    assert severity is Severity.WARNING


def test_of_a_loop_that_sleeps_it_is_told_where_the_application_runs_it() -> None:
    made = running(task("serve", 2, TaskState.READY), one=loop())
    (process,) = made.processes
    stack = (
        python_frame("select", 9, "/usr/lib/python3.12/selectors.py"),
        python_frame("rate", 52),
    )
    threads = tuple(replace(one, python_stack=stack) for one in process.threads)
    made = replace(made, processes=(replace(process, threads=threads),))
    (sentence,) = (one.sentence for one in findings.run(made) if one.id == "loop-not-woken")
    assert "event loop of MainThread, which is run at main.py:52 (rate), has slept" in sentence


def test_a_loop_that_is_about_to_wake_up_is_no_warning() -> None:
    assert [severity for _, severity in not_woken(None)] == [Severity.NOTE]
    assert [severity for _, severity in not_woken(0.3)] == [Severity.NOTE]


def test_a_loop_at_work_and_another_librarys_are_not_told_so() -> None:
    assert not_woken(2.0, state=LoopState.BUSY) == []
    assert not_woken(2.0, library="trio") == []


def test_the_application_is_told_of_before_what_a_library_runs_for_itself() -> None:
    """Of a library's own task: who of the application waits for it."""
    jobs = "/app/.venv/lib/python3.12/site-packages/aiojobs/_job.py"
    serve, wait = (
        replace(one, python_stack=(python_frame(name, 79, jobs),))
        for one, name in ((task("serve", 1, awaits="an item of failed"), "serve"),
                          (task("do_wait", 2, awaits="an asyncio.Future"), "do_wait"))
    )  # fmt: skip
    pack = task("pack_folder", 3, awaits="task do_wait")
    failed, started = lock("failed", 0xE, NodeKind.QUEUE), lock("future", 0xF, NodeKind.FUTURE)
    made = running(serve, wait, pack, base=capture(thread("main"), resources=[failed, started]))
    made = replace(
        made,
        waits=(await_(serve, failed.id), await_(wait, started.id), await_(pack, wait.id)),
    )
    finding = only(made)

    assert finding.title.endswith(
        "and task pack_folder waits in it at jobs.py:13 (pack_folder) for task do_wait to end"
    )
    assert finding.subject == pack.id
    told = "_job.py:79 (do_wait), for which task pack_folder waits at jobs.py:13 (pack_folder); "
    assert f"{told}task serve awaits" in finding.sentence
    alone = only(replace(made, tasks=(serve,), waits=made.waits[:1]))
    assert "and task serve waits in it" in alone.title


def test_a_loop_that_keeps_what_nobody_reads_wakes_no_task() -> None:
    """Its thread runs for that; a task that waits for something else from look to look has gone
    on."""
    main = replace(thread("MainThread"), still=False, runs=5)
    one = task("listen", 1, awaits="an asyncio.Future")
    futures = [lock(f"future {n}", n, NodeKind.FUTURE) for n in (0xE, 0xF)]
    base = capture(main, resources=futures)
    made = running(one, base=base, one=loop(watched=1, buffered=1))
    looks = [
        replace(look, waits=(await_(one, futures[0].id),))
        for look in (made, replace(made, taken_at="2030-01-02T03:04:07+00:00"))
    ]
    assert with_progress(looks).progress[0].same_wait

    moved = replace(looks[1], waits=(await_(one, futures[1].id),))
    assert not with_progress([looks[0], moved]).progress[0].same_wait
    reads = replace(looks[1], event_loops=(loop(watched=1, buffered=0),))
    assert not with_progress([looks[0], reads]).progress[0].same_wait


def test_a_task_that_the_program_gave_a_name_is_told_with_it() -> None:
    named = replace(task("serve", 7), name="ada")
    made = replace(capture(), tasks=(named, task("ring", 8)))
    words = words_of(made, build(made))
    assert words.name(named.id) == "task serve (ada)"
    assert words.name(made.tasks[1].id) == "task ring"
    assert not replace(named, name="shop.Door.serve").has_own_name
    assert not replace(named, coroutine="open_door", name="open-door").has_own_name


def test_who_else_runs_the_programs_code_may_have_made_the_task_ready() -> None:
    made = running(task("serve", 2, TaskState.READY), one=loop())
    (process,) = made.processes
    firing = thread("stoker", 102, python=[python_frame("fire", 19)])
    found = findings.run(
        replace(made, processes=(replace(process, threads=(*process.threads, firing)),))
    )
    sentence = next(one.sentence for one in found if one.id == "loop-not-woken")
    assert sentence.endswith(
        "The other thread that runs the program's code, which may have done so: stoker waits at "
        "main.py:19 (fire)."
    )


@pytest.mark.parametrize(
    ("name", "own"),
    [("announcer", True), ("announce-3", False), ("weather.announce", False), ("Task-2", False)],
)
def test_a_name_that_only_begins_as_the_function_is_an_own_one(name: str, own: bool) -> None:
    assert replace(task("announce", 2), name=name).has_own_name is own


def test_nothing_is_said_of_a_task_that_only_a_loop_would_do_which_no_thread_runs() -> None:
    asleep = task("read", 2, awaits="sleep (due now)")
    made = running(asleep, one=replace(loop(state=LoopState.STOPPED), tid=None))
    assert doing(made.tasks[0], words_of(made, build(made))) == (
        "task read is suspended at jobs.py:12 (read), in an event loop that no thread runs"
    )
