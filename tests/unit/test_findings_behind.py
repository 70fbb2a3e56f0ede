"""Who waits behind one that gets on, or behind the one whom nobody is left to wake, is told."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.pool_workers import has_task
from hangtui.findings.victims import with_victims
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Certainty,
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    LoopState,
    Nearness,
    NodeKind,
    Progress,
    Reason,
    Severity,
    Task,
    TaskState,
    Visit,
    Wait,
)
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

BLANK = Finding("quiet", Severity.NOTE, Certainty.INFERRED, "it stands still", "It stands.", ())
DESK = lock("Desk.lock", 0x1)
MAIN = thread("MainThread", python=[python_frame("settle", 30)])
THREADING, QUEUES = "/usr/lib/python3.12/threading.py", "/usr/lib/python3.12/multiprocessing"


def test_a_process_that_is_awake_names_who_waits_for_the_one_that_runs() -> None:
    polls = replace(thread("courier", 101, still=False, python=[python_frame("stuck", 9)]), runs=12)
    made = capture(
        *(replace(MAIN, runs=3), polls),
        resources=[DESK],
        waits=[waits(MAIN, DESK)],
        holds=[holds(DESK, polls)],
    )
    found = only(made, "alive")

    assert "is awake" in found.title
    assert found.title.endswith(
        "; MainThread waits at main.py:30 (settle) for Desk.lock; courier holds it, and waits at "
        "main.py:9 (stuck)"
    )
    assert "Meanwhile MainThread waits" in found.sentence


@pytest.mark.parametrize("stays", [True, False])
def test_who_waits_for_the_lock_of_one_that_stays_is_told_beside_those_that_go_on(
    stays: bool,
) -> None:
    left = lock("Editions.left", 0x2, NodeKind.CONDITION)
    tide = thread("tide", 101, python=[python_frame("publish", 28)])
    pilot = thread("pilot", 102, still=False, python=[python_frame("sail", 26)])
    made = capture(
        *(MAIN, tide, replace(pilot, runs=9)),
        resources=[DESK, left],
        waits=[waits(MAIN, left), waits(tide, DESK)],
        holds=[holds(DESK, MAIN)],
    )
    visits = (Visit("main.py:25 (sail)", "sail", 2), Visit("main.py:26 (sail)", "sail", 3))
    went = Progress(pilot.id, 5, 2.0, 0.0, 0.01, visits=visits)
    main = Progress(MAIN.id, 5, 2.0, 0.0, 0.0, same_line=stays, wakes=300)
    found = findings.run(replace(stood(made), progress=(went, main)))

    told = (
        "tide waits at main.py:28 (publish) for Desk.lock, which MainThread holds; MainThread waits"
    )
    assert any(one.title.startswith(told) for one in found) is stays


def test_what_nobody_is_left_to_do_is_told_of_the_one_whom_the_others_wait_behind() -> None:
    never = lock("never", 0x2, NodeKind.QUEUE)
    ready = lock("ready", 0x3, NodeKind.EVENT)
    courier = thread("courier", 101, python=[python_frame("stuck", 9), python_frame("deliver", 20)])
    made = capture(
        *(MAIN, courier),
        resources=[never, ready],
        waits=[waits(MAIN, ready), replace(waits(courier, never), call="Queue.get")],
    )
    could = CouldWake(ready.id, courier.id, Complement.SET, Nearness.AHEAD, evidence())
    found = only(replace(made, could_wake=(could,)), "nobody-left")

    assert found.title == (
        "Nobody is left to put into never: courier waits for it at main.py:9 (stuck); it could "
        "set ready, for which MainThread waits at main.py:30 (settle)"
    )


def test_a_librarys_own_thread_is_not_whom_nobody_is_left_to_wake() -> None:
    """A queue of multiprocessing has one that waits for something to send."""
    feeds = thread(
        "QueueFeederThread",
        101,
        python=[
            python_frame("Condition.wait", 355, THREADING),
            python_frame("Queue._feed", 251, f"{QUEUES}/queues.py"),
        ],
    )
    notempty, pipe = lock("notempty", 0x4, NodeKind.CONDITION), lock("the pipe", 5, NodeKind.PIPE)
    made = capture(
        *(MAIN, feeds),
        resources=[notempty, pipe],
        waits=[waits(feeds, notempty), replace(waits(MAIN, pipe), operation="read")],
        holds=[holds(pipe, MAIN), holds(pipe, feeds)],
    )
    found = only(stood(made), "nobody-left")

    assert found.title.startswith("Nobody is left to write into the pipe: MainThread waits for it")


def test_the_worker_of_a_pool_that_is_at_a_task_is_told() -> None:
    pool = f"{QUEUES}/pool.py"
    result = lock("MapResult._event", 0x1, NodeKind.EVENT)
    main = thread(
        "MainThread",
        python=[
            python_frame("Event.wait", 5, THREADING),
            python_frame("ApplyResult.get", 768, pool),
            python_frame("Pool.map", 367, pool),
            python_frame("settle", 30),
        ],
    )
    worker = thread(
        *("MainThread", 200, 200),
        python=[
            python_frame("stuck", 9),
            python_frame("worker", 125, pool),
            python_frame("settle", 30),
        ],
    )
    results = thread("Thread-3", 103, python=[python_frame("_handle_results", 579, pool)])
    made = capture(main, results, worker, resources=[result], waits=[waits(main, result)])
    first, child = made.processes
    made = replace(made, processes=(first, replace(child, ppid=PID)))
    found = next(one for one in findings.run(made) if one.id == "waiting-for-others")

    assert found.severity is Severity.NOTE
    assert found.title.endswith(
        "; of the pool's workers, MainThread of process 200 waits at main.py:9 (stuck)"
    )


def test_who_waits_for_a_task_that_a_worker_process_is_in_is_owed_nothing_yet() -> None:
    """A function of C alone, such as ``time.sleep``, leaves no frame above the worker's."""
    executor = "/usr/lib/python3.12/concurrent/futures/process.py"
    worker = python_frame("_process_worker", 264, executor)
    get = python_frame("Queue.get", 103, f"{QUEUES}/queues.py")
    busy, idle = (thread("MainThread", 200, 200, python=one) for one in ([worker], [get, worker]))

    assert has_task(busy)
    assert not has_task(idle)
    assert not has_task(MAIN)


