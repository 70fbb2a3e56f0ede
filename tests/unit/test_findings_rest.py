"""Who is told to be idle, and who only stands still: a rest needs a proof of its own."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.inert import waits_for_work
from hangtui.findings.package_queries import hands_over, serving_package
from hangtui.findings.rest import alive
from hangtui.findings.rest.by_whom import by_whom
from hangtui.findings.rest.quiet_enders import unheard
from hangtui.findings.words import words_of
from hangtui.model import (
    FIRST_TASK,
    Capture,
    Child,
    EventLoop,
    Finding,
    Handled,
    Looking,
    LoopState,
    NativeFrame,
    NodeKind,
    PythonFrame,
    PythonInfo,
    Resource,
    Severity,
    Sleep,
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
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    process,
    python_frame,
    thread,
    told_of_wait,
    waits,
)

LIB = "/usr/lib/python3.12"
SITE = "/srv/.venv/lib/python3.12/site-packages"
COND = python_frame("Condition.wait", 355, f"{LIB}/threading.py")
GET = python_frame("Queue.get", 171, f"{LIB}/queue.py")
FOREVER = python_frame("BaseServer.serve_forever", 235, f"{LIB}/socketserver.py")
SELECT = python_frame("PollSelector.select", 415, f"{LIB}/selectors.py")
RECV = python_frame("SocketIO.readinto", 707, f"{LIB}/socket.py")
HANDLER = python_frame("BaseHTTPRequestHandler.handle", 424, f"{LIB}/http/server.py")
RUN_ONCE = python_frame("BaseEventLoop.run_forever", 640, f"{LIB}/asyncio/base_events.py")
BOOTSTRAP = python_frame("Thread._bootstrap_inner", 1032, f"{LIB}/threading.py")
GUNICORN = python_frame("SyncWorker.run", 80, f"{SITE}/gunicorn/workers/sync.py")
REQUESTS = python_frame("get", 73, f"{SITE}/requests/api.py")
HUB = python_frame("Hub.run", 647, f"{SITE}/gevent/hub.py")
LAUNCHER = python_frame("main", 5, f"{SITE}/tool/cli.py")
MAIN = python_frame("<module>", 40, "/srv/shop.py")
WORK = python_frame("work", 9, "/srv/shop.py")
FETCH = python_frame("fetch", 12, "/srv/shop.py")
POLL = Syscall("poll", timed=True)
SLEEP = Syscall("clock_nanosleep")
TIME_SLEEP = [native_frame("clock_nanosleep"), native_frame("_PyEval_EvalFrameDefault")]


def one(
    name: str,
    tid: int,
    stack: Iterable[PythonFrame],
    syscall: Syscall | None = None,
    native: list[NativeFrame] | None = None,
) -> Thread:
    made = thread(name, tid, python=stack, syscall=syscall, native=native)
    return replace(made, runs=7, cpu_ns=7000)


def of(
    *threads: Thread,
    resources: tuple[Resource, ...] = (),
    waits: tuple[Wait, ...] = (),
    loops: tuple[EventLoop, ...] = (),
    tasks: tuple[Task, ...] = (),
) -> Capture:
    made = capture(*threads, resources=resources, waits=waits)
    (bare,) = made.processes
    python = replace(bare, python=PythonInfo("3.12.1"))
    return replace(made, processes=(python,), event_loops=loops, tasks=tasks)


def told(made: Capture) -> dict[str, Finding]:
    return {finding.id: finding for finding in findings.run(made)}


SERVING = one("MainThread", PID, (SELECT, FOREVER, MAIN), POLL)
QUEUE = lock("jobs", 1, NodeKind.QUEUE)


def getting(thread: Thread, *, method: str = "get", expires: bool = False) -> Wait:
    wait = waits(thread, QUEUE, expires=expires, text=f"Queue.{method}: it waits for an item")
    assert wait.method == method
    return wait


@pytest.mark.parametrize(
    ("signals", "timed", "rests"),
    [
        (("SIGTERM", "SIGINT"), False, True),
        (("SIGUSR1",), False, False),
        (("SIGUSR1", "SIGTERM"), False, True),
        (("SIGRTMIN",), False, False),
        (("SIGCHLD",), True, True),
        ((), False, True),
    ],
)
def test_who_is_owed_a_signal_does_not_rest(
    signals: tuple[str, ...], timed: bool, rests: bool
) -> None:
    call = Syscall("rt_sigtimedwait", timed=timed, signals=signals)
    assert ("idle" in told(of(one("MainThread", PID, (MAIN,), call)))) is rests


GEVENT = f"{SITE}/gevent/_threading.py"
TAKES = python_frame("Queue.get", 207, GEVENT)
WORKER = python_frame("_WorkerGreenlet.run", 216, f"{SITE}/gevent/threadpool.py")


@pytest.mark.parametrize(
    ("inside", "idle"),
    [
        ((TAKES,), True),
        (
            (python_frame("_Condition.wait", 86, GEVENT), python_frame("Queue.get", 207, GEVENT)),
            True,
        ),
        ((python_frame("work", 6, "/srv/shop.py"),), False),
        ((), False),
    ],
)
def test_a_thread_of_gevents_pool_waits_for_work(
    inside: tuple[PythonFrame, ...], idle: bool
) -> None:
    worker = one("python", 101, (*inside, WORKER), Syscall("futex"))
    assert waits_for_work(worker) is idle


@pytest.mark.parametrize(
    ("function", "idle"),
    [
        *(("pyuwsgi_run", True), ("pyuwsgi_ask", False)),
        *(("meth_QCoreApplication_exec_", True), ("Sbk_QApplicationFunc_exec", True)),
        *(("meth_QEventLoop_exec_", False), ("meth_QDialog_exec_", False)),
    ],
)
def test_who_was_left_to_a_server_in_c_code_is_idle(*, function: str, idle: bool) -> None:
    served = native_frame(function, f"{SITE}/pyuwsgi.cpython-312-x86_64-linux-gnu.so")
    main = thread(
        "MainThread",
        python=[python_frame("<module>", 32)],
        native=[served, native_frame("_PyEval_EvalFrameDefault")],
        syscall=Syscall("epoll_wait", fd=8, timed=False),
    )

    assert ("idle" in told(of(main))) is idle


def test_who_was_left_to_a_library_to_serve_is_idle() -> None:
    found = told(of(SERVING))
    assert "idle" in found
    assert (
        "is serving in serve_forever(), called at shop.py:40 (<module>)"
        in (found["idle"].evidence[0])
    )


@pytest.mark.parametrize(
    ("ago", "paused", "idle"), [(8.0, None, False), (0.2, None, True), (8.0, "Line", True)]
)
def test_who_leaves_what_has_come_is_not_idle(ago: float, paused: str | None, idle: bool) -> None:
    there = Traffic(None, ago, sent_last=False, unread=70)
    left = Unattended(PID, "TCP connection to 127.0.0.1:9", "fd 6", there, paused=paused)
    found = told(replace(of(SERVING), unattended=(left,)))

    assert ("idle" in found) is idle
    if not idle:
        assert found["quiet"].title.endswith(
            "; 70 bytes lie unread in its own connection, and none of its threads reads them"
        )
        assert "70 bytes lie unread in its own TCP connection" in found["quiet"].sentence


def test_a_worker_that_was_left_to_a_library_is_at_rest() -> None:
    file = "/venv/lib/python3.12/site-packages/rq/worker/base.py"
    stack = (python_frame("BaseWorker.work", 664, file), MAIN)
    found = told(of(one("MainThread", PID, stack, Syscall("epoll_wait", timed=True))))
    assert "is serving in work()" in found["idle"].evidence[0]


@pytest.mark.parametrize(
    ("state", "beside", "idle"),
    [("S", True, False), ("Z", True, True), ("Z", False, False)],
    ids=["a child lives", "a thread works beside it", "nobody is beside it"],
)
def test_who_sleeps_in_a_library_may_wait_for_what_its_child_brings_or_nobody(
    *, state: str, beside: bool, idle: bool
) -> None:
    run = python_frame("Runner.run", 403, "/usr/lib/python3/site-packages/invoke/runners.py")
    asleep = one("MainThread", PID, (run, MAIN), Syscall("clock_nanosleep"))
    worker = one("worker", 101, (COND, GET, BOOTSTRAP), Syscall("futex"))
    threads = (asleep, worker) if beside else (asleep,)
    made = of(*threads, resources=(QUEUE,), waits=(getting(worker),) if beside else ())
    around = Surroundings(children=(Child(7, "python3", state),))
    (process,) = made.processes
    found = told(replace(made, processes=(replace(process, around=around),)))
    assert ("idle" in found) is idle, found
    assert beside or found["quiet"].severity is Severity.NOTE


@pytest.mark.parametrize("beside", [True, False], ids=["somebody hears", "alone"])
def test_who_was_left_to_a_library_and_waits_by_the_clock_alone_does_not_serve(
    *, beside: bool
) -> None:
    run = python_frame("Runner.run", 403, f"{SITE}/invoke/runners.py")
    main = one("MainThread", PID, (COND, run, MAIN), Syscall("futex", timed=True))
    others = (one("receiver", 101, (SELECT, BOOTSTRAP), POLL),) if beside else ()
    done = lock("Runner.done", 2, NodeKind.EVENT)
    wait = waits(main, done, expires=True, operation="wait")
    made = of(main, *others, resources=(done,), waits=(wait,))
    around = Surroundings(children=())
    looking = (Looking(main.id, endless=True, alters=False),)
    made = replace(made, processes=(replace(made.processes[0], around=around),), looking=looking)
    found = told(made)
    assert ("idle" in found) is beside, found
    assert ("quiet" in found) is not beside


@pytest.mark.parametrize(
    ("child", "call", "idle"),
    [("S", "futex", False), ("Z", "futex", True), ("S", "poll", True)],
    ids=["a child lives", "none does", "it hears connections"],
)
def test_who_takes_what_threads_bring_while_a_child_works_does_not_serve(
    child: str, call: str, idle: bool
) -> None:
    run = python_frame("main", 223, f"{SITE}/pytest/__init__.py")
    main = one("MainThread", PID, (COND, GET, run, MAIN), Syscall(call))
    receiver = one("receiver", 101, (SELECT, BOOTSTRAP), POLL)
    made = of(main, receiver, resources=(QUEUE,), waits=(getting(main, expires=True),))
    around = Surroundings(children=(Child(7, "python3", child),))
    (process,) = made.processes
    found = told(replace(made, processes=(replace(process, around=around),)))
    assert ("idle" in found) is idle, found


@pytest.mark.parametrize(
    ("function", "held", "idle"),
    [("start", True, False), ("start", False, True), ("serve", True, True)],
    ids=["what was started owes it a word", "nobody else has the pipe", "it serves"],
)
def test_who_starts_a_program_that_is_to_say_something_does_not_serve(
    *, function: str, held: bool, idle: bool
) -> None:
    start = python_frame(f"Display.{function}", 149, f"{SITE}/display/display.py")
    main = one("MainThread", PID, (start, MAIN), Syscall("pselect6", timed=True))
    pipe = lock("pipe", 1, NodeKind.PIPE)
    wait = waits(main, pipe, expires=True, operation="read")
    child = process(PID + 1, one("MainThread", PID + 1, (WORK, MAIN), SLEEP))
    made = of(main, resources=(pipe,), waits=(wait,))
    held_by = (holds(pipe, f"process:{PID + 1}"),) if held else ()
    found = told(replace(made, processes=(*made.processes, child), holds=held_by))
    says = f"is serving in {function}()"
    assert any(says in one.sentence for one in found.values()) is idle


@pytest.mark.parametrize(
    ("stack", "idle"),
    [
        ((COND, GET, BOOTSTRAP), True),
        ((COND, GET, WORK, BOOTSTRAP), True),
        ((COND, GET, FETCH, WORK, BOOTSTRAP), False),
        ((COND, GET, REQUESTS, WORK, BOOTSTRAP), False),
    ],
    ids=["a library's thread", "all that it does", "below another function", "in a package"],
)
def test_a_worker_rests_only_where_taking_items_is_all_that_it_does(
    stack: tuple[PythonFrame, ...], idle: bool
) -> None:
    worker = one("worker", 101, stack, Syscall("futex"))
    found = told(of(SERVING, worker, resources=(QUEUE,), waits=(getting(worker),)))
    assert ("idle" in found) is idle, found


def test_a_main_thread_that_takes_an_item_is_not_called_idle() -> None:
    main = one("MainThread", PID, (COND, GET, WORK, MAIN), Syscall("futex"))
    found = told(of(main, resources=(QUEUE,), waits=(getting(main),)))
    assert "idle" not in found


def test_workers_alone_are_not_idle_where_nothing_comes_from_outside() -> None:
    main = one("MainThread", PID, (COND, WORK, MAIN), Syscall("futex"))
    worker = one("worker", 101, (COND, GET, WORK, BOOTSTRAP), Syscall("futex"))
    done = lock("done", 2, NodeKind.EVENT)
    made = of(main, worker, resources=(QUEUE, done), waits=(getting(worker), waits(main, done)))
    assert "idle" not in told(made)


@pytest.mark.parametrize(
    ("stack", "idle"),
    [
        ((RECV, HANDLER, BOOTSTRAP), True),
        ((RECV, REQUESTS, FETCH, HANDLER, BOOTSTRAP), False),
        ((RECV, FETCH, GUNICORN), False),
        ((RECV, GUNICORN), True),
    ],
    ids=["next request", "upstream", "its own upstream", "a tool alone"],
)
def test_only_what_is_newer_than_the_application_serves_a_client(
    stack: tuple[PythonFrame, ...], idle: bool
) -> None:
    client = lock("TCP connection", 5, NodeKind.SOCKET)
    handler = one("handler", 101, stack, Syscall("recvfrom"))
    wait = waits(handler, client, operation="receive")
    found = told(of(SERVING, handler, resources=(client,), waits=(wait,)))
    assert ("idle" in found) is idle, found


@pytest.mark.parametrize(
    ("native", "idle"),
    [
        (TIME_SLEEP, True),
        ([native_frame("sqlite3VdbeExec", "/usr/lib/libsqlite3.so.0"), *TIME_SLEEP[1:]], False),
        (None, False),
    ],
    ids=["time.sleep", "a retry in C", "not read"],
)
def test_only_the_clock_itself_is_a_rest_of_a_threads_own_work(
    native: list[NativeFrame] | None, idle: bool
) -> None:
    main = one("MainThread", PID, (MAIN,), Syscall("pause"))
    beat = one("beat", 2, (WORK, BOOTSTRAP), SLEEP, native)
    found = told(of(main, beat))
    assert ("idle" in found) is idle, found
    if idle:  # it may be at work, in turns
        assert found["idle"].title.startswith(f"Process {PID} only sleeps and waits, as far as")


@pytest.mark.parametrize("looks_for_nothing", [True, False, None])
def test_a_sleep_of_the_main_thread_may_be_one_of_many(looks_for_nothing: bool | None) -> None:
    """Whoever asks again and again whether something has come looks the same from outside."""
    main = one("MainThread", PID, (WORK, MAIN), SLEEP, TIME_SLEEP)
    found = told(of(replace(main, only_sleeps=looks_for_nothing)))
    if looks_for_nothing:
        assert "sleeps at shop.py:9 (work) and looks for nothing" in found["idle"].title
    else:
        assert "idle" not in found
        assert "MainThread sleeps at shop.py:9 (work)" in found["quiet"].title


@pytest.mark.parametrize(("wakes", "idle"), [(1, True), (20, False)])
def test_who_wakes_often_to_sleep_again_is_not_said_to_poll(wakes: int, idle: bool) -> None:
    looks = []
    for number in range(3):
        main = one("MainThread", PID, (MAIN,), Syscall("pause"))
        beat = one("beat", 2, (WORK, BOOTSTRAP), SLEEP, TIME_SLEEP)
        beat = replace(beat, still=False, runs=7 + number * wakes, cpu_ns=7000 + number)
        looks.append(replace(of(main, beat), taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = told(with_progress(looks))
    assert "alive" not in found
    assert ("idle" in found) is idle, found
    if not idle:
        assert told_of_wait(found["quiet"]).endswith(
            "beat sleeps at shop.py:9 (work), again and again"
        )
        assert "it sleeps there again" in found["quiet"].evidence[0]


@pytest.mark.parametrize("stack", [(HUB,), (HUB, MAIN)], ids=["alone", "of a script"])
def test_nothing_soothing_is_said_of_a_loop_whose_greenlets_are_not_read(
    stack: tuple[PythonFrame, ...],
) -> None:
    hub = one("MainThread", PID, stack, Syscall("epoll_wait", timed=True))
    found = told(of(hub))
    assert {"idle", "alive"}.isdisjoint(found)
    assert "runs the loop of gevent, whose greenlets are not read" in found["quiet"].sentence


def loop_with(*tasks: Task) -> Capture:
    runner = python_frame("run", 194, f"{LIB}/asyncio/runners.py")
    main = one("MainThread", PID, (SELECT, RUN_ONCE, runner, MAIN), POLL)
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=2, watched=2)
    return of(main, loops=(loop,), tasks=tasks)


def task(address: int, *stack: PythonFrame) -> Task:
    state = TaskState.WAITING
    return Task(PID, address, f"Task-{address}", stack[-1].function, state, 9, PID, stack)


@pytest.mark.parametrize(
    ("called", "idle"), [("NetlinkSocket.get", False), ("Server.serve_forever", True)]
)
def test_a_loop_that_a_package_runs_for_one_answer_is_no_rest(*, called: str, idle: bool) -> None:
    runner = python_frame("run", 194, f"{LIB}/asyncio/runners.py")
    entry = python_frame(called, 804, f"{SITE}/netlink/socket.py")
    main = one("MainThread", PID, (SELECT, RUN_ONCE, runner, entry, WORK, MAIN), POLL)
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, watched=1)
    reads = task(1, python_frame("read", 12, f"{SITE}/netlink/socket.py"))
    found = told(of(main, loops=(loop,), tasks=(reads,)))
    assert ("idle" in found) is idle, found
    if not idle:
        assert "MainThread at shop.py:9 (work)" in found["quiet"].title


@pytest.mark.parametrize("library", ["asyncio", "Twisted", "gevent"])
@pytest.mark.parametrize("still", [True, False])
def test_a_loop_that_ran_meanwhile_may_run_more_than_a_walk_over_all_objects_has_found(
    library: str, still: bool
) -> None:
    made = loop_with()
    (process,) = made.processes
    threads = tuple(replace(thread, still=still) for thread in process.threads)
    loops = tuple(replace(loop, library=library) for loop in made.event_loops)
    made = replace(made, processes=(replace(process, threads=threads),), event_loops=loops)
    assert ("idle" in told(made)) is (still or library == "asyncio")


ASYNC_SERVE = python_frame("Server.serve_forever", 390, f"{LIB}/asyncio/base_events.py")
ASYNC_GET = python_frame("Queue.get", 158, f"{LIB}/asyncio/queues.py")
ASYNC_SLEEP = python_frame("sleep", 665, f"{LIB}/asyncio/tasks.py")
ACQUIRE = python_frame("Pool._acquire", 860, f"{SITE}/asyncpg/pool.py")


@pytest.mark.parametrize(
    ("stack", "idle"),
    [
        ((ASYNC_SERVE, WORK), True),
        ((ASYNC_SLEEP, WORK), True),
        ((ASYNC_GET, WORK), True),
        ((ASYNC_GET, FETCH, WORK), False),
        ((ASYNC_GET, ACQUIRE), True),
        ((ASYNC_GET, ACQUIRE, FETCH), False),
        ((WORK,), False),
    ],
    ids=["serves", "sleeps", "takes items", "takes one", "a library", "a pool", "a future"],
)
def test_a_loop_rests_only_with_all_its_tasks(stack: tuple[PythonFrame, ...], idle: bool) -> None:
    found = told(loop_with(task(2, *stack)))
    assert ("idle" in found) is idle, found
    if not idle:
        assert "shop.py" in found["quiet"].title
        assert "MainThread" not in found["quiet"].title


@pytest.mark.parametrize(
    ("error", "idle"), [("ConnectionRefusedError", False), ("asyncio.queues.QueueEmpty", True)]
)
def test_who_sleeps_between_tries_that_fail_does_not_rest(error: str, *, idle: bool) -> None:
    one = replace(task(2, ASYNC_SLEEP, WORK), awaits="sleep (9.2 s left)")
    handled = Handled(one.id, error, "shop.py:9 (work)", inner=False)
    found = told(replace(loop_with(one), handled=(handled,)))

    assert ("idle" in found) is idle
    if not idle:
        after = " after ConnectionRefusedError, raised at shop.py:9 (work)"
        assert after in found["quiet"].title


@pytest.mark.parametrize("host", [LoopState.IDLE, LoopState.BUSY, LoopState.STOPPED])
def test_a_loop_does_not_rest_while_another_of_its_thread_runs_something(host: LoopState) -> None:
    """trio as the guest of asyncio, or a loop that a task of another one runs."""
    made = loop_with(task(2, ASYNC_SLEEP, WORK))
    other = EventLoop(PID, 10, "host", host, None if host is LoopState.STOPPED else PID)
    found = told(replace(made, event_loops=(*made.event_loops, other)))
    assert ("idle" in found) is (host is not LoopState.BUSY)


@pytest.mark.parametrize(
    ("kind", "operation", "behind", "idle"),
    [
        (NodeKind.FUTURE, None, None, False),
        (NodeKind.QUEUE, "get", None, True),
        (NodeKind.QUEUE, "put", None, False),
        (NodeKind.FUTURE, None, ACQUIRE, False),
        (NodeKind.QUEUE, "get", ACQUIRE, True),
    ],
    ids=["a future", "its items", "room", "behind such a one", "behind one at rest"],
)
def test_of_a_bare_future_nothing_says_that_a_librarys_task_rests_in_it(
    kind: NodeKind, operation: str | None, behind: PythonFrame | None, idle: bool
) -> None:
    worker, awaited = task(2, ACQUIRE), lock("awaited", 7, kind)
    tasks, edges = (
        [worker],
        [Wait(worker.id, awaited.id, evidence("it awaits"), operation=operation)],
    )
    if behind:
        tasks.append(task(1, behind))
        edges.append(Wait(tasks[1].id, worker.id, evidence("it awaits")))
    made = replace(loop_with(*tasks), resources=(awaited,), waits=tuple(edges))
    assert ("idle" in told(made)) is idle


@pytest.mark.parametrize(
    ("watched", "known", "idle"),
    [(0, True, False), (1, True, True), (0, False, True)],
    ids=["nobody comes", "a connection may bring it", "not all were looked at"],
)
def test_who_takes_items_that_nobody_is_there_to_put_does_not_rest(
    watched: int, known: bool, idle: bool
) -> None:
    worker, items = task(2, ASYNC_GET, WORK), replace(lock("q", 7, NodeKind.QUEUE))
    items = replace(items, wakers_known=known)
    wait = Wait(worker.id, items.id, evidence("it awaits"), operation="get", call="Queue.get")
    made = replace(loop_with(worker), resources=(items,), waits=(wait,))
    (loop,) = made.event_loops
    loop = replace(loop, watched=watched, timers=1, signal_handlers=0)
    assert ("idle" in told(replace(made, event_loops=(loop,)))) is idle


def test_who_goes_on_by_the_clock_is_told_behind_who_does_not() -> None:
    ticks = replace(task(2, ASYNC_SLEEP, FETCH), awaits="sleep (0.2 s left)")
    stands = task(3, WORK)
    title = told(loop_with(ticks, stands))["quiet"].title
    assert stands.python_stack is not None
    assert f"({stands.python_stack[0].function})" in title


def test_the_task_that_the_program_began_with_is_told_behind_who_waits_if_it_only_sleeps() -> None:
    ticks = replace(task(1, ASYNC_SLEEP, FETCH), name=FIRST_TASK, awaits="sleep (0.2 s left)")
    made = loop_with(ticks, task(3, WORK))
    assert "(work)" in told(made)["quiet"].title
    takes = task(3, ASYNC_GET, WORK)
    jobs = waits(takes.id, QUEUE, text="Queue.get: it waits for an item")
    made = replace(loop_with(ticks, takes), resources=(QUEUE,), waits=(jobs,))
    assert "(fetch)" in told(made)["quiet"].title


def test_who_waits_for_a_librarys_own_task_is_told_before_who_rests() -> None:
    reads = task(2, python_frame("Process._read_stream", 181, f"{LIB}/asyncio/subprocess.py"))
    asks, day = task(3, FETCH), task(4, WORK)
    event = replace(lock("asyncio.Event at 0x5", 5, NodeKind.EVENT), name=None, unshared=True)
    made = replace(loop_with(day, reads, asks), resources=(event,))
    made = replace(made, waits=(waits(asks.id, reads.id), waits(day.id, event)))
    title = told(made)["quiet"].title
    assert "(fetch)" in title
    assert "; task _read_stream is suspended" in title


def test_the_sleep_of_what_was_given_to_asyncio_run_proves_no_rest() -> None:
    found = told(loop_with(task(1, ASYNC_SLEEP, WORK)))
    assert "idle" not in found
    assert "shop.py" in found["quiet"].title


@pytest.mark.parametrize(
    ("peers", "timers", "said"),
    [
        ((8,), 0, "Nothing else wakes it up: whoever is there has to answer, or to close it."),
        ((8, 8), 0, "whoever has the other end of one of them has to answer, or to close it."),
        ((8, 8), 1, "Who should end that is not known."),
        ((8, PID), 0, "Who should end that is not known."),
    ],
    ids=["one", "two", "a timer does", "its own end"],
)
def test_who_is_left_to_wake_a_loop(peers: tuple[int, ...], timers: int, said: str) -> None:
    made = loop_with(task(1, WORK))
    (main,) = made.threads()
    loop = replace(made.event_loops[0], timers=timers, watched=len(peers), signal_handlers=0)
    connections = tuple(
        Watched(main.id, "TCP connection to 10.0.0.1:80", None, (n,)) for n in peers
    )
    found = told(replace(made, watched=connections, event_loops=(loop,)))["quiet"]
    assert found.sentence.endswith(said)


ASKED = Traffic(40.0, 50.0, True)
SLEEPER = replace(
    one("server", 8, (WORK,), Syscall("clock_nanosleep", sleep=Sleep(20.0, 5.0))), pid=8, tid=8
)


@pytest.mark.parametrize(
    ("traffic", "others", "due"),
    [
        ((ASKED,), (), True),
        ((ASKED, ASKED), (), True),
        ((ASKED, replace(ASKED, sent_last=False)), (), False),
        ((replace(ASKED, accepted=True),), (), False),
        ((replace(ASKED, sent_s=0.5),), (), False),
        ((replace(ASKED, sent_last=None),), (), False),
        ((None,), (), False),
        ((ASKED,), (SLEEPER,), False),
        ((ASKED,), (replace(SLEEPER, syscall=Syscall("recvfrom")),), True),
    ],
    ids=[
        *("asked", "asked twice", "heard last", "a server's", "just now", "not known"),
        *("no TCP", "a slow peer", "a silent peer"),
    ],
)
def test_an_answer_that_is_due_is_more_than_a_note(
    traffic: tuple[Traffic | None, ...], others: tuple[Thread, ...], due: bool
) -> None:
    made = loop_with(replace(task(1, WORK), awaits="an asyncio.Future"))
    (main,) = made.threads()
    watched = tuple(
        Watched(main.id, f"TCP connection to 10.0.0.{n}:80", one, (8,))
        for n, one in enumerate(traffic)
    )
    loop = replace(made.event_loops[0], timers=0, watched=len(watched), signal_handlers=0)
    made = replace(made, watched=watched, event_loops=(loop,))
    if others:
        (server,) = capture(*others).processes
        made = replace(made, processes=(*made.processes, server))
    found = next(f for f in findings.run(made) if f.id == "quiet" and PID in f.processes)
    assert (found.severity is Severity.WARNING) is due
    assert told_of_wait(found).endswith(", silent for 40 s") is (due or bool(others))
    assert ("There, server " in found.sentence) is bool(others)


def test_the_connections_that_wake_the_loop_of_a_task_that_stands() -> None:
    made = loop_with(task(1, WORK))
    (main,) = made.threads()
    few = tuple(
        Watched(main.id, f"TCP connection to 10.0.0.{n}:80", Traffic(40.0, 50.0, n == 1), (n,))
        for n in (1, 2)
    )
    sentence = told(replace(made, watched=few))["quiet"].sentence
    assert (
        "Its event loop watches the TCP connection to 10.0.0.1:80 (open in process 1), silent for "
        "40 s, the TCP connection to 10.0.0.2:80 (open in process 2)."
    ) in sentence
    many = tuple(replace(few[0], name=f"TCP connection to 10.0.0.{n}:80") for n in range(9))
    assert "watches" not in told(replace(made, watched=many))["quiet"].sentence


def test_a_hanging_thread_is_never_hidden_behind_others() -> None:
    stack = (COND, FETCH, WORK, BOOTSTRAP)
    event = lock("ready", 3, NodeKind.EVENT)
    others = [one(f"w{number}", 101 + number, stack, Syscall("futex")) for number in range(9)]
    every = (SERVING, *others)
    made = of(
        *every, resources=(event,), waits=tuple(waits(t, event, expires=True) for t in others)
    )
    sentence = told(made)["quiet"].sentence
    assert all(f"w{number} waits" in sentence for number in range(9))
    assert sentence.index("w8 waits") < sentence.index("MainThread is serving")


def test_a_librarys_own_thread_that_runs_does_not_make_the_application_work() -> None:
    looks = []
    for number in range(3):
        main = one("MainThread", PID, (COND, FETCH, MAIN), Syscall("futex"))
        beat = one("beat", 101, (SELECT, replace(HANDLER, line=number), BOOTSTRAP), POLL)
        beat = replace(beat, still=False, runs=7 + number)
        looks.append(replace(of(main, beat), taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    assert "alive" not in told(with_progress(looks))


def test_a_loop_of_a_library_that_asks_again_and_again_is_no_work() -> None:
    looks = []
    for number in range(3):
        asks = PythonFrame("Process.run_async", f"{SITE}/aiomultiprocess/core.py", 140 + number)
        main = one("MainThread", PID, (asks,), POLL)
        main = replace(main, still=False, runs=7 + number, cpu_ns=number * 10**7)
        looks.append(replace(of(main), taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    seen = with_progress(looks)
    assert alive.check(seen, build(seen)) == []
    busier = replace(seen, progress=(replace(seen.progress[0], cpu_s=0.5),))
    assert len(alive.check(busier, build(busier))) == 1


def test_lines_that_changed_show_that_a_thread_gets_on() -> None:
    looks = []
    for number in range(3):
        at = replace(WORK, line=number, function=f"work_{number}")
        main = one("MainThread", PID, (at, MAIN), POLL)
        main = replace(main, still=False, runs=7 + number)
        looks.append(replace(of(main), taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = told(with_progress(looks))["alive"]
    assert found.title.endswith(
        "is working: 1 of 1 Python thread made progress while it was watched"
    )
    assert "shop.py:1 (work_1) 1x" in found.evidence[1]


@pytest.mark.parametrize(("cpu_ms", "works"), [(1, False), (100, True)])
def test_several_lines_of_one_function_are_no_progress_if_it_hardly_ran(
    cpu_ms: int, works: bool
) -> None:
    """A loop that looks for a file and sleeps is met at either."""
    looks = []
    for number in range(3):
        main = one("MainThread", PID, (replace(WORK, line=number), MAIN), POLL)
        main = replace(main, still=False, runs=7 + number, cpu_ns=number * cpu_ms * 10**6)
        looks.append(replace(of(main), taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = told(with_progress(looks))["alive"]
    assert ("runs: MainThread was inside of shop.py:2 (work) in each" in found.title) is works
    assert ("is awake" in found.title) is not works
    assert ("whether or not it ever comes" in found.sentence) is not works


@pytest.mark.parametrize("works", [True, False])
def test_who_is_awake_says_which_children_were_not_looked_at(*, works: bool) -> None:
    looks = []
    for number in range(3):
        at = replace(WORK, line=number, function=f"work_{number if works else 0}")
        main = one("MainThread", PID, (at, MAIN), POLL)
        made = of(replace(main, still=False, runs=7 + number))
        around = Surroundings(children=(Child(PID + 1, "engine", "S"),))
        made = replace(made, processes=(replace(made.processes[0], around=around),))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = told(with_progress(looks))["alive"]
    assert ("engine" in found.title) is not works
    assert f"its 1 child process {PID + 1} (engine) was not looked at" in found.unknown
    assert f"hangtui --children {PID}" in found.advice[0]


@pytest.mark.parametrize(
    "caller",
    [HANDLER, GUNICORN, python_frame("_worker", 92, f"{LIB}/concurrent/futures/thread.py")],
)
def test_who_sleeps_while_a_library_waits_for_the_result_is_at_work(caller: PythonFrame) -> None:
    handler = one("handler", 101, (WORK, caller, BOOTSTRAP), SLEEP, TIME_SLEEP)
    assert "idle" not in told(of(SERVING, handler))
    alone = one("beat", 101, (WORK, BOOTSTRAP), SLEEP, TIME_SLEEP)
    assert "idle" in told(of(SERVING, alone))


def test_a_librarys_thread_that_watches_over_a_child_is_at_rest() -> None:
    child = process(200)
    watch = python_frame("AsyncProcess._watch_process", 250, f"{SITE}/distributed/process.py")
    for stack, idle in (((watch, BOOTSTRAP), True), ((watch, WORK, BOOTSTRAP), False)):
        watcher = one("watch", 101, stack, Syscall("wait4"))
        made = of(SERVING, watcher, waits=(waits(watcher, child),))
        assert ("idle" in told(made)) is idle


@pytest.mark.parametrize(
    ("kind", "other", "severity"),
    [
        (NodeKind.SEMAPHORE, None, Severity.WARNING),
        (NodeKind.FUTURE, None, Severity.WARNING),
        (NodeKind.EVENT, None, Severity.NOTE),
        (NodeKind.SEMAPHORE, SLEEP, Severity.NOTE),
        (NodeKind.SEMAPHORE, Syscall("recvfrom"), Severity.NOTE),
    ],
    ids=["a unit", "a result", "an event", "beside one that sleeps", "beside one that receives"],
)
def test_it_is_a_warning_to_wait_long_for_what_nobody_is_about_to_deliver(
    kind: NodeKind, other: Syscall | None, severity: Severity
) -> None:
    owed = lock("slots", 7, kind)
    looks = []
    for number in range(3):
        main = one("MainThread", PID, (COND, FETCH, WORK, MAIN), Syscall("futex"))
        more = [one("other", 101, (WORK, BOOTSTRAP), other, TIME_SLEEP)] if other else []
        wait = waits(main, owed, expires=True)
        made = of(main, *more, resources=(owed,), waits=(wait,))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = told(with_progress(looks))["quiet"]
    assert found.severity is severity
    assert "has stood still for 2 s or more" in found.title


def test_who_ran_in_between_is_not_said_to_have_stood_still() -> None:
    looks = []
    for number in range(3):
        main = replace(one("MainThread", PID, (COND, FETCH, WORK, MAIN), POLL), runs=5 + number)
        looks.append(replace(of(main), taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = told(with_progress(looks))["quiet"]
    assert "was met below the same lines in every look" in found.title
    assert "by polling" in found.title


def test_a_process_that_was_looked_at_later_than_others_has_no_new_threads() -> None:
    looks = []
    for number in range(3):
        stack = (COND, FETCH, WORK, MAIN)
        processes = [replace(of(one("MainThread", PID, stack, POLL)).processes[0])]
        if number:
            late = one("MainThread", 200, stack, POLL)
            late = replace(late, pid=200, still=False, runs=7 + number)
            processes.append(replace(processes[0], pid=200, threads=(late,)))
        made = replace(of(SERVING), processes=tuple(processes))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    assert all(one.id != "alive" for one in findings.run(with_progress(looks)))


def test_who_starts_workers_is_not_called_idle_while_one_of_them_hangs() -> None:
    upstream = lock("TCP connection", 5, NodeKind.SOCKET)
    looks = []
    for number in range(3):
        worker = one("MainThread", PID, (RECV, REQUESTS, FETCH, GUNICORN), Syscall("recvfrom"))
        made = of(
            worker, resources=(upstream,), waits=(waits(worker, upstream, operation="receive"),)
        )
        (hung,) = made.processes
        arbiter = replace(SERVING, pid=200, tid=200)
        parent = replace(hung, pid=200, threads=(arbiter,))
        made = replace(made, processes=(parent, replace(hung, ppid=200)))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = findings.run(with_progress(looks))
    assert [(one.id, one.severity) for one in found] == [("waiting-for-peer", Severity.WARNING)]
    alone = replace(looks[-1], processes=looks[-1].processes[:1])
    assert "idle" in told(alone)


POOLED = python_frame("_WorkItem.run", 58, f"{LIB}/concurrent/futures/thread.py")


@pytest.mark.parametrize(
    "stack",
    [(RECV, REQUESTS, POOLED, BOOTSTRAP), (RECV, REQUESTS, BOOTSTRAP)],
    ids=["pool", "thread"],
)
def test_a_packages_function_that_waits_for_an_answer_is_not_at_rest(
    stack: tuple[PythonFrame, ...],
) -> None:
    peer = lock("TCP connection", 5, NodeKind.SOCKET)
    asks = one("asks", 101, stack, Syscall("recvfrom"))
    wait = waits(asks, peer, operation="receive", expires=True)
    assert "idle" not in told(of(SERVING, asks, resources=(peer,), waits=(wait,)))


@pytest.mark.parametrize(
    ("stack", "idle"), [((ASYNC_GET, ACQUIRE), False), ((ASYNC_GET, WORK), True)]
)
def test_who_awaits_a_packages_result_is_not_at_rest(
    stack: tuple[PythonFrame, ...], idle: bool
) -> None:
    gather, awaited = task(1, WORK), task(2, *stack)
    made = loop_with(gather, awaited)
    wait = replace(waits("x", "y"), waiter=gather.id, target=awaited.id)
    assert ("idle" in told(replace(made, waits=(wait,)))) is idle


def test_an_event_loop_with_timers_may_come_to_the_result() -> None:
    owed = lock("result", 7, NodeKind.FUTURE)
    looks = []
    for number in range(3):
        main = one("MainThread", PID, (COND, FETCH, WORK, MAIN), Syscall("futex"))
        runner = one("loop", 101, (SELECT, RUN_ONCE, BOOTSTRAP), POLL)
        loop = EventLoop(PID, 9, "loop", LoopState.IDLE, 101, timers=1, watched=0)
        made = of(main, runner, resources=(owed,), waits=(waits(main, owed),), loops=(loop,))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:0{number}+00:00"))
    found = findings.run(with_progress(looks))
    assert found
    assert {one.severity for one in found} == {Severity.NOTE}


def test_a_greenlet_that_a_server_has_called_for_a_request_does_not_rest() -> None:
    site = "/venv/lib/python3.12/site-packages/gevent"
    naps = python_frame("sleep", 159, f"{site}/hub.py")
    serves = python_frame("WSGIHandler.run_application", 1023, f"{site}/pywsgi.py")
    made = loop_with(replace(task(1, naps, WORK, serves), sleep=Sleep(30.0, 20.0)))
    (loop,) = made.event_loops
    found = told(replace(made, event_loops=(replace(loop, library="gevent"),)))

    assert "idle" not in found


@pytest.mark.parametrize("reloads", [True, False])
def test_who_looks_after_a_servers_code_rests(*, reloads: bool) -> None:
    site = "/venv/lib/python3.12/site-packages/django"
    stack = (
        python_frame("StatReloader.tick", 404, f"{site}/utils/autoreload.py"),
        *([python_frame("run_with_reloader", 670, f"{site}/utils/autoreload.py")] * reloads),
        python_frame("execute_from_command_line", 442, f"{site}/core/management/__init__.py"),
        MAIN,
    )
    assert hands_over(stack, len(stack) - 1) is reloads


def test_a_launcher_is_not_said_to_be_what_waits() -> None:
    site = "/venv/lib/python3.12/site-packages"
    stack = (
        python_frame("ServerThread.serve", 9, f"{site}/mkdocs/livereload.py"),
        python_frame("Command.invoke", 1300, f"{site}/click/core.py"),
    )
    assert serving_package(stack) == "mkdocs"
    assert serving_package(stack[1:]) is None


@pytest.mark.parametrize(("server", "idle"), [("uvicorn/protocols/http/h11_impl.py", False),
                                              ("uvicorn/lifespan/on.py", True)])  # fmt: skip
def test_a_loop_with_a_request_that_is_not_answered_is_not_idle(server: str, idle: bool) -> None:
    routes = python_frame("Router.app", 704, "/venv/lib/python3.12/site-packages/starlette/r.py")
    serves = python_frame("C.run_asgi", 422, f"/venv/lib/python3.12/site-packages/{server}")
    assert ("idle" in told(loop_with(task(1, routes, serves)))) is idle


@pytest.mark.parametrize(("share", "idle"), [(0.01, True), (0.4, False), (None, False)])
def test_a_loop_that_was_seen_awake_by_chance_rests(share: float | None, idle: bool) -> None:
    made = loop_with(task(1, ASYNC_SERVE, WORK))
    (bare,) = made.processes
    main = replace(bare.threads[0], state="R", still=False, busy=share, syscall=None)
    found = told(replace(made, processes=(replace(bare, threads=(main,)),)))
    assert ("idle" in found) is idle, found
    if idle:
        assert "asleep except for a moment of MainThread" in found["idle"].evidence[-1]


@pytest.mark.parametrize("starts", [MAIN, LAUNCHER], ids=["a script", "a tool"])
def test_a_server_that_waits_for_one_client_in_its_own_loop_is_not_at_rest(
    starts: PythonFrame,
) -> None:
    handshake = python_frame("SSLSocket.do_handshake", 1320, f"{LIB}/ssl.py")
    peer = lock("TCP connection", 5, NodeKind.SOCKET)
    main = one("MainThread", PID, (handshake, FOREVER, starts), Syscall("read"))
    wait = waits(main, peer, operation="receive")
    found = told(of(main, resources=(peer,), waits=(wait,)))
    assert "idle" not in found
    assert "waiting-for-peer" in found


@pytest.mark.parametrize(
    ("handled", "children", "told_so"),
    [
        (("SIGCHLD", "SIGINT"), (), True),
        (("SIGCHLD", "SIGTERM"), (), False),
        (("SIGCHLD",), (Child(77, "sleep", "S"),), False),
        (("SIGINT",), (), False),
    ],
)
def test_who_waits_for_the_end_of_a_child_without_a_child_is_not_idle(
    handled: tuple[str, ...], children: tuple[Child, ...], told_so: bool
) -> None:
    made = of(one("MainThread", PID, (MAIN,), Syscall("pause")))
    around = Surroundings(handles_signals=handled, children=children)
    found = told(replace(made, processes=(replace(made.processes[0], around=around),)))
    assert ("idle" in found) is not told_so
    if told_so:
        assert f"process {PID} has no child left whose end could send it" in found["quiet"].sentence


@pytest.mark.parametrize(
    ("below", "idle"),
    [
        ((), True),
        ((python_frame("run_shop", 21, "/srv/shop.py"),), True),
        ((python_frame("Shop.stop", 21, "/srv/shop.py"),), False),
        ((python_frame("stop", 21, f"{SITE}/tool/cli.py"),), True),
        (
            (
                python_frame("shop", 21, "/srv/shop.py"),
                python_frame("pytest_runtest_teardown", 9, f"{SITE}/_pytest/runner.py"),
            ),
            False,
        ),
    ],
    ids=["begins", "runs", "stops", "a package's", "test"],
)
def test_who_joins_a_server_to_end_it_does_not_rest(
    below: tuple[PythonFrame, ...], idle: bool
) -> None:
    join = python_frame("Thread.join", 1147, f"{LIB}/threading.py")
    main = one("MainThread", PID, (join, *below, MAIN))
    server = one("server", 2, (SELECT, FOREVER, BOOTSTRAP), POLL)
    joins = Wait(main.id, server.id, evidence("it joins"))
    assert ("idle" in told(of(main, server, waits=(joins,)))) is idle


@pytest.mark.parametrize(("operation", "idle"), [("read", True), ("write", False)])
def test_who_waits_for_room_in_a_full_pipe_is_not_idle(operation: str, *, idle: bool) -> None:
    launcher = "/venv/lib/python3.11/site-packages/lightning/launchers/multiprocessing.py"
    main = thread("MainThread", python=[python_frame("put", 377, launcher)])
    pipe = lock("the pipe to process 50", 5, NodeKind.PIPE)
    wait = replace(waits(main, pipe), operation=operation)
    made = capture(main, resources=[pipe], waits=[wait])
    assert any(one.id == "idle" for one in findings.run(made)) is idle


@pytest.mark.parametrize(("function", "idle"), [("Task.write", False), ("Task.handler_loop", True)])
def test_a_librarys_thread_that_waits_inside_of_a_write_is_not_at_rest(
    function: str, idle: bool
) -> None:
    below = PythonFrame("Channel.flush_some", f"{SITE}/waitress/channel.py", 415)
    outer = PythonFrame(function, f"{SITE}/waitress/task.py", 180)
    room = lock("Channel.outbuf_lock", 0x5, NodeKind.CONDITION)
    main = one("MainThread", PID, (MAIN,), Syscall("pause"))
    worker = one("waitress-1", 101, (COND, below, outer, BOOTSTRAP), Syscall("futex"))
    found = told(of(main, worker, resources=(room,), waits=(waits(worker, room),)))
    assert ("idle" in found) is idle, found


@pytest.mark.parametrize(
    ("inside", "takes_next", "idle"),
    [
        (("FTP.ntransfercmd", "FTP.retrlines"), False, False),
        (("Server.accepter", "Server.run"), True, True),
        (("SocketListener.accept", "Listener.accept"), False, True),
        (("FTP.ntransfercmd", "FTP.retrlines"), None, True),
    ],
    ids=["once", "in a loop", "as the application asks for it", "unread"],
)
def test_who_lets_a_library_be_connected_to_once_does_not_rest(
    inside: tuple[str, ...], takes_next: bool | None, idle: bool
) -> None:
    names = ("socket.accept", *inside)
    library = [python_frame(name, 9, f"{LIB}/library.py") for name in names]
    made = one("MainThread", PID, [*library, FETCH, MAIN], Syscall("accept4"))
    made = replace(made, takes_next=takes_next)
    port = replace(lock("the TCP port 127.0.0.1:21", 7, NodeKind.SOCKET), pid=0)
    wait = replace(waits(made, port), operation="accept")

    assert ("idle" in told(capture(made, resources=(port,), waits=(wait,)))) is idle


def test_who_ends_a_thread_that_was_left_to_a_library_to_serve_is_told_so() -> None:
    close = python_frame("Bakery.close", 41, "/srv/shop.py")
    join = python_frame("Thread.join", 1147, f"{LIB}/threading.py")
    serve = python_frame("HTTPServer.serve", 1907, f"{SITE}/cheroot/server.py")
    oven = one("oven", 101, (SELECT, serve, WORK, BOOTSTRAP), POLL)
    main = one("MainThread", PID, (join, close, MAIN), Syscall("futex"))
    made = of(main, oven, waits=(Wait(main.id, oven.id, evidence("it joins"), operation="end"),))

    found = told(made)["quiet"]

    assert "oven was left to cheroot to serve (HTTPServer.serve), and ends once" in found.sentence


def test_who_ends_a_thread_that_runs_a_package_alone_is_told_so() -> None:
    close = python_frame("Exchange.close", 41, "/srv/shop.py")
    join = python_frame("Thread.join", 1147, f"{LIB}/threading.py")
    run = python_frame("Manager.run", 277, f"{SITE}/ws4py/manager.py")
    manager = one("manager", 101, (SELECT, run, BOOTSTRAP), POLL)
    main = one("MainThread", PID, (join, close, MAIN), Syscall("futex"))
    made = of(main, manager, waits=(Wait(main.id, manager.id, evidence("it joins")),))

    found = told(made)["quiet"]

    assert " manager runs code of ws4py alone (Manager.run): it ends once" in found.sentence


def test_the_own_tasks_of_a_package_whose_code_would_end_a_wait_are_told() -> None:
    listens = python_frame("receive", 60, f"{SITE}/gql/transport.py")
    asks, hears = task(2, WORK), task(3, RECV, listens)
    put = "gql's ListenerQueue.put (listener_queue.py:49)"
    items = replace(lock("q", 7, NodeKind.FUTURE), wakers_known=True, enders=(put,))
    data = lock("the TCP connection to 127.0.0.1:80", 8, NodeKind.SOCKET)
    edges = (
        Wait(asks.id, items.id, evidence("it awaits")),
        Wait(hears.id, data.id, evidence("it awaits"), operation="receive"),
    )
    made = replace(loop_with(asks, hears), resources=(items, data), waits=edges)

    words = words_of(made, build(made))
    said, told_why = by_whom(asks.id, words), unheard(asks.id, words)

    assert said.startswith(f"; {put} would end that, and no stack is in it: task receive waits")
    assert "No thread and no task that is there is seen on the way to end that." in told_why
    assert "not known" not in told_why


@pytest.mark.parametrize("called", [True, False])
def test_a_task_that_a_server_waits_for_does_not_rest_by_awaiting_another(called: bool) -> None:
    """A package that awaits the application until it has begun, as a server does."""
    outer = (
        (WORK, python_frame("startup", 465, f"{SITE}/aiohttp/web_app.py")) if called else (WORK,)
    )
    begins = task(1, *outer)
    inner = task(2, python_frame("Event.wait", 213, f"{LIB}/asyncio/locks.py"), FETCH)
    made = loop_with(begins, inner)
    loops = (replace(made.event_loops[0], signal_handlers=2),)
    made = replace(made, event_loops=loops, waits=(waits(begins.id, inner.id),))
    assert ("idle" in told(made)) is not called
