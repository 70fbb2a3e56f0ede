"""What is said of a process in which nothing runs and nothing is known to be wrong."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.by_two_ways import by_two_ways
from hangtui.findings.entered_before import short_had, told_had
from hangtui.findings.rest import quiet
from hangtui.findings.rest.quiet_threads import told_callers
from hangtui.findings.words import words_of
from hangtui.model import (
    Child,
    Complement,
    CouldWake,
    EnteredTwice,
    EventLoop,
    GilState,
    Hold,
    Looking,
    LoopState,
    Nearness,
    NodeId,
    NodeKind,
    Progress,
    PythonFrame,
    PythonInfo,
    Resource,
    Severity,
    Sleep,
    Stay,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Wait,
    Watched,
)
from tests.unit.factories import (
    capture,
    evidence,
    holds,
    lock,
    python_frame,
    thread,
    told_of_wait,
    waits,
)

THREADING = "/usr/lib/python3.12/threading.py"
SELECTORS = "/usr/lib/python3.12/selectors.py"


def counted(*threads: Thread) -> list[Thread]:
    """The kernel has said how often they ran."""
    return [replace(one, runs=7) for one in threads]


def test_who_waits_for_whom_is_told_down_to_the_native_thread() -> None:
    main = thread("MainThread", 100, python=[python_frame("run", 9)])
    joiner = thread("joiner", 101, python=[python_frame("drain", 4)])
    native = replace(
        thread("worker", 102, syscall=Syscall("pause")), is_python=False, python_stack=()
    )
    made = capture(
        *counted(main, joiner, native), waits=[waits(main, joiner), waits(joiner, native)]
    )
    (finding,) = findings.run(made)

    assert (finding.id, finding.severity) == ("quiet", Severity.NOTE)
    assert told_of_wait(finding).endswith("MainThread waits at main.py:9 (run) for joiner to end")
    assert finding.sentence.endswith(
        "MainThread waits at main.py:9 (run) for joiner to end. In turn, joiner waits at main.py:4 "
        "(drain) for the native thread worker (TID 102) to end. In turn, the native thread worker "
        "(TID 102) waits in pause. Who should end that is not known."
    )
    assert "None of the 2 Python threads ran" in finding.sentence


def test_who_has_failed_and_waits_for_a_worker_comes_before_one_that_only_sleeps() -> None:
    hook = PythonFrame("_make_invoke_excepthook.<locals>.invoke_excepthook", THREADING, 1290)
    main = thread("MainThread", 100, python=[python_frame("season", 61)])
    meter = thread("meter", 101, syscall=Syscall("nanosleep"), python=[python_frame("measure", 13)])
    saw = thread("saw", 102, python=[python_frame("accident", 51), hook])
    inner = PythonFrame("Queue.get", "/usr/lib/python3.12/queue.py", 171)
    start = PythonFrame("Thread._bootstrap", THREADING, 1012)
    stacker = thread("stacker", 103, python=[inner, python_frame("run", 35), start])
    boards = replace(lock("boards (queue.Queue)", 0x3, NodeKind.QUEUE), wakers_known=True)
    made = capture(
        *counted(main, meter, saw, stacker),
        resources=[boards],
        waits=[
            waits(main, saw),
            waits(saw, stacker),
            waits(stacker, boards, text="Queue.get: it waits"),
        ],
    )
    (finding,) = (one for one in findings.run(made) if one.id == "quiet")

    assert finding.title.startswith("MainThread waits at main.py:61 (season) for saw to end")
    assert "In turn, saw waits at main.py:51 (accident) for stacker to end" in finding.sentence


def test_one_that_ran_is_not_quiet() -> None:
    main, other = thread("MainThread", 100), thread("other", 101, state="R", still=False)
    assert "quiet" not in {finding.id for finding in findings.run(capture(*counted(main, other)))}


def test_a_main_thread_that_another_finding_explains_is_not_told_again() -> None:
    main, other = thread("MainThread", 100), thread("other", 101)
    a, b = lock("a", 1), lock("b", 2)
    made = capture(
        *counted(main, other), resources=[a, b],
        waits=[waits(main, b), waits(other, a)], holds=[holds(a, main), holds(b, other)],
    )  # fmt: skip
    assert [finding.id for finding in findings.run(made)] == ["deadlock"]


def test_of_threads_that_nobody_counted_nothing_is_said() -> None:
    assert findings.run(capture(thread("MainThread", 100))) == ()


@pytest.mark.parametrize(
    ("gil", "alive"), [(None, True), (GilState.HOLDS, True), (GilState.WAITS, False)]
)
def test_who_ran_with_the_gil_works_and_who_only_asks_for_it_need_not(
    gil: GilState | None, alive: bool
) -> None:
    stack = [python_frame("serve", 7)]
    main = replace(thread("MainThread", 100, still=False, gil=gil, python=stack), runs=7)
    made = capture(main)
    python = replace(made.processes[0], python=PythonInfo("3.12.1"))
    found = findings.run(replace(made, processes=(python,)))
    assert ("alive" in {finding.id for finding in found}) == alive


@pytest.mark.parametrize(("state", "told"), [("S", True), ("T", True), ("Z", False)])
def test_children_that_were_not_looked_at_are_named(state: str, told: bool) -> None:
    """A master whose workers hang is idle itself."""
    main = thread("MainThread", 100, syscall=Syscall("nanosleep"), python=[python_frame("run", 9)])
    made = capture(*counted(replace(main, state="S")))
    child = Child(4323, "gunicorn", state)
    (process,) = made.processes
    around = Surroundings(children=(child,))
    (finding,) = findings.run(replace(made, processes=(replace(process, around=around),)))
    clause = "its 1 child process 4323 (gunicorn) was not looked at"
    assert (clause in finding.title) is told
    assert any("--children 100" in line for line in finding.advice) is told
    seen = replace(process, pid=4323, threads=(), python=None)
    both = replace(made, processes=(replace(process, around=around), seen))
    assert all(clause not in one.title for one in findings.run(both))


WATCH = python_frame("watch", 308, "/venv/lib/python3.12/site-packages/engine/executor.py")
TAKE = python_frame("take_quota", 12)


@pytest.mark.parametrize("resting", [True, False])
def test_who_waits_for_a_semaphore_is_warned_of_if_no_child_has_anything_to_do(
    resting: bool,
) -> None:
    """A watcher for the child's end, which a library runs, is nobody who would release it."""
    quota = lock("quota", 0xA, NodeKind.SEMAPHORE)
    pipe = lock("the pipe from process 200", 0xB, NodeKind.PIPE)
    main = thread("MainThread", 100, python=[TAKE])
    watcher = thread("monitor", 101, python=[WATCH], syscall=Syscall("poll"))
    naps = Syscall("select", timeout_ms=1000)
    loop = python_frame("run", 9, WATCH.filename)
    child = thread("MainThread", 200, 200, python=[loop], syscall=naps)
    busy = thread("MainThread", 200, 200, "R", still=False, python=[python_frame("work", 3)])
    made = capture(
        *counted(main, watcher, child if resting else busy),
        resources=[quota, pipe],
        waits=[waits(main, quota), waits(watcher, pipe)],
    )
    own, other = made.processes
    family = replace(made, processes=(own, replace(other, ppid=100)))
    seen = [Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in (main, watcher)]
    found = findings.run(replace(family, progress=tuple(seen)))
    assert found[0].severity is (Severity.WARNING if resting else Severity.NOTE)
    assert "take_quota" in found[0].title