@pytest.mark.parametrize("known", [True, False])
def test_a_task_that_the_program_itself_would_let_go_on_comes_before_the_loop(known: bool) -> None:
    turn = lock("asyncio.Future awaited in Slots.acquire", 0x5, NodeKind.FUTURE)
    main = replace(thread("MainThread", still=False, python=[python_frame("settle", 30)]), runs=12)
    frames = (python_frame("Slots.acquire", 17, entry=None),)
    talk, typist, reader = (
        Task(PID, at, name, name, TaskState.WAITING, 9, PID, frames)
        for at, name in enumerate(("talk", "typist", "reader"), 1)
    )
    ahead = CouldWake(turn.id, typist.id, Complement.SET_RESULT, Nearness.AHEAD, evidence())
    if known:
        ahead = replace(
            ahead,
            call="waiter.set_result",
            call_line="/app/main.py:25",
            call_function="Slots.release",
        )
    made = replace(
        capture(main, resources=[turn], waits=[waits(main, turn)]),
        event_loops=(EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, watched=1),),
        tasks=(talk, typist, reader),
        could_wake=(ahead, replace(ahead, candidate=reader.id)),
        waits=(Wait(talk.id, turn.id, evidence(), expires=False),),
    )
    title = only(made, "waits-beside-others" if known else "alive").title
    assert title.endswith("while the event loop of process 100 goes on with others") is known
    assert (", which Slots.release (main.py:25) would set, while" in title) is known


def test_who_waits_for_an_actor_is_told_behind_its_thread_that_looks_again_and_again() -> None:
    actor = lock("the actor Stage of process 200", 0x5, NodeKind.ACTOR)
    driver = replace(thread("MainThread", 201, python=[python_frame("start_stage", 33)]), pid=201)
    looks = [python_frame("find_partner", 18), python_frame("Stage.__init__", 11)]
    stage = thread("MainThread", still=False, python=looks)
    made = capture(
        *(driver, stage),
        resources=[actor],
        waits=[waits(driver, actor)],
        holds=[holds(actor, stage)],
    )
    words = words_of(made, build(made))
    finding = replace(BLANK, threads=(ref(stage),), reason=Reason.ONE_WAIT)
    threads = {one.id: one for one in (driver, stage)}
    told = with_victims(finding, threads, made, words.graph)
    assert told.victims == (ref(driver),)
    assert "1 more thread waits behind that" in told.sentence
    assert "main.py:33 (start_stage)" in told.sentence


@pytest.mark.parametrize("in_hand", [True, False])
def test_who_waits_for_a_server_does_not_wait_for_another_thread_of_it(in_hand: bool) -> None:
    """Whoever has the listener could accept, but the main thread serves, unless frames tell."""
    server = thread("MainThread", PID, python=[python_frame("page", 8)])
    news = thread("news", PID + 1, python=[python_frame("listen", 29)])
    client = thread("MainThread", 700, 700, python=[python_frame("ask", 3)])
    second = thread("MainThread", 800, 800, python=[python_frame("ask", 2)])
    turn = lock("Queue._rlock", 0x8, pid=700)
    there = lock("the TCP connection to 127.0.0.1:80", 0x9, NodeKind.SOCKET, pid=700)
    asks = replace(waits(client, there), answering=(news.id,) if in_hand else ())
    made = capture(
        *(server, news, client, second),
        resources=[there, turn],
        waits=[asks, waits(second, turn)],
        holds=[holds(there, server), holds(there, news), holds(turn, client)],
    )
    note = replace(BLANK, reason=Reason.ONE_WAIT, threads=(ref(news),), subject=news.id)
    threads = {one.id: one for one in made.threads()}
    told = with_victims(note, threads, made, build(made))

    assert [one.pid for one in told.victims] == ([700, 800] if in_hand else [])
