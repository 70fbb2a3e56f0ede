"""Calls that wait before an actor of Ray."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_for_cluster
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    EventLoop,
    Evidence,
    Hold,
    LoopState,
    NodeKind,
    Progress,
    PythonFrame,
    RayNode,
    RayUse,
    Resource,
    Severity,
    Source,
    Surroundings,
    Task,
    TaskState,
    Thread,
    Wait,
    process_id,
    shared_id,
    thread_id,
)
from tests.unit.factories import (
    capture,
    evidence,
    lock,
    native_frame,
    process,
    python_frame,
    thread,
    waits,
)

RAY = "/venv/lib/python3.11/site-packages/ray/_private/worker.py"
ACTOR = shared_id(NodeKind.ACTOR, "ray-01")
GET = python_frame("get_objects", 1007, RAY)


def caller(pid: int, function: str) -> Thread:
    return thread("MainThread", pid, pid, python=[GET, python_frame(function, pid)])


def served(pid: int) -> Thread:
    loop = python_frame("Worker.main_loop", 1069, RAY)
    return thread("MainThread", pid, pid, python=[python_frame("Cart.reserve", 15), loop])


def cluster(*callers: Thread, worker: Thread | None = None, owner: int = 100) -> Capture:
    """A node of one raylet, whose worker is the actor if there is one."""
    others = [worker] if worker else []
    made = capture(*callers, *others, thread("raylet", 300, 300))
    children = tuple(Child(one.pid, "ray", "S") for one in others) or (Child(100, "ray", "S"),)
    node = Surroundings(ray_node=RayNode(1.0, 0, 0, (), (), 1, ()), children=children)
    processes = [replace(p, around=node) if p.pid == 300 else p for p in made.processes]
    name = "the actor Cart of process 200" if worker else "the actor 01"
    waits = tuple(
        Wait(one.id, ACTOR, evidence(), expires=False, call="ray.get", asks="cart.add()")
        for one in callers
    )
    one_at_a_time = Evidence(Source.CPYTHON, Certainty.PROVEN, "it runs one at a time")
    holds = tuple(Hold(ACTOR, one.id, one_at_a_time, "Cart.reserve") for one in others)
    actor = Resource(ACTOR, NodeKind.ACTOR, name, owner, 0, name=name, package="ray")
    return replace(made, processes=tuple(processes), waits=waits, holds=holds, resources=(actor,))


def told(made: Capture) -> str:
    return next(one.sentence for one in findings.run(made) if one.id == "waiting-for-cluster")


def test_calls_in_the_queue_of_an_actor() -> None:
    first, second = caller(100, "checkout"), caller(101, "refund")
    said = told(cluster(first, second, worker=served(200), owner=200))
    assert (
        "It runs one method at a time, and 2 callers wait for it, so that at least 1 of their "
        "calls is in its queue: MainThread of process 100 at main.py:100 (checkout), for "
        "cart.add(), MainThread of process 101 at main.py:101 (refund), for cart.add()."
    ) in said
    assert "in its queue" not in told(cluster(first, worker=served(200), owner=200))


def test_an_actor_that_no_worker_is() -> None:
    first = caller(100, "checkout")
    assert "None of the workers of its cluster" in told(cluster(first))
    assert "None of the workers" not in told(cluster(first, owner=200))


def waiting_on(*worker: Thread, title: str = "ray::Reader.rows") -> Capture:
    """One that waits for an actor of process 200, which no thread of it runs."""
    made = cluster(caller(100, "join_tables"), worker=worker[0], owner=200)
    others = [
        replace(one, cmdline=(title,), threads=worker) if one.pid == 200 else one
        for one in made.processes
    ]
    return replace(made, processes=tuple(others), holds=())


def test_an_actor_that_has_left_a_generator() -> None:
    rest = python_frame("Worker.main_loop", 1069, RAY)
    main = thread("MainThread", 200, 200, python=[rest])
    made = waiting_on(main)
    assert "inside of Reader.rows, which no thread of it runs now: so a generator" in told(made)
    assert not any(one.id == "idle" and 200 in one.processes for one in findings.run(made))
    assert "generator" not in told(waiting_on(main, title="ray::Reader"))


def test_an_actor_that_runs_coroutines_in_a_loop_of_c_code() -> None:
    rest = python_frame("Worker.main_loop", 1069, RAY)
    made = waiting_on(thread("MainThread", 200, 200, python=[rest]))
    loop = EventLoop(200, 9, "uvloop.Loop", LoopState.BUSY, 201)
    assert "generator" not in told(replace(made, event_loops=(loop,)))
    assert "generator" in told(replace(made, event_loops=(replace(loop, tid=None),)))


@pytest.mark.parametrize(
    ("others", "severity"),
    [
        ([], Severity.WARNING),
        ([python_frame("draw", 7)], Severity.NOTE),
        ([python_frame("Worker.main_loop", 1069, RAY)], Severity.WARNING),
    ],
)
def test_a_left_generator_that_nobody_else_would_take_more_of(
    others: list[PythonFrame], severity: Severity
) -> None:
    rest = python_frame("Worker.main_loop", 1069, RAY)
    made = waiting_on(thread("MainThread", 200, 200, python=[rest]))
    other = [thread("MainThread", 400, 400, python=others)] if others else []
    seen = Progress(thread_id(100, 100), 5, 5.0, 5.0, 0.0, same_line=True)
    made = replace(
        made,
        processes=(*made.processes, *capture(*other).processes[: len(other)]),
        progress=(seen,),
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-cluster")
    assert found.severity is severity
    assert ("Nobody else that was captured" in found.sentence) == (severity is Severity.WARNING)


@pytest.mark.parametrize("function", ["Reader.rows", "run_forever"])
def test_no_generator_is_left_where_a_thread_runs_the_method_or_a_loop(function: str) -> None:
    rest = python_frame("Worker.main_loop", 1069, RAY)
    main = thread("MainThread", 200, 200, python=[rest])
    other = thread("pool", 201, 200, python=[python_frame(function, 5, RAY)])
    assert "generator" not in told(waiting_on(main, other))


@pytest.mark.parametrize(
    ("title", "rests"), [("ray::Cart", True), ("ray::Cart.add", False), ("main.py", False)]
)
def test_an_actor_that_runs_no_method_while_another_one_is_waited_for(
    title: str, rests: bool
) -> None:
    second = shared_id(NodeKind.ACTOR, "ray-02")
    first, rest = caller(100, "checkout"), python_frame("Worker.main_loop", 1069, RAY)
    made = cluster(first, worker=served(200), owner=200)
    resting = capture(thread("MainThread", 201, 201, python=[rest])).processes[0]
    name = "the actor Cart of process 201"
    other = Resource(second, NodeKind.ACTOR, name, 201, 0, name=name, package="ray")
    waits = (*made.waits, replace(made.waits[0], target=second))
    made = replace(
        made,
        processes=(*made.processes, replace(resting, cmdline=(title,))),
        waits=waits,
        resources=(*made.resources, other),
    )
    said = "The actor Cart of process 201 runs no method now."
    assert (said in told(made)) is rests


def test_nothing_is_said_of_an_actor_whose_stacks_were_not_read() -> None:
    main = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    unread = replace(thread("pool", 201, 200, python=[GET]), python_stack=None)
    assert "generator" not in told(waiting_on(main, unread))


def test_a_worker_that_somebody_waits_for_is_not_idle() -> None:
    reads = python_frame("Pipe.read", 104, "/venv/lib/python3.11/site-packages/webdataset/gopen.py")
    worker = thread("MainThread", 200, 200, python=[reads])
    made = cluster(caller(100, "train"), worker=worker, owner=200)
    assert not any(one.id == "idle" and 200 in one.processes for one in findings.run(made))


def test_a_call_that_an_actor_has_not_begun() -> None:
    rest = python_frame("Worker.main_loop", 1069, RAY)
    main = thread("MainThread", 200, 200, python=[rest])
    made = waiting_on(main, title="ray::Ledger")
    task = thread("MainThread", 400, 400, python=[python_frame("convert", 29), rest])
    (other,) = capture(task).processes
    said = told(replace(made, processes=(*made.processes, other)))
    assert "ray::Ledger (process 200) runs no method now: that call has not begun." in said
    assert "Meanwhile MainThread of process 400 waits at main.py:29 (convert)." in said

    loop = thread("AsyncIO", 201, 200, python=[python_frame("run_forever", 607, "/usr/lib/x.py")])
    assert "has not begun" not in told(waiting_on(main, loop, title="ray::Ledger"))


def test_a_coroutine_that_blocks_the_loop_in_which_the_call_would_begin() -> None:
    asks = [python_frame("ask", 69), python_frame("Shop.sell", 63)]
    loop = thread("AsyncIO", 201, 200, python=asks)
    main = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    made = waiting_on(main, loop, title="ray::Shop.price")
    other = shared_id(NodeKind.ACTOR, "ray-02")
    reviewer = replace(made.resources[0], id=other, label="the actor Reviewer of process 100")
    holder = Hold(other, thread_id(100, 100), evidence("runs it", Certainty.PROVEN))
    runs = EventLoop(200, 9, "uvloop.Loop", LoopState.BUSY, 201)
    seen = Progress(thread_id(100, 100), 5, 5.0, 5.0, 0.0, same_line=True)
    made = replace(
        made,
        resources=(*made.resources, reviewer),
        waits=(*made.waits, waits(loop, other, where="main.py:69")),
        holds=(holder,),
        event_loops=(runs,),
        progress=(seen,),
    )
    found = [one for one in findings.run(made) if one.id == "waiting-for-cluster"]
    first = next(one for one in found if one.threads[0].pid == 100)
    assert first.severity is Severity.WARNING
    assert (
        "ray::Shop.price (process 200) runs its methods in an event loop. There AsyncIO of "
        "ray::Shop.price (process 200) waits at main.py:69 (ask)"
    ) in first.sentence
    assert "no other one begins or goes on meanwhile" in first.sentence
    assert "So it comes back to the one that waits here" in first.sentence
    idle = replace(made, event_loops=(replace(runs, state=LoopState.IDLE),))
    assert "begins or goes on meanwhile" not in told(idle)


def test_what_the_coroutines_of_an_actor_wait_for() -> None:
    loop = thread("AsyncIO", 201, 200, python=[python_frame("run_forever", 607, "/usr/lib/x.py")])
    main = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    made = waiting_on(main, loop, title="ray::Shop")
    priced = lock("price", 5, NodeKind.FUTURE, pid=200)
    serves = python_frame("Shop.__call__", 41)
    call = Task(200, 7, "Task-7", "Shop.__call__", TaskState.WAITING, 9, 201, (serves,))
    made = replace(
        made,
        tasks=(call,),
        waits=(*made.waits, waits(call.id, priced, where="main.py:41")),
        resources=(*made.resources, priced),
    )
    assert (
        "ray::Shop (process 200) runs its methods in event loops. There task __call__ waits at "
        "main.py:41 (Shop.__call__) for price"
    ) in told(made)


def gate_of(asks: str) -> Capture:
    """Somebody has asked an actor that runs its methods in an event loop, where a task waits for
    what only Gate.leave would end."""
    loop = thread("AsyncIO", 201, 200, python=[python_frame("run_forever", 607, "/usr/lib/x.py")])
    main = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    made = waiting_on(main, loop, title="ray::Gate")
    permit = replace(
        lock("Gate.permits", 5, NodeKind.SEMAPHORE, pid=200),
        wakers_known=True,
        enders=("Gate.leave (main.py:20)",),
    )
    call = Task(200, 7, "T", "enter", TaskState.WAITING, 9, 201, (python_frame("Gate.enter", 16),))
    asked = tuple(replace(one, asks=asks) for one in made.waits)
    made = replace(
        made,
        tasks=(call,),
        waits=(*asked, waits(call.id, permit, where="main.py:16")),
        resources=(*made.resources, permit),
    )
    seen = tuple(Progress(one.id, 5, 4.0, 4.0, 0.0, same_line=True) for one in made.threads())
    return replace(made, progress=seen)


@pytest.mark.parametrize("asks", ["gate.leave()", "gate.enter()"])
def test_the_call_that_alone_would_end_what_all_tasks_of_an_actor_wait_for(asks: str) -> None:
    found = next(one for one in findings.run(gate_of(asks)) if one.id == "waiting-for-cluster")
    never = asks == "gate.leave()"

    assert (found.severity is Severity.WARNING) is never
    assert ("Only Gate.leave (main.py:20) would let these go on" in found.sentence) is never


@pytest.mark.parametrize("free", [0, 1])
def test_the_threads_that_an_actor_has_for_its_methods(free: int) -> None:
    """Each begins in a function of Ray, whether or not it has run a method yet."""
    pool = [native_frame("std::thread::_State_impl<ray::core::BoundedExecutor::f>", "_raylet.so")]
    take = python_frame("Mailbox.take", 18)
    main = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    runs = replace(thread("ray::Mailbox", 201, python=[take]), pid=200, native_stack=tuple(pool))
    rests = replace(runs, tid=202, is_python=False, python_stack=None)
    made = cluster(caller(100, "exchange"), worker=main, owner=200)
    filled = lock("filled", 1, NodeKind.CONDITION, pid=200)
    filled = replace(filled, enders=("Mailbox.put (main.py:24)",), wakers_known=True)
    processes = [
        replace(one, threads=(main, runs, *[rests] * free), steady=True) if one.pid == 200 else one
        for one in made.processes
    ]
    perhaps = Evidence(Source.CPYTHON, Certainty.INFERRED, "it runs methods in several threads")
    made = replace(
        made,
        processes=tuple(processes),
        waits=(*made.waits, Wait(runs.id, filled.id, evidence(), expires=False)),
        holds=(Hold(ACTOR, runs.id, perhaps, "Mailbox.take"),),
        resources=(*made.resources, filled),
    )
    found = {one.id: one for one in findings.run(made)}
    if free:
        assert (
            "The actor has 1 more thread for its methods" in found["waiting-for-cluster"].sentence
        )
    assert ("calls-never-begin" in found) is (not free)


@pytest.mark.parametrize("known", [True, False])
def test_what_nobody_in_the_process_of_an_actor_is_on_the_way_to_end(known: bool) -> None:
    made = cluster(caller(100, "fetch"), worker=served(200), owner=200)
    permits = replace(
        lock("Limiter.permits (asyncio.Semaphore)", 0xA, NodeKind.SEMAPHORE),
        wakers_known=known,
        enders=("Limiter.release (main.py:16)",),
    )
    frames = (python_frame("Limiter.acquire", 13, entry=None),)
    task = Task(200, 0x900, "Task-9", "acquire", TaskState.WAITING, 0x1, 200, frames, None)
    made = replace(
        made,
        tasks=(task,),
        waits=(*made.waits, Wait(task.id, permits.id, evidence(), expires=False)),
        holds=tuple(replace(hold, holder=task.id) for hold in made.holds),
        resources=(*made.resources, permits),
    )
    told_so = (
        "Nobody in its process is on the way to release it. The program does so in "
        "Limiter.release (main.py:16), which nobody runs."
    ) in told(made)
    assert told_so == known


@pytest.mark.parametrize("beside", [True, False])
def test_a_call_is_a_warning_where_nobody_is_left_to_give_what_it_waits_for(
    *, beside: bool
) -> None:
    asker = caller(100, "fetch")
    rests = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    made = cluster(asker, worker=rests, owner=200)
    permits = replace(
        lock("Limiter.permits", 0xA, NodeKind.SEMAPHORE),
        wakers_known=True,
        enders=("Limiter.release (main.py:16)",),
    )
    frames = (python_frame("Limiter.acquire", 13, entry=None),)
    task = Task(200, 0x900, "Task-9", "acquire", TaskState.WAITING, 0x1, 200, frames, None)
    works = replace(thread("MainThread", 300, 300, python=[python_frame("work", 8)]), pid=300)
    made = replace(
        made,
        processes=(*made.processes, process(300, works)) if beside else made.processes,
        tasks=(task,),
        event_loops=(EventLoop(200, 0x1, "loop", LoopState.IDLE, 200),),
        waits=(*made.waits, Wait(task.id, permits.id, evidence(), expires=False)),
        holds=tuple(replace(hold, holder=task.id) for hold in made.holds),
        resources=(*made.resources, permits),
        progress=tuple(
            Progress(one.id, 5, 4.0, 4.0, 0.0, same_stack=True, same_line=True)
            for one in made.threads()
        ),
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-cluster")
    assert (found.severity is Severity.WARNING) is (not beside)


@pytest.mark.parametrize("stands", [True, False])
def test_a_task_of_another_actor_that_stands_still_itself_makes_no_call(*, stands: bool) -> None:
    rests = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    made = cluster(caller(100, "fetch"), worker=rests, owner=200)
    other = replace(thread("MainThread", 300, 300, python=rests.python_stack), pid=300)
    came = replace(
        lock("Buffer.came", 0xA, NodeKind.CONDITION, pid=200),
        wakers_known=True,
        enders=("Buffer.put (main.py:47)",),
    )
    fresh = replace(
        lock("Sampler.fresh", 0xB, NodeKind.CONDITION, pid=300),
        wakers_known=stands,
        enders=("Sampler.load_weights (main.py:35)",),
    )
    take = (python_frame("Buffer.take", 51, entry=None),)
    task = Task(200, 0x900, "Task-9", "take", TaskState.WAITING, 0x1, 200, take, None)
    roll_out = (python_frame("Sampler.generate", 23, entry=None),)
    sampler = Task(300, 0x950, "Task-7", "roll_out", TaskState.WAITING, 0x2, 300, roll_out, None)
    made = replace(
        made,
        processes=(*made.processes, process(300, other)),
        tasks=(task, sampler),
        event_loops=(
            EventLoop(200, 0x1, "loop", LoopState.IDLE, 200),
            EventLoop(300, 0x2, "loop", LoopState.IDLE, 300),
        ),
        waits=(
            *made.waits,
            Wait(task.id, came.id, evidence(), expires=False),
            Wait(sampler.id, fresh.id, evidence(), expires=False),
        ),
        holds=tuple(replace(hold, holder=task.id) for hold in made.holds),
        resources=(*made.resources, came, fresh),
        progress=tuple(
            Progress(one.id, 5, 4.0, 4.0, 0.0, same_stack=True, same_line=True)
            for one in (*made.threads(), other)
        ),
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-cluster")
    assert (found.severity is Severity.WARNING) is stands
    assert ("Meanwhile task roll_out waits at main.py:23" in found.sentence) is stands
    assert ("Sampler.load_weights (main.py:35), which nobody runs" in found.sentence) is stands


def _two_asked(*, free: bool) -> Capture:
    """A driver that waits for two actors, one of which runs in process 200."""
    driver = caller(100, "start_trainers")
    made = cluster(driver, worker=served(200), owner=200)
    other = shared_id(NodeKind.ACTOR, "ray-02")
    unborn = Resource(other, NodeKind.ACTOR, "the actor 02", 100, 0, name="the actor 02")
    wait = Wait(driver.id, other, evidence(), expires=False, call="ray.get")
    used = () if free else ("1.0/1.0 CPU",)
    uses = (RayUse(200, "Cart", "CPU: 1"),)
    node = RayNode(1.0, 0, 1, ("{'CPU': 1.0}: 1+ pending tasks/actors",), (), 1, used, uses)
    processes = [
        replace(one, around=replace(one.around, ray_node=node)) if one.around else one
        for one in made.processes
    ]
    return replace(
        made,
        processes=tuple(processes),
        resources=(*made.resources, unborn),
        waits=(*made.waits, wait),
    )


def test_one_of_several_actors_that_is_not_started() -> None:
    said = told(_two_asked(free=False))
    assert (
        "The actor 02 runs in no process that was captured, and all of 1.0/1.0 CPU of its cluster "
        "is in use, by Cart (process 200): an actor keeps that as long as it lives"
    ) in said
    assert "What is asked for, and not placed: {'CPU': 1.0}: 1+ pending tasks/actors." in said
    assert "in use" not in told(_two_asked(free=True))


@pytest.mark.parametrize(
    ("state", "awaits", "does"),
    [
        (TaskState.WAITING, "data (StreamReader)", " awaits data (StreamReader) at main.py:13 (f)"),
        (TaskState.WAITING, None, " waits at main.py:13 (f)"),
        (TaskState.READY, None, " waits for its turn"),
        (TaskState.RUNNING, None, " runs at main.py:13 (f)"),
    ],
)
def test_what_a_coroutine_does_whose_wait_has_no_object(
    state: TaskState, awaits: str | None, does: str
) -> None:
    made = cluster(caller(100, "fetch"), worker=served(200), owner=200)
    frames = (python_frame("f", 13, entry=None),)
    task = Task(200, 0x900, "Task-9", "items", state, 0x1, 200, frames, awaits)
    runs = tuple(replace(hold, holder=task.id) for hold in made.holds)
    assert f"Now task items{does}." in told(replace(made, tasks=(task,), holds=runs))


@pytest.mark.parametrize(
    ("kind", "known", "alone", "severity"),
    [
        (NodeKind.QUEUE, True, True, Severity.WARNING),
        (NodeKind.QUEUE, False, True, Severity.NOTE),
        (NodeKind.QUEUE, True, False, Severity.NOTE),
        (NodeKind.EVENT, True, True, Severity.NOTE),
    ],
)
def test_an_actor_that_waits_for_what_only_its_own_process_could_bring(
    kind: NodeKind, known: bool, alone: bool, severity: Severity
) -> None:
    """An event may be what ends a service."""
    made = cluster(caller(100, "fetch"), worker=served(200), owner=200)
    orders = replace(lock("Cart.orders", 0xA, kind, pid=200), wakers_known=known)
    inside = Wait(made.holds[0].holder, orders.id, evidence(), expires=False)
    other = replace(thread("feeder", 201, python=[python_frame("feed", 9)]), pid=200)
    processes = [
        replace(one, threads=(*one.threads, other)) if one.pid == 200 and not alone else one
        for one in made.processes
    ]
    made = replace(made, processes=tuple(processes))
    seen = tuple(Progress(one.id, 5, 4.0, 4.0, 0.0, same_line=True) for one in made.threads())
    made = replace(
        made,
        waits=(*made.waits, inside),
        resources=(*made.resources, orders),
        progress=seen,
    )
    (found,) = waiting_for_cluster.check(made, build(made))
    assert found.severity is severity


@pytest.mark.parametrize("captured", [True, False])
def test_what_a_worker_that_is_known_by_its_process_does(*, captured: bool) -> None:
    """Also where nothing is known of what it has in hand."""
    worker = shared_id(NodeKind.WORKER, "loader-200")
    name = "the DataLoader worker 0 (process 200)"
    trains = thread("MainThread", 100, 100, python=[python_frame("train", 9)])
    feeds = thread("MainThread", 200, 200, python=[python_frame("live_rows", 22)])
    wait = Wait(trains.id, worker, evidence())
    others = [feeds] if captured else []
    made = capture(trains, *others, resources=[Resource(worker, NodeKind.WORKER, name, 200, 0)])
    made = replace(made, waits=(wait,))
    (finding,) = waiting_for_cluster.check(made, build(made))

    assert ("Now MainThread of process 200" in finding.sentence) is captured
    assert ("Its process is not among those" in finding.sentence) is not captured


def test_what_a_worker_computes_is_told_after_who_waits_for_it() -> None:
    """`for lengths in loader` takes what comes next, and has asked for it."""
    worker = shared_id(NodeKind.WORKER, "loader-200")
    name = "the DataLoader worker 1 (process 200)"
    trains = thread("MainThread", 100, 100, python=[python_frame("train", 9)])
    trains = replace(trains, takes_next=True)
    reads = thread("MainThread", 200, 200, python=[python_frame("rows", 22)], state="R")
    reads = replace(reads, still=False, busy=0.9, syscall=None)
    made = capture(trains, reads, resources=[Resource(worker, NodeKind.WORKER, name, 200, 0)])
    made = replace(made, waits=(Wait(trains.id, worker, evidence()),))
    assert [one.id for one in findings.run(made)] == ["waiting-for-cluster", "working"]


def _behind_a_lock(holder: Thread) -> Capture:
    """A driver whose actor is to run in what the raylet has started: that waits for a file lock."""
    starts = replace(thread("sh", 400, 400), is_python=False)
    made = cluster(caller(100, "start_all"))
    more = capture(*(t for p in made.processes for t in p.threads), starts, holder)
    known = {one.pid: one.around for one in made.processes}
    processes = []
    for one in more.processes:
        cmdline = ("raylet",) if one.pid == 300 else one.cmdline
        python = one.python if one.pid in (100, holder.pid) else None
        ppid = 300 if one.pid in (400, holder.pid) else one.ppid
        around = known.get(one.pid)
        processes.append(replace(one, cmdline=cmdline, python=python, ppid=ppid, around=around))
    file = lock("the file lock /env/env.lock", 9, NodeKind.FILE_LOCK, pid=0)
    held = Hold(file.id, process_id(holder.pid), evidence(), None)
    seen = [Progress(one.id, 5, 3.0, 3.0, 0.0, same_line=True, same_stack=True)
            for one in more.threads()]  # fmt: skip
    return replace(
        made,
        processes=tuple(processes),
        resources=(*made.resources, file),
        waits=(*made.waits, waits(starts, file)),
        holds=(*made.holds, held),
        progress=tuple(seen),
    )


def test_a_worker_does_not_start_for_a_lock_that_another_one_keeps() -> None:
    rest = thread("MainThread", 200, 200, python=[python_frame("Worker.main_loop", 1069, RAY)])
    made = _behind_a_lock(rest)
    (finding,) = (one for one in findings.run(made) if one.id == "waiting-for-cluster")
    assert finding.severity is Severity.WARNING
    assert "; a worker that was started waits for the file lock" in finding.title
    assert "raylet (process 300) has started a process that is to become a worker" in (
        finding.sentence
    )


def test_a_worker_that_prepares_what_others_use_is_no_warning() -> None:
    works = thread("MainThread", 200, 200, python=[python_frame("install", 7)])
    (finding,) = (
        one for one in findings.run(_behind_a_lock(works)) if one.id == "waiting-for-cluster"
    )
    assert finding.severity is Severity.NOTE
    assert "has started a process that is to become a worker" in finding.sentence