@pytest.mark.parametrize(("ran", "told"), [(True, False), (False, True)])
def test_a_gil_that_was_handed_on_is_not_held(ran: bool, told: bool) -> None:
    """Whoever waits for a lock of the interpreter has let go of the GIL."""
    holder = thread("player", 101, gil=GilState.HOLDS, syscall=Syscall("futex"))
    asks = thread("answer", 102, gil=GilState.WAITS)
    other = thread("other", 103, still=not ran)
    done = lock("done", 0xA)
    made = capture(*counted(holder, asks, other), resources=[done], waits=[waits(holder, done)])
    assert ("gil-held-while-blocked" in {one.id for one in findings.run(made)}) is told


@pytest.mark.parametrize(
    ("returned", "wakes", "how", "why"),
    [
        (False, 9, "again and again", "it sleeps there again"),
        (True, 9, "again and again", "it came back there in between"),
        (False, 1, "again and again", "it sleeps there again"),
    ],
    ids=["sleeps often", "surely left", "sleeps once in each of many calls"],
)
def test_who_came_back_to_its_line_is_not_said_to_poll_below_it(
    returned: bool, wakes: int, how: str, why: str
) -> None:
    main = thread("MainThread", 100, still=False, python=[python_frame("run", 9)])
    made = capture(*counted(replace(main, syscall=Syscall("nanosleep"))))
    seen = Progress(main.id, 5, 2.0, 0.0, 0.0, same_line=True, same_stack=True, returned=returned)
    finding = findings.run(replace(made, progress=(replace(seen, wakes=wakes),)))[0]

    assert finding.id == "quiet"
    assert f"(run), {how}" in finding.sentence
    assert finding.evidence[0].endswith(why)


@pytest.mark.parametrize(("expires", "how"), [(False, "again and again"), (True, "by polling")])
def test_who_waits_without_a_timeout_was_let_go_on(expires: bool, how: str) -> None:
    feeder = thread("feeder", 100, still=False, python=[python_frame("fill", 9)])
    ready = lock("ready", 0xD, NodeKind.QUEUE)
    wait = waits(feeder, ready, operation="put", expires=expires)
    seen = Progress(feeder.id, 5, 2.0, 0.0, 0.0, same_line=True, same_stack=True, wakes=9)
    made = replace(capture(*counted(feeder), resources=[ready], waits=[wait]), progress=(seen,))
    (finding,) = (one for one in findings.run(made) if one.id == "quiet")

    assert f", {how}" in finding.sentence
    why = "it waits by polling" if expires else "it waits there again"
    assert any(one.endswith(why) for one in finding.evidence)


@pytest.mark.parametrize(("ago_s", "told"), [(0.3, True), (40.0, False)])
def test_who_took_data_meanwhile_is_not_said_to_stand(ago_s: float, told: bool) -> None:
    traffic = Traffic(sent_s=50.0, received_s=ago_s, sent_last=False)
    peer = lock("TCP connection to 10.0.0.1:80", 0xC, NodeKind.SOCKET)
    peer = replace(peer, traffic=traffic)
    main = thread("MainThread", 100, still=False, python=[python_frame("read", 9)])
    wait = waits(main, peer, operation="receive", expires=True)
    seen = Progress(main.id, 5, 2.0, 0.0, 0.0, same_line=True, same_stack=True)
    made = replace(capture(*counted(main), resources=[peer], waits=[wait]), progress=(seen,))
    (finding,) = (one for one in findings.run(made) if one.id == "quiet")

    moved = "but data came over the TCP connection to 10.0.0.1:80" in finding.sentence
    assert moved is told
    assert ("No Python thread was seen to make progress" in finding.sentence) is not told


def test_the_clock_ends_what_a_task_sleeps() -> None:
    main = replace(thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)]), runs=7)
    task = Task(100, 0x70, "main", "main", TaskState.WAITING, 0x60, 100,
                (python_frame("poll", 4),), "sleep (4.0 s left)")  # fmt: skip
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 0, 0)
    made = replace(capture(main), tasks=(task,), event_loops=(loop,))
    sentences = [one.sentence for one in findings.run(made) if one.id == "quiet"]

    assert all("Who should end that is not known" not in text for text in sentences)
    assert any("sleeps at main.py:4 (poll) (4.0 s left)" in text for text in sentences)


def test_run_sync_of_tornado_is_told_by_the_line_that_called_it() -> None:
    """What it runs need not be a task; with any other function a loop without one says so."""
    start = python_frame("BaseAsyncIOLoop.start", 203, "/site-packages/tornado/platform/asyncio.py")
    runs = python_frame("IOLoop.run_sync", 534, "/site-packages/tornado/ioloop.py")
    for frames, says in (((start, runs), True), ((start,), False)):
        stack = [python_frame("select", 9, SELECTORS), *frames, python_frame("main", 4)]
        (main,) = counted(thread("MainThread", 100, python=stack))
        loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 0, 0, 0)
        made = replace(capture(main), event_loops=(loop,))
        (finding,) = (one for one in findings.run(made) if one.id == "quiet")

        told = "MainThread waits in run_sync() at main.py:4 (main) for what that runs to end"
        assert (told in finding.sentence) is says
        assert ("has no task" in finding.sentence) is not says


def test_the_connections_of_native_threads_are_told_where_the_loop_has_none() -> None:
    main = replace(thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)]), runs=7)
    poller = replace(thread("event_engine", 101), is_python=False, python_stack=(), runs=7)
    task = Task(100, 0x70, "main", "main", TaskState.WAITING, 0x60, 100,
                (python_frame("call", 4),), "an answer")  # fmt: skip
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 0, 0)
    made = replace(capture(main, poller), tasks=(task,), event_loops=(loop,))
    made = replace(made, watched=(Watched(poller.id, "TCP connection to 10.0.0.1:80"),))
    (finding,) = (one for one in findings.run(made) if one.id == "quiet")

    assert "Native threads of the process watch the TCP connection to 10.0.0.1:80." in (
        finding.sentence
    )


@pytest.mark.parametrize(("operation", "told"), [("put", True), ("get", False)])
def test_a_librarys_task_that_has_what_nobody_takes_is_told(operation: str, told: bool) -> None:
    reads = python_frame("stdout_reader", 162, "/srv/site-packages/mcp/client/stdio.py")
    main = replace(thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)]), runs=7)
    ask, reader = (
        Task(100, 0x70 + n, name, name, TaskState.WAITING, 0x60, 100, (frame,), "a stream")
        for n, (name, frame) in enumerate({"ask": python_frame("ask", 11), "reader": reads}.items())
    )
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 1, 0)
    full, answer = lock("full", 0x80, NodeKind.QUEUE), lock("answer", 0x81, NodeKind.QUEUE)
    edges = [
        Wait(reader.id, full.id, evidence("", where="stdio.py:162"), operation=operation),
        Wait(ask.id, answer.id, evidence("", where="/app/main.py:11"), operation="join"),
    ]
    made = capture(main, resources=[full, answer], waits=edges)
    made = replace(made, tasks=(ask, reader), event_loops=(loop,))
    (finding,) = (one for one in findings.run(made) if one.id == "quiet")

    assert told_of_wait(finding).endswith("for all items of answer to be done (join)")
    assert ("task reader" in finding.sentence) is told
    assert ("for room in full" in finding.sentence) is told


@pytest.mark.parametrize("serves", [False, True])
def test_that_a_library_ends_what_it_runs_is_told(*, serves: bool) -> None:
    poll = replace(
        python_frame("Server._wait_tasks_to_complete", 319, "/site-packages/uvicorn/server.py"),
        package="uvicorn 0.54.0",
    )
    main = replace(thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)]), runs=7)
    tasks = tuple(
        Task(100, 0x70 + n, name, name, TaskState.WAITING, 0x60, 100, stack, "a future")
        for n, (name, stack) in enumerate(
            {
                "stream": (python_frame("events", 17),),
                "serve": (
                    *(poll, replace(poll, function="Server.shutdown", line=297)),
                    *([replace(poll, function="Server.serve_forever")] if serves else []),
                ),
            }.items()
        )
    )
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 1, 0)
    made = replace(capture(main), tasks=tasks, event_loops=(loop,))
    (finding,) = (one for one in findings.run(made) if one.id == "quiet")

    ends = ", while task serve is in Server.shutdown of uvicorn" if not serves else ""
    waits = "task stream awaits a future at main.py:17 (events)"
    assert finding.title == f"{waits}; process 100 stands still{ends}"


@pytest.mark.parametrize(
    ("there", "size", "says"),
    [
        (
            2, 3,
            "for the last of the 3 parties of meet. 2 of the 3 parties of meet wait there, and",
        ),
        (1, 3, "for 2 more of the 3 parties of meet. 1 of the 3 parties of meet waits there, and"),
        (None, None, "waits at main.py:9 (run) for meet; poll waits at main.py:4 (poll). Who"),
    ],
)  # fmt: skip
def test_how_many_are_missing_at_a_barrier(there: int | None, size: int | None, says: str) -> None:
    main = thread("MainThread", 100, python=[python_frame("run", 9)])
    meet = lock("meet (threading.Barrier)", 0x8, NodeKind.BARRIER)
    meet = replace(meet, waiting=there, size=size, wakers_known=True)
    ticker = replace(thread("poll", 101, python=[python_frame("poll", 4)]), runs=7)
    made = capture(*counted(main), ticker, resources=[meet], waits=[waits(main, meet)])
    found = next(one for one in findings.run(made) if one.id == "quiet")

    assert says in found.sentence


@pytest.mark.parametrize("awaits", ["sleep (0.0 s left)", "sleep"])
@pytest.mark.parametrize(("ran", "said"), [(True, "sleeps again and again"), (False, "sleeps at")])
def test_a_task_that_sleeps_for_a_moment_in_each_look_comes_back(
    ran: bool, said: str, awaits: str
) -> None:
    """Also if its timer is over: then it is known for how long it was to sleep."""
    poll = Syscall("epoll_wait", timed=True)
    main = thread("MainThread", 100, python=[python_frame("select", 5, SELECTORS)], syscall=poll)
    task = Task(100, 0x70, "main", "render_all", TaskState.WAITING, 0x60, 100,
                (python_frame("render_all", 14),), awaits, sleep=Sleep(0.1, None))  # fmt: skip
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, timers=1, watched=1)
    seen = Progress(main.id, 5, 2.0, 0.0 if ran else 2.0, 0.0, same_stack=True, same_line=True)
    made = replace(capture(*counted(main)), tasks=(task,), event_loops=(loop,), progress=(seen,))
    told = next(one for one in findings.run(made) if one.id == "quiet")
    assert f"task render_all (main) {said}" in told.sentence


def test_who_has_entered_what_a_task_tries_to_enter_is_told() -> None:
    poll = Syscall("epoll_wait", timed=True)
    main = thread("MainThread", 100, python=[python_frame("select", 5, SELECTORS)], syscall=poll)
    keeper = thread("keeper", 101, python=[python_frame("keep", 30)])
    done = lock("done", 0x9, NodeKind.EVENT)
    task = Task(100, 0x70, "main", "refill", TaskState.WAITING, 0x60, 100,
                (python_frame("refill", 19),), "sleep", sleep=Sleep(0.1, None))  # fmt: skip
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, timers=1, watched=1)
    had = EnteredTwice(task.id, "Lock", "main.py:29 (keep)", same=True, by=keeper.id)
    base = capture(*counted(main, keeper), resources=[done], waits=[waits(keeper, done)])
    made = replace(base, tasks=(task,), event_loops=(loop,))
    made = replace(made, entered_twice=(had,))
    words = words_of(made, build(made))

    said = short_had([task], words)
    assert said == (
        "; keeper has entered that very Lock at main.py:29 (keep), and waits at main.py:30 (keep) "
        "for done"
    )
    assert "and gives it back only after its own wait: keeper waits" in told_had([task], words)


@pytest.mark.parametrize("entered", [True, False])
def test_a_task_that_tries_to_enter_what_it_has_entered_is_a_warning(entered: bool) -> None:
    poll = Syscall("epoll_wait", timed=True)
    main = thread("MainThread", 100, python=[python_frame("select", 5, SELECTORS)], syscall=poll)
    task = Task(100, 0x70, "main", "refill", TaskState.WAITING, 0x60, 100,
                (python_frame("refill", 19),), "sleep", sleep=Sleep(0.1, None))  # fmt: skip
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, timers=1, watched=1)
    seen = Progress(main.id, 5, 2.0, 0.0, 0.0, same_stack=True, same_line=True)
    twice = (EnteredTwice(task.id, "Lock", "main.py:12 (take)"),) if entered else ()
    made = replace(capture(*counted(main)), tasks=(task,), event_loops=(loop,), progress=(seen,))
    told = next(
        one for one in findings.run(replace(made, entered_twice=twice)) if one.id == "quiet"
    )

    assert told.severity is (Severity.WARNING if entered else Severity.NOTE)
    assert ("inside of a Lock of the same name that it has entered itself" in told.title) is entered
    assert ("goes by the same name itself, at main.py:12 (take)" in told.sentence) is entered


@pytest.mark.parametrize(
    ("signals", "handled", "who", "taken"),
    [
        (("SIGUSR1",), ("SIGUSR1",), True, True),
        (("SIGUSR1",), ("SIGTERM",), True, False),
        ((), ("SIGUSR1",), False, False),
    ],
)
def test_who_may_take_a_signal_that_a_thread_waits_for_is_told(
    signals: tuple[str, ...], handled: tuple[str, ...], who: bool, taken: bool
) -> None:
    main = thread("MainThread", 100, python=[python_frame("run", 23)])
    call = Syscall("rt_sigtimedwait", signals=signals)
    reload = thread("reload", 101, python=[python_frame("reload_loop", 13)], syscall=call)
    made = capture(*counted(main, reload), waits=[waits(main, reload)])
    (process,) = made.processes
    process = replace(process, around=Surroundings(handles_signals=handled))
    said = " ".join(one.sentence for one in findings.run(replace(made, processes=(process,))))

    assert ("Somebody has to send SIGUSR1 to process 100." in said) is who
    assert ("The program has a handler for SIGUSR1, too" in said) is taken


def test_callers_are_told_of_those_who_wait_in_one_function() -> None:
    def in_call(line: int, caller: str) -> list[PythonFrame]:
        return [python_frame("call", line), python_frame(caller, 20)]

    main = thread("MainThread", 100, python=in_call(5, "sell"))
    other = thread("other", 101, python=in_call(6, "close"))
    made = capture(main, other)
    words = words_of(made, build(made))

    told = " To call came MainThread from main.py:20 (sell); other from main.py:20 (close)."
    assert by_two_ways([main, other], words) == told
    assert by_two_ways([main, replace(main, tid=102)], words) == ""
    assert by_two_ways([main, thread("third", 103, python=[python_frame("rest", 3)])], words) == ""


@pytest.mark.parametrize("held", [True, False])
def test_a_task_does_not_rest_at_a_lock_that_another_one_has(held: bool) -> None:
    loop = 0x1000
    first = Task(100, 0x10, "first", "call", TaskState.WAITING, loop, 100, (python_frame("call"),))
    other = replace(first, address=0x20, name="other", awaits="an answer")
    turn = lock("turn (asyncio.Lock)", 0xA)
    main = thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)])
    runs = EventLoop(100, loop, "loop", LoopState.IDLE, 100, None, 0, 1, 0)
    taken = [Hold(turn.id, other.id, evidence("it is inside of it"))] if held else []
    made = capture(*counted(main), resources=[turn], waits=[waits(first.id, turn)], holds=taken)
    made = replace(made, tasks=(first, other), event_loops=(runs,))

    (found,) = (one for one in findings.run(made) if one.id == "quiet")
    assert found.owed is held


@pytest.mark.parametrize(("stayed_s", "warned"), [(2.0, True), (0.0, False)])
def test_who_kept_the_pipe_of_a_child_that_has_ended_is_told(stayed_s: float, warned: bool) -> None:
    stack, awaits = (python_frame("develop"),), "the end of the stdout pipe of process 7"
    work = Task(100, 0x10, "work", "work", TaskState.WAITING, 0x1000, 100, stack, awaits=awaits)
    node = NodeId.of(NodeKind.PIPE, 100, "0x5/read")
    pipe = Resource(node, NodeKind.PIPE, "", 100, 5, name="the stdout pipe of process 9")
    main = thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)])
    keeps = thread("MainThread", 9, pid=9, python=[python_frame("rest")])
    runs = EventLoop(100, 0x1000, "loop", LoopState.IDLE, 100, None, 1, 1, 0)
    wait = waits(work.id, pipe, operation="end")
    made = capture(
        *counted(main, keeps), resources=[pipe], waits=[wait], holds=[holds(pipe, keeps)]
    )
    stays = (Stay(work.id, stayed_s),) if stayed_s else ()
    made = replace(made, tasks=(work,), event_loops=(runs,), stays=stays)

    (found,) = (one for one in findings.run(made) if one.id == "quiet" and work.id in one.tasks)
    assert (found.severity is Severity.WARNING) is warned
    assert "for the end of the stdout pipe" in found.title
    assert "process 9 has got the pipe from there and keeps it open" in found.sentence


def test_who_waits_for_a_librarys_thread_that_ran_is_told_by_one_look() -> None:
    main = replace(thread("MainThread", 100, python=[python_frame("close", 9)]), still=True)
    polls = [python_frame("poll", 4, "/opt/x/site-packages/lib.py")]
    manager = thread("manager", 101, still=False, python=polls)
    made = capture(*counted(main, manager), waits=[waits(main, manager)])
    python = replace(made.processes[0], python=PythonInfo("3.12.1"))
    (finding,) = findings.run(replace(made, processes=(python,)))

    assert finding.id == "alive"
    assert finding.title.endswith("; MainThread waits at main.py:9 (close) for manager to end")
    assert finding.where is not None
    assert finding.where.line == 9


@pytest.mark.parametrize(("used", "told"), [(0.0, False), (0.1, False), (0.5, True)])
def test_who_got_no_processor_is_not_said_to_be_busy(used: float, told: bool) -> None:
    stack = [python_frame("announce", 7)]
    main = replace(thread("MainThread", 100, state="R", python=stack), busy=used, runnable=0.9)
    finding = next(one for one in findings.run(capture(main)) if one.id == "working")
    assert ("it is in no wait" in finding.sentence) == told
    assert ("got no processor while" in finding.title) == (used == 0.0)


@pytest.mark.parametrize("sleep", [None, Sleep(0.5, 0.3)])
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside a library's thread"])
def test_of_a_loop_that_ticks_the_task_that_waits_is_told(
    sleep: Sleep | None, *, beside: bool
) -> None:
    site = "/opt/x/site-packages/run.py"
    main = thread("MainThread", 100, python=[python_frame("run", 9, site if beside else "main.py")])
    ticks = thread("ticks", 101, python=[python_frame("serve", 4, site)])
    main, ticks = (replace(one, still=False, runs=7) for one in (main, ticks))
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 0, 0)
    task = Task(100, 0x70, "reader", "read_up", TaskState.WAITING, 0x60, 100,
                python_stack=(python_frame("read_up", 30),), sleep=sleep)  # fmt: skip
    made = replace(capture(main, *((ticks,) if beside else ())), tasks=(task,), event_loops=(loop,))
    python = replace(made.processes[0], python=PythonInfo("3.12.1"))
    (finding,) = findings.run(replace(made, processes=(python,)))
    assert finding.id == "alive"
    assert ("main.py:30 (read_up)" in finding.title) == (sleep is None)


def test_beside_a_thread_of_the_program_that_ticks_the_task_that_waits_is_told() -> None:
    main = thread("MainThread", 100, python=[python_frame("main", 40)])
    beat = thread("heartbeat", 101, python=[python_frame("beat", 16)])
    main, beat = replace(main, still=True, runs=7), replace(beat, still=False, runs=7)
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 0, 0)
    task = Task(100, 0x70, "visitor", "visitor", TaskState.WAITING, 0x60, 100,
                python_stack=(python_frame("page", 30),))  # fmt: skip
    made = replace(capture(main, beat), tasks=(task,), event_loops=(loop,))
    python = replace(made.processes[0], python=PythonInfo("3.12.1"))
    (finding,) = (f for f in findings.run(replace(made, processes=(python,))) if f.id == "alive")

    assert "1 of 2 Python threads ran" in finding.title
    assert "task visitor is suspended at main.py:30 (page)" in finding.title


@pytest.mark.parametrize("tasks", [1, 2])
def test_the_only_task_of_a_loop_that_a_library_runs_is_told(tasks: int) -> None:
    library = "/opt/x/site-packages/netlib/core.py"
    stack = [python_frame("run_forever", 638, SELECTORS), python_frame("Netlink.get", 8, library)]
    main = thread("MainThread", 100, python=[*stack, python_frame("next_links", 20)])
    inside = (python_frame("Queue.get", 121, library),)
    found = tuple(
        Task(100, 0x70 + n, f"Task-{n + 9}", "collect", TaskState.WAITING, 0x60, 100, inside)
        for n in range(tasks)
    )
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 0, 1, 0)
    made = replace(capture(*counted(main)), tasks=found, event_loops=(loop,))
    (finding,) = findings.run(made)
    assert finding.id == "quiet"
    assert "MainThread waits at main.py:20 (next_links), in netlib" in finding.title
    assert ("; there task collect is suspended at core.py:121" in finding.title) == (tasks == 1)


@pytest.mark.parametrize("by", [None, "listener"])
def test_beside_one_that_waits_in_a_library_another_one_is_told(by: str | None) -> None:
    """Unless that one comes to end its wait: then it is told there who waits behind it."""
    event = Resource(
        NodeId.of(NodeKind.EVENT, 100, "0x5"), NodeKind.EVENT, "", 100, 5, name="Rates.loaded"
    )
    asker = thread("asker", 101, python=[python_frame("get", 9)])
    takes = (
        python_frame("read", 4, "/opt/x/site-packages/redis/connection.py"),
        python_frame("respond", 3),
    )
    link = Resource(NodeId.of(NodeKind.SOCKET, 100, "0x6"), NodeKind.SOCKET, "", 100, 6, name="it")
    listener = thread("listener", 100, python=takes, syscall=Syscall("recvfrom"))
    made = capture(
        *counted(listener, asker),
        resources=[event, link],
        waits=[waits(asker, event), replace(waits(listener, link), operation="receive")],
    )
    comes = CouldWake(
        event.id, listener.id, Complement.SET, Nearness.AHEAD, evidence("it comes to that")
    )
    made = replace(made, could_wake=(comes,) if by else ())
    titles = [one.title for one in quiet.check(made, build(made))]

    assert bool(titles) is (by is None)
    assert all("asker waits at main.py:9 (get) for Rates.loaded" in one for one in titles)


@pytest.mark.parametrize(("name", "told"), [("SIGUSR2", True), ("SIGTERM", False)])
def test_beside_one_that_waits_in_a_library_who_waits_for_a_signal_is_told(
    name: str, told: bool
) -> None:
    """Not for one that somebody sends to have the program end."""
    main = thread(
        "MainThread", 100, python=[python_frame("notes", 9)],
        syscall=Syscall("rt_sigtimedwait", signals=(name,)),
    )  # fmt: skip
    takes = (
        python_frame("read", 4, "/opt/x/site-packages/redis/connection.py"),
        python_frame("respond", 3),
    )
    link = Resource(NodeId.of(NodeKind.SOCKET, 100, "0x6"), NodeKind.SOCKET, "", 100, 6, name="it")
    listener = thread("listener", 101, python=takes, syscall=Syscall("recvfrom"))
    made = capture(
        *counted(main, listener),
        resources=[link],
        waits=[replace(waits(listener, link), operation="receive")],
    )
    titles = [one.title for one in quiet.check(made, build(made))]

    assert bool(titles) is told
    assert all("MainThread waits at main.py:9 (notes) for SIGUSR2" in one for one in titles)


@pytest.mark.parametrize("by", [None, "listener"])
def test_beside_one_that_waits_in_a_library_a_task_that_waits_is_told(by: str | None) -> None:
    """Unless that one comes to end its wait."""
    event = Resource(
        NodeId.of(NodeKind.EVENT, 100, "0x5"), NodeKind.EVENT, "", 100, 5, name="filled"
    )
    loops = thread("MainThread", 100, python=[python_frame("main", 40)])
    takes = (
        python_frame("read", 4, "/opt/x/site-packages/redis/connection.py"),
        python_frame("respond", 3),
    )
    link = Resource(NodeId.of(NodeKind.SOCKET, 100, "0x6"), NodeKind.SOCKET, "", 100, 6, name="it")
    listener = thread("listener", 101, python=takes, syscall=Syscall("recvfrom"))
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 1, 0, 0)
    task = Task(100, 0x70, "strategy", "strategy", TaskState.WAITING, 0x60, 100,
                python_stack=(python_frame("strategy", 51),))  # fmt: skip
    made = capture(
        *counted(loops, listener),
        resources=[event, link],
        waits=[
            Wait(task.id, event.id, evidence()),
            replace(waits(listener, link), operation="receive"),
        ],
    )
    comes = CouldWake(
        event.id, listener.id, Complement.SET, Nearness.AHEAD, evidence("it comes to that")
    )
    made = replace(made, tasks=(task,), event_loops=(loop,), could_wake=(comes,) if by else ())
    titles = [one.title for one in quiet.check(made, build(made))]

    assert bool(titles) is (by is None)
    assert all("task strategy waits at main.py:51 (strategy) for filled" in one for one in titles)


def test_of_who_waits_for_one_that_looks_now_and_then_it_is_told_what_that_waits_for() -> None:
    main = thread("MainThread", 100, python=[python_frame("spend", 19)])
    lamps = thread("lamps", 101, python=[python_frame("tend", 15)])
    dawn = lock("Evening.dawn", 1, NodeKind.EVENT)
    made = capture(
        *counted(main, lamps),
        resources=[dawn],
        waits=[waits(main, lamps), waits(lamps, dawn, expires=True)],
    )
    (finding,) = findings.run(made)

    assert finding.id == "quiet"
    assert "In turn, lamps waits at main.py:15 (tend) for Evening.dawn." in finding.sentence


@pytest.mark.parametrize(
    ("endless", "others", "vain"),
    [(True, (), True), (False, (), True), (False, ("c",), False)],
)
def test_who_waits_for_one_that_only_itself_would_have_end_waits_in_vain(
    *, endless: bool, others: tuple[str, ...], vain: bool
) -> None:
    dawn = replace(lock("Evening.dawn", 1, NodeKind.EVENT), wakers_known=True)
    looks = []
    for second in range(5):
        main = thread("MainThread", 100, python=[python_frame("spend", 19)])
        lamps = thread("lamps", 101, python=[python_frame("tend", 15)])
        made = capture(
            replace(main, runs=7),
            replace(lamps, runs=7 + second),
            *(replace(thread(name, 102), runs=7, python_stack=()) for name in others),
            resources=[dawn],
            waits=[waits(main, lamps), waits(lamps, dawn, expires=True)],
        )
        could = CouldWake(dawn.id, main.id, Complement.SET, Nearness.AHEAD, evidence("set()"))
        look = Looking(lamps.id, endless=endless, alters=False)
        made = replace(made, could_wake=(could,), looking=(look,))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    (finding,) = findings.run(with_progress(looks))

    told = "which looks at Evening.dawn again and again, and only MainThread comes to end that"
    assert (told in finding.title) is vain
    assert finding.severity is (Severity.WARNING if vain else Severity.NOTE)


@pytest.mark.parametrize(("enders", "bad"), [((), True), (("drain (a.py:3)",), False)])
def test_room_in_a_queue_that_no_code_makes_is_waited_for_in_vain(
    enders: tuple[str, ...], *, bad: bool
) -> None:
    node = NodeId.of(NodeKind.QUEUE, 100, "0x5")
    lines = Resource(node, NodeKind.QUEUE, "", 100, 5, name="lines", wakers_known=True)
    lines = replace(lines, enders=enders)
    loop = thread("MainThread", 100, python=[python_frame("select", 9, SELECTORS)])
    log = Task(100, 0x10, "log", "log", TaskState.WAITING, 0x1000, 100, (python_frame("log", 7),))
    runs = EventLoop(100, 0x1000, "loop", LoopState.IDLE, 100, None, 1, 1, 0)
    wait = replace(waits(log.id, lines), operation="put")
    made = capture(*counted(loop), resources=[lines], waits=[wait])
    made = replace(made, tasks=(log,), event_loops=(runs,), stays=(Stay(log.id, 2.0),))

    (found,) = (one for one in findings.run(made) if one.id == "quiet")
    assert (found.severity is Severity.WARNING) is bad
    assert ("nobody takes from it, and no code is known that would" in found.title) is bad


def awaits_result(setter: PythonFrame, *signals: str) -> Severity:
    """What is said where a result is waited for, and only a thread in *setter* comes to set it."""
    made = Resource(
        NodeId.of(NodeKind.FUTURE, 100, "0x5"), NodeKind.FUTURE, "", 100, 5, name="ticket",
        wakers_known=True, signals=signals,
    )  # fmt: skip
    finished = lock("Timer.finished", 6, NodeKind.EVENT)
    main = thread("MainThread", 100, python=[python_frame("wait", 31)])
    wait = python_frame("Condition.wait", 363, THREADING)
    later = thread("Thread-1", 101, python=[wait, python_frame("wait", 6, THREADING), setter])
    could = CouldWake(made.id, later.id, Complement.SET_RESULT, Nearness.AHEAD, evidence("set"))
    taken = capture(
        *counted(main, later),
        resources=[made, finished],
        waits=[waits(main, made), waits(later, finished, expires=True)],
    )
    stood = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in (main, later))
    seen = replace(taken, could_wake=() if signals else (could,), progress=stood)
    (first,) = quiet.check(seen, build(seen))
    assert ("the handler of SIGUSR1 would end that" in first.title) is bool(signals)
    return first.severity


def test_a_timer_or_a_signal_that_is_to_come_ends_a_wait() -> None:
    run = python_frame("Timer.run", 1431, THREADING)

    assert awaits_result(python_frame("answer", 9)) is Severity.WARNING
    assert awaits_result(run) is Severity.NOTE
    assert awaits_result(python_frame("answer", 9), "SIGUSR1") is Severity.NOTE


@pytest.mark.parametrize(("enders", "bad"), [((), True), (("book (a.py:3)",), False)])
def test_who_waits_behind_one_that_waits_for_room_that_nobody_makes_waits_in_vain(
    enders: tuple[str, ...], *, bad: bool
) -> None:
    nodes = [NodeId.of(NodeKind.QUEUE, 100, f"0x{n}") for n in (5, 6)]
    orders, booked = (
        Resource(node, NodeKind.QUEUE, "", 100, n, name=name, wakers_known=True)
        for n, (node, name) in enumerate(zip(nodes, ("orders", "booked"), strict=True))
    )
    booked = replace(booked, enders=enders)
    source = thread("source", 100, python=[python_frame("fill", 4)])
    check = thread("check", 101, python=[python_frame("check", 9)])
    takes = CouldWake(orders.id, check.id, Complement.GET, Nearness.AHEAD, evidence("get()"))
    made = capture(
        *counted(source, check),
        resources=[orders, booked],
        waits=[
            replace(waits(source, orders), operation="put"),
            replace(waits(check, booked), operation="put"),
        ],
    )
    stood = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in (source, check))
    made = replace(made, could_wake=(takes,), progress=stood)

    (found,) = quiet.check(made, build(made))
    assert (found.severity is Severity.WARNING) is bad
    assert ("; nobody takes from booked" in found.title) is bad


def test_what_the_line_of_who_waits_has_called_in_the_standard_library_is_told() -> None:
    gate = thread(
        "gate",
        101,
        python=[
            python_frame("_recv", 395, "/usr/lib/python3.12/multiprocessing/connection.py"),
            python_frame("accept", 481, "/usr/lib/python3.12/multiprocessing/connection.py"),
            python_frame("Gate.admit", 21),
            python_frame("Gate.run", 30),
        ],
    )
    link = lock("the TCP connection to 127.0.0.1:40094", 0x9, NodeKind.SOCKET)
    made = capture(gate, resources=[link], waits=[waits(gate, link)])

    assert told_callers(gate.id, words_of(made, build(made))) == (
        " Gate.admit was called from main.py:30 (Gate.run). Gate.admit has called accept "
        "(connection.py:481)."
    )
