"""What is said of the application's line from which an installed package waits."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.arrivals import arrivals
from hangtui.analysis.places import application_index, package_of, program_frame
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.enders import only
from hangtui.findings.outside import waiting_in_library
from hangtui.findings.package_queries import library_entry
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Complement,
    CouldWake,
    EnteredTwice,
    EventLoop,
    Finding,
    Handled,
    Listening,
    LoopState,
    NativeFrame,
    Nearness,
    NodeId,
    NodeKind,
    Polled,
    Process,
    PythonFrame,
    PythonInfo,
    Resource,
    Retried,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Unconnected,
    Watched,
)
from tests.unit.factories import (
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    process,
    python_frame,
    thread,
    waits,
)

LIB = "/usr/lib/python3.12"
SITE = "/app/.venv/lib/python3.12/site-packages"
IN_STDLIB = python_frame("Condition.wait", 355, f"{LIB}/threading.py")
IN_PACKAGE = python_frame("Pool.take", 31, f"{SITE}/somepool/pool.py")
ENTRY = python_frame("Engine.connect", 7, f"{SITE}/somepool/__init__.py")
OWN = python_frame("load_price", 12, "/app/shop.py")
MAIN = python_frame("<module>", 40, "/app/shop.py")
LAUNCHER = python_frame("<module>", 8, "/app/.venv/bin/gunicorn")
BOOTSTRAP = python_frame("Thread._bootstrap_inner", 1032, f"{LIB}/threading.py")


def counted(one: Thread, runs: int = 7) -> Thread:
    return replace(one, runs=runs, cpu_ns=runs * 1000)


def waiting(
    *stack: PythonFrame, seconds: tuple[int, ...] = (0,), runs: int = 0, operation: str = "get"
) -> Capture:
    """MainThread with this stack waits with a timeout for a queue, in looks at these *seconds*, and
    wakes up *runs* times in between."""
    looks = []
    queue = lock("QueuePool._pool", 1, NodeKind.QUEUE)
    for place, second in enumerate(seconds):
        main = counted(thread("MainThread", 100, python=stack, still=not runs), 7 + place * runs)
        wait = waits(main, queue, expires=True, operation=operation, text="Queue.get")
        made = capture(main, resources=[queue], waits=[wait])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    return with_progress(looks)


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "waiting-in-library"), None)


@pytest.mark.parametrize(
    ("stack", "index"),
    [
        ((IN_STDLIB, IN_PACKAGE, OWN, MAIN), 2),
        ((OWN, IN_PACKAGE, MAIN), 0),
        ((IN_STDLIB, IN_PACKAGE, LAUNCHER), None),
        ((IN_PACKAGE, BOOTSTRAP, OWN), None),
        ((), None),
    ],
    ids=["below it", "called back", "a tool alone", "what started the thread", "no stack"],
)
def test_the_application_is_neither_a_package_nor_what_starts_one(
    stack: tuple[PythonFrame, ...], index: int | None
) -> None:
    assert application_index(stack) == index


def test_packages_are_named_as_they_are_imported() -> None:
    assert package_of(IN_PACKAGE) == "somepool"
    assert package_of(python_frame("six", 1, f"{SITE}/six.py")) == "six"
    assert package_of(python_frame("f", 1, "/usr/lib/python3/dist-packages/apt/cache.py")) == "apt"
    assert package_of(OWN) is None is package_of(IN_STDLIB)


@pytest.mark.parametrize(
    ("other", "alone"),
    [(None, True), ((), True), ((python_frame("serve", 3, "/app/web.py"),), False)],
    ids=["none", "one of C code", "one"],
)
def test_who_waits_where_nobody_else_runs_python(
    other: tuple[PythonFrame, ...] | None, *, alone: bool
) -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, ENTRY, OWN, seconds=(0, 2))
    waiter = made.processes[0].threads[0]
    more = [] if other is None else [thread("second", 100, 101, python=other)]
    around = Surroundings(children=())
    one = replace(made.processes[0], threads=(waiter, *more), around=around)
    finding = told(replace(made, processes=(one,)))

    assert finding is not None
    said = "No other thread of the process runs Python code, and that has no children."
    assert (said in finding.sentence) is alone
    python = PythonInfo("3.12.1", ended=("office",), unstarted=("Thread-2 (Rower)",))
    again = told(replace(made, processes=(replace(one, python=python),)))
    assert again is not None
    gone = f"{said} Threads of it that have ended: office. Threads that were made for it, and that"
    assert (f"{gone} nobody has started: Thread-2 (Rower)." in again.sentence) is alone


def test_a_program_without_an_application_is_told_by_its_package() -> None:
    assert program_frame((IN_STDLIB, IN_PACKAGE, LAUNCHER)) == IN_PACKAGE
    assert program_frame((IN_STDLIB,)) is None


def test_one_look_says_where_the_application_waits_and_in_which_package() -> None:
    finding = told(waiting(IN_STDLIB, IN_PACKAGE, ENTRY, OWN, MAIN))
    assert finding is not None
    assert finding.severity is Severity.NOTE
    assert (
        finding.title == "MainThread waits at shop.py:12 (load_price), in somepool, for "
        "an item of QueuePool._pool"
    )
    assert "Below that line, somepool (somepool/__init__.py:7 (Engine.connect)) waits" in (
        finding.sentence
    )


def test_what_the_package_says_of_the_function_is_told_in_its_words() -> None:
    says = "Get a connection ... If all of them are out, this waits until one is given back"
    documented = replace(IN_PACKAGE, doc=says)
    finding = told(waiting(IN_STDLIB, documented, ENTRY, OWN, MAIN))
    plain = told(waiting(IN_STDLIB, IN_PACKAGE, ENTRY, OWN, MAIN))
    assert finding is not None
    assert f'Of Pool.take, its documentation says: "{says}".' in finding.sentence
    assert plain is not None
    assert "documentation" not in plain.sentence


def test_over_several_looks_it_is_a_warning_that_says_for_how_long() -> None:
    finding = told(waiting(IN_STDLIB, IN_PACKAGE, OWN, seconds=(0, 1, 3)))
    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title.endswith("for 3 s or more")


def test_waking_up_to_wait_again_is_polling_and_neither_work_nor_rest() -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN, seconds=(0, 1, 2, 3), runs=4)
    (finding,) = findings.run(made)
    assert (finding.id, finding.severity) == ("waiting-in-library", Severity.WARNING)
    assert any("4 looks over 3.0 s" in line and "polling" in line for line in finding.evidence)


def test_few_looks_may_meet_by_chance_who_comes_back_again_and_again() -> None:
    (finding,) = findings.run(waiting(IN_STDLIB, IN_PACKAGE, OWN, seconds=(0, 1, 3), runs=4))
    assert (finding.id, finding.severity) == ("waiting-in-library", Severity.NOTE)


def test_polling_whose_wait_is_not_known_names_no_system_call() -> None:
    """It was in that call in the last look alone."""
    looks = [replace(waiting(IN_PACKAGE, OWN, runs=4), waits=()) for _ in range(4)]
    looks = [
        replace(
            one,
            taken_at=f"2026-01-02T03:04:0{n}+00:00",
            processes=(
                replace(
                    one.processes[0],
                    threads=tuple(
                        replace(each, runs=9 + n, cpu_ns=9000 + n, still=False)
                        for each in one.processes[0].threads
                    ),
                ),
            ),
        )
        for n, one in enumerate(looks)
    ]
    finding = told(with_progress(looks))
    assert finding is not None
    assert finding.title.endswith("in somepool, by polling for 3 s or more")


def test_who_waits_for_the_gil_is_about_to_go_on() -> None:
    main = thread("MainThread", 100, python=[IN_PACKAGE, OWN])
    gil = lock("GIL", 1, NodeKind.GIL)
    assert told(capture(main, resources=[gil], waits=[waits(main, gil)])) is None


def test_another_line_in_one_of_the_looks_is_no_polling() -> None:
    *_, still = (waiting(IN_STDLIB, IN_PACKAGE, OWN, seconds=(0, 3), runs=4),)
    other = waiting(IN_STDLIB, IN_PACKAGE, replace(OWN, line=13), seconds=(1,))
    made = with_progress([other, replace(still, progress=())])
    finding = told(made)
    assert finding is not None
    assert finding.severity is Severity.NOTE


@pytest.mark.parametrize(
    "stack",
    [
        (IN_STDLIB, OWN, MAIN),
        (IN_STDLIB, IN_PACKAGE, LAUNCHER),
        (IN_STDLIB, IN_PACKAGE, BOOTSTRAP),
        (IN_STDLIB, replace(IN_PACKAGE, function="Server.serve_forever"), MAIN),
    ],
    ids=["no package", "no application", "a thread of the package", "it serves"],
)
def test_what_is_no_wait_of_the_application_in_a_package(stack: tuple[PythonFrame, ...]) -> None:
    assert told(waiting(*stack)) is None


def test_who_waits_for_somebody_to_connect_rests() -> None:
    assert told(waiting(IN_STDLIB, IN_PACKAGE, OWN, operation="accept")) is None


def test_a_package_that_takes_one_request_for_its_caller_goes_on_with_that() -> None:
    """As for what a person does in a browser."""
    one = python_frame("BaseServer.handle_request", 300, f"{LIB}/socketserver.py")
    seconds = (0, 2, 4)
    found = told(waiting(IN_STDLIB, one, IN_PACKAGE, OWN, operation="accept", seconds=seconds))

    assert found is not None
    assert found.severity is Severity.NOTE  # nothing is due
    assert told(waiting(IN_STDLIB, one, OWN, operation="accept", seconds=seconds)) is None


def in_loop(
    package: PythonFrame, *tasks: Task, seconds: tuple[int, ...] = (0,), of_its_own: bool = True
) -> Capture:
    """MainThread waits below this function of a package in an idle event loop with these tasks,
    which watches a pipe of process 200, a child of its process or a stranger."""
    looks = []
    for second in seconds:
        main = counted(thread("MainThread", 100, python=(IN_STDLIB, package, OWN), still=True))
        loop = EventLoop(100, 1, "SelectorEventLoop", LoopState.IDLE, tid=100, watched=1)
        pipe = Watched(main.id, "stdout pipe of process 200", None, (200,))
        child = thread("MainThread", 200, 200, python=(OWN, MAIN), still=True)
        made = replace(capture(main, child), event_loops=(loop,), tasks=tasks, watched=(pipe,))
        parent, own = made.processes
        made = replace(made, processes=(parent, replace(own, ppid=100 if of_its_own else 1)))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    return with_progress(looks)


def test_an_event_loop_is_told_by_its_tasks() -> None:
    task = Task(100, 7, "Task-7", "fetch", TaskState.WAITING, 1, 100, (OWN,))
    assert told(in_loop(IN_PACKAGE, task, seconds=(0, 2, 4))) is None


def test_a_loop_without_tasks_runs_for_what_a_package_was_asked_for() -> None:
    found = told(in_loop(IN_PACKAGE, seconds=(0, 2, 4)))

    assert found is not None
    assert found.severity is Severity.WARNING
    assert "for what comes over the stdout pipe of process 200 for 4 s" in found.title
    assert "; there MainThread" in found.title
    assert "open in process 200" not in found.sentence  # the name says it


def test_whom_a_loop_without_tasks_hears_may_be_a_client() -> None:
    assert told(in_loop(IN_PACKAGE, seconds=(0, 2, 4), of_its_own=False)) is None


def test_a_loop_without_tasks_in_which_a_package_serves_is_told_by_nobody() -> None:
    serves = replace(IN_PACKAGE, function="Server.serve_forever")
    assert told(in_loop(serves, seconds=(0, 2, 4))) is None


@pytest.mark.parametrize("mark", ["/socketserver.py", "/gunicorn/workers/sync.py"])
def test_a_view_that_waits_is_not_a_server_that_serves(mark: str) -> None:
    """What the application itself asks of others, below the server that called it."""
    server = python_frame("handle", 3, f"{SITE}{mark}")
    said = [one.id for one in findings.run(waiting(IN_STDLIB, IN_PACKAGE, OWN, server, LAUNCHER))]
    assert "idle" not in said
    assert "quiet" not in said
    assert "waiting-in-library" in said


def test_a_loop_below_a_package_is_not_passed_over_in_silence() -> None:
    """Whether a rule tells it as a wait in a package or not, the others are to go by that."""
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN)
    loop = EventLoop(100, 1, "SelectorEventLoop", LoopState.IDLE, tid=100, watched=1)
    said = {one.id for one in findings.run(replace(made, event_loops=(loop,)))}
    assert "quiet" in said
    assert "idle" not in said
    serves = replace(IN_PACKAGE, function="Server.serve_forever")
    made = waiting(IN_STDLIB, serves, OWN)
    unread = replace(loop, watched=0)
    assert "quiet" in {one.id for one in findings.run(replace(made, event_loops=(unread,)))}


def test_the_package_is_placed_by_a_line_of_its_own() -> None:
    """What the application called may be a function of the standard library that called it."""
    finding = told(waiting(IN_STDLIB, IN_PACKAGE, ENTRY, IN_STDLIB, OWN))
    assert finding is not None
    assert "somepool (somepool/__init__.py:7 (Engine.connect)) waits" in finding.sentence


@pytest.mark.parametrize(
    ("module", "package"),
    [
        (f"{SITE}/kafka_client/cimpl.cpython-312-x86_64-linux-gnu.so", "kafka_client"),
        (f"{SITE}/kafka_client.libs/librdkafka-0cb94173.so.1", "kafka_client"),
        ("/usr/lib/libkafka.so", None),
    ],
)
def test_a_package_in_c_that_a_line_calls_is_named_too(module: str, package: str | None) -> None:
    made = waiting(OWN, MAIN, seconds=(0, 3))
    natives = (
        native_frame("pthread_cond_wait", "/lib/libc.so.6"),
        native_frame("Producer_flush", module),
        native_frame("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.12.so.1.0"),
    )
    (process,) = made.processes
    threads = tuple(replace(one, native_stack=natives) for one in process.threads)
    finding = told(replace(made, processes=(replace(process, threads=threads),)))

    assert (finding is not None) is (package is not None)
    if finding:
        assert f"shop.py:12 (load_price), in {package}" in finding.title
        assert "(Producer_flush (" in finding.sentence


def test_what_the_other_threads_do_where_nobody_is_known_to_end_it() -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, ENTRY, OWN)
    (process,) = made.processes
    handler = thread("rpc_0", 101, python=(python_frame("watch", 19, "/app/shop.py"),))
    service = thread("poller", 102, python=(IN_STDLIB, IN_PACKAGE, BOOTSTRAP))
    stranger = thread("monitor", 103, python=(IN_STDLIB, BOOTSTRAP))
    said = {}
    for names, threads in (("both", (handler, service)), ("own", (service, stranger))):
        more = replace(process, threads=(*process.threads, *threads))
        finding = told(replace(made, processes=(more,)))
        assert finding is not None
        said[names] = finding.sentence

    assert said["both"].endswith("not recorded. There, rpc_0 waits at shop.py:19 (watch).")
    assert said["own"].endswith(
        "There, poller waits at pool.py:31 (Pool.take). No other thread of the process is in the "
        "program's own code."
    )


def test_what_the_one_waits_for_who_could_end_it_is_followed() -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, ENTRY, OWN, seconds=(0, 1, 2))
    (process,) = made.processes
    worker = thread("worker", 101, python=(python_frame("fetch", 19, "/app/shop.py"),))
    keeper = thread("keeper", 102, python=(python_frame("keep", 23, "/app/shop.py"),))
    item, ledger = made.resources[0], lock("ledger", 2)
    made = replace(
        made,
        processes=(replace(process, threads=(*process.threads, worker, keeper)),),
        resources=(*made.resources, ledger),
        waits=(*made.waits, waits(worker, ledger)),
        holds=(holds(item, worker), holds(ledger, keeper)),
    )
    finding = told(made)
    assert finding is not None
    assert "worker could end that. Now worker waits at shop.py:19 (fetch)" in finding.sentence
    assert "keeper holds ledger" in finding.sentence


def test_what_a_thread_in_code_of_c_of_the_package_waits_for() -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN)
    (process,) = made.processes
    code = NativeFrame("read_packet", f"{SITE}/somepool/thin.so", 0x1, package="somepool 2.1")
    inside = replace(thread("filler", 101, python=(BOOTSTRAP,)), native_stack=(code,))
    closer = replace(thread("closer", 102, python=(BOOTSTRAP,)), native_stack=(code,))
    line = lock("TCP connection to 10.0.0.5:1521", 2, NodeKind.SOCKET)
    own = (waits(inside, line, operation="receive"), waits(closer, process.threads[0]))
    more = replace(
        made,
        processes=(replace(process, threads=(*process.threads, inside, closer)),),
        resources=(*made.resources, line),
        waits=(*made.waits, *own),
    )
    finding = told(more)

    assert finding is not None
    assert "not recorded. There, filler waits" in finding.sentence
    assert "for data from the TCP connection to 10.0.0.5:1521." in finding.sentence

    knocks = replace(line, unaccepted=True)
    listens = holds(line, process.threads[0])
    finding = told(replace(more, resources=(*made.resources, knocks), holds=(listens,)))
    assert finding is not None
    assert "to 10.0.0.5:1521; nobody has accepted it yet." in finding.sentence


def test_the_connections_that_it_watches_or_native_threads_for_it() -> None:
    made = waiting(IN_PACKAGE, OWN, seconds=(0, 1, 3))
    (main,) = made.threads()
    poller = replace(thread("grpc_poller", 101), is_python=False)
    (process,) = made.processes
    made = replace(made, processes=(replace(process, threads=(main, poller)),))
    asked = Watched(poller.id, "TCP connection to 10.0.0.1:50051", Traffic(40.0, 50.0, True))
    finding = told(replace(made, watched=(asked,)))
    assert finding is not None
    assert (
        "Native threads of the process watch the TCP connection to 10.0.0.1:50051, silent for 40 s."
    ) in finding.sentence

    own = Watched(main.id, "TCP connection to 10.0.0.1:5672", Traffic(50.0, 40.0, False))
    finding = told(replace(made, watched=(asked, own)))
    assert finding is not None
    assert " It watches the TCP connection to 10.0.0.1:5672. " in finding.sentence


@pytest.mark.parametrize(
    ("clients", "connected", "is_python", "said"),
    [
        (0, False, False, True),
        (1, False, False, False),
        (0, True, False, False),
        (0, False, True, False),
    ],
)
def test_that_nobody_is_connected_to_where_native_threads_listen_for_it(
    clients: int, connected: bool, is_python: bool, said: bool
) -> None:
    made = waiting(IN_PACKAGE, OWN, seconds=(0, 1, 3))
    (main,) = made.threads()
    reactor = replace(thread("ZMQbg/IO/0", 101), is_python=is_python)
    made = replace(made, processes=(replace(made.processes[0], threads=(main, reactor)),))
    made = replace(
        made, waits=(), listening=(Listening(reactor.id, "TCP port 127.0.0.1:5555", clients),)
    )
    if connected:
        made = replace(made, watched=(Watched(reactor.id, "TCP connection to 10.0.0.1:80"),))
    finding = told(made)

    assert finding is not None
    alone = ", for 3 s or more, while nobody is connected to its TCP port 127.0.0.1:5555"
    assert finding.title.endswith(alone) is said
    assert ("only somebody who connects could end that" in finding.sentence) is said


@pytest.mark.parametrize(
    ("function", "severity"), [("recv_multipart", Severity.NOTE), ("send", Severity.WARNING)]
)
def test_a_server_to_which_nobody_has_come_is_no_warning(function: str, severity: Severity) -> None:
    made = waiting(replace(IN_PACKAGE, function=function), OWN, seconds=(0, 1, 3))
    (main,) = made.threads()
    reactor = replace(thread("ZMQbg/IO/0", 101), is_python=False)
    made = replace(made, processes=(replace(made.processes[0], threads=(main, reactor)),))
    made = replace(made, waits=(), listening=(Listening(reactor.id, "TCP port 127.0.0.1:5555", 0),))
    finding = told(made)
    assert finding is not None
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("call", "package", "begun", "says"),
    [
        ("epoll_wait", "somepool 2.1", (), ", while its process has no TCP connection"),
        (
            "epoll_wait", "somepool 2.1", ("10.0.0.1:80",),
            ", while its process has no TCP connection, and no answer yet from 10.0.0.1:80",
        ),
        ("futex", "somepool 2.1", (), ""),
        ("epoll_wait", "other 1.0", (), ""),
    ],
)  # fmt: skip
def test_that_there_is_no_connection_where_native_threads_of_the_package_poll_for_one(
    call: str, package: str, begun: tuple[str, ...], says: str
) -> None:
    made = waiting(replace(IN_PACKAGE, package="somepool 2.1"), OWN, seconds=(0, 1, 3))
    (main,) = made.threads()
    inner = NativeFrame("poll", "/app/some.so", 0x1, package=package)
    poller = replace(thread("poller", 101), is_python=False, syscall=Syscall(call))
    poller = replace(poller, native_stack=(inner,))
    made = replace(made, processes=(replace(made.processes[0], threads=(main, poller)),))
    finding = told(replace(made, unconnected=(Unconnected(main.pid, begun),)))

    assert finding is not None
    assert finding.title.endswith(f"for an item of QueuePool._pool for 3 s or more{says}")


@pytest.mark.parametrize("subscribed", [True, False])
def test_who_listens_to_a_subscription_waits_for_nothing_that_is_due(subscribed: bool) -> None:
    listen = python_frame(
        "PubSub.listen" if subscribed else "Redis.get", 1120, f"{SITE}/redis/client.py"
    )
    made = waiting(IN_STDLIB, replace(listen, package="redis 5.2.0"), OWN, seconds=(0, 1, 3))
    finding = told(made)
    assert finding is not None
    assert finding.severity is (Severity.NOTE if subscribed else Severity.WARNING)


@pytest.mark.parametrize(
    ("command", "takes_next", "due"),
    [("blpop", True, False), ("blpop", False, True), ("get", True, True)],
)
def test_who_takes_what_other_clients_give_is_owed_nothing(
    command: str, takes_next: bool, due: bool
) -> None:
    called = python_frame(f"ListCommands.{command}", 4862, f"{SITE}/redis/commands/core.py")
    stack = (IN_STDLIB, replace(called, package="redis 5.2.0"), OWN)
    made = waiting(*stack, seconds=(0, 1, 3))
    (main,) = made.threads()
    processes = (replace(made.processes[0], threads=(replace(main, takes_next=takes_next),)),)
    finding = told(replace(made, processes=processes))
    assert finding is not None
    assert finding.severity is (Severity.WARNING if due else Severity.NOTE)
    assert ("push on to a list" in finding.title) == (command == "blpop")


@pytest.mark.parametrize(
    ("package", "caller", "due"),
    [("kombu", "Transport.drain_events", False), ("amqp", "Connection.connect", True)],
)
def test_a_login_is_no_subscription(package: str, caller: str, due: bool) -> None:
    drain = replace(
        python_frame("drain_events", 530, f"{SITE}/amqp/connection.py"), package="amqp 5.4"
    )
    calls = replace(python_frame(caller, 9, f"{SITE}/{package}/x.py"), package=f"{package} 5.4")
    finding = told(waiting(IN_STDLIB, drain, calls, OWN, seconds=(0, 1, 3)))
    assert finding is not None
    assert finding.severity is (Severity.WARNING if due else Severity.NOTE)


@pytest.mark.parametrize(("limit_ms", "given"), [(120_000, "2 min"), (100, ""), (None, "")])
def test_when_it_gives_up_is_told_but_of_who_asks_again_and_again(
    limit_ms: int | None, given: str
) -> None:
    link = lock("TCP connection to 10.0.0.1:80", 1, NodeKind.SOCKET)
    asks = thread(
        "MainThread", 100, python=[IN_STDLIB, IN_PACKAGE, OWN],
        syscall=Syscall("poll", timed=True, timeout_ms=limit_ms),
    )  # fmt: skip
    made = capture(asks, resources=[link], waits=[waits(asks, link, expires=True)])
    finding = told(made)
    assert finding is not None
    assert ("with a timeout of 2 min" in finding.title) is bool(given)
    assert (finding.advice[0].startswith("If 2 min is too long")) is bool(given)


def test_who_could_end_it_is_told_with_what_it_does() -> None:
    """Both write, and neither reads: first told is who is in the application."""
    link = lock("TCP connection to ::1:80", 1, NodeKind.SOCKET)
    back = lock("TCP connection to ::1:81", 2, NodeKind.SOCKET)
    send = python_frame("Connection.send", 502, f"{SITE}/websockets/connection.py")
    main = counted(thread("MainThread", 100, python=[send, OWN]))
    server = thread("Thread-1", 101, python=[python_frame("serve_forever", 5, f"{SITE}/w/s.py")])
    handler = thread("Thread-2", 102, python=[send, python_frame("send_history", 15)])
    made = capture(
        *(main, server, handler),
        resources=[link, back],
        waits=[
            waits(main, link, operation="send", expires=True),
            waits(handler, back, operation="send", expires=True),
        ],
        holds=[holds(link, server, Certainty.INFERRED), holds(link, handler, Certainty.INFERRED)],
    )
    finding = told(made)

    assert finding is not None
    assert (
        "Thread-1, Thread-2 could end that. Now Thread-2 waits at main.py:15 (send_history), in "
        "websockets (connection.py:502 (Connection.send)), for room to send on the TCP connection "
        "to ::1:81 and Thread-1 waits at "
    ) in finding.sentence


@pytest.mark.parametrize(
    ("nearness", "said"),
    [
        (Nearness.AHEAD, "Only receiver is seen on the way to frames.put() (io.py:9), which would"),
        (Nearness.REFERS, "Who could end that is not recorded."),
    ],
)
def test_the_only_one_that_comes_to_what_ends_it_is_named(nearness: Nearness, said: str) -> None:
    frames = lock("Assembler.frames", 1, NodeKind.QUEUE)
    main = thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN, MAIN))
    receiver = thread("receiver", 101, python=(python_frame("recv", 5, f"{SITE}/somepool/io.py"),))
    call = ("frames.put", "io.py:9")
    could = CouldWake(frames.id, receiver.id, Complement.PUT, nearness, evidence(), *call)
    one = Watched(receiver.id, "TCP connection to 10.0.0.1:9000")
    made = capture(main, receiver, resources=[frames], waits=[waits(main, frames, operation="get")])
    finding = told(replace(made, could_wake=(could,), watched=(one,)))
    assert finding is not None
    assert said in finding.sentence
    assert "It watches the TCP connection to 10.0.0.1:9000" in finding.sentence


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("beside", [True, False])
def test_who_waits_there_for_what_the_one_who_waits_alone_would_give(
    known: bool, beside: bool
) -> None:
    permits = replace(lock("PERMITS", 2, NodeKind.SEMAPHORE), wakers_known=known)
    main = thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN, MAIN))
    worker = thread("worker", 101, python=(python_frame("decode", 33),))
    other = thread("other", 102, python=(python_frame("watch", 7),))
    call = ("PERMITS.release", "shop.py:14")
    coming = [
        CouldWake(permits.id, one.id, Complement.RELEASE, Nearness.AHEAD, evidence(), *call)
        for one in ([main, other] if beside else [main])
    ]
    frames = lock("Assembler.frames", 1, NodeKind.QUEUE)
    got = [waits(main, frames, operation="get"), waits(worker, permits)]
    service = thread("monitor", 103, python=(IN_STDLIB, BOOTSTRAP))
    there = [main, worker, other] if beside else [main, worker, service]
    made = capture(*there, resources=[frames, permits], waits=got)
    finding = told(replace(made, could_wake=tuple(coming)))
    assert finding is not None
    only_main = "Only MainThread comes to PERMITS.release() (shop.py:14), which would end that"
    assert (only_main in finding.sentence) is (known and not beside)


@pytest.mark.parametrize("inside", [True, False])
def test_who_alone_could_end_it_and_waits_in_the_program_is_in_the_title(inside: bool) -> None:
    done = lock("Transfer.done", 1, NodeKind.QUEUE)
    quota = lock("quota", 2, NodeKind.EVENT)
    main = thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN, MAIN))
    progress = python_frame("wait_for_quota", 33)
    workers = [
        thread(f"part-{n}", 101 + n, python=(*([progress] if inside else []), IN_PACKAGE))
        for n in range(2)
    ]
    could = [
        CouldWake(done.id, one.id, Complement.PUT, Nearness.AHEAD, evidence(), "done.put")
        for one in workers
    ]
    got = [waits(main, done, operation="get"), *(waits(one, quota) for one in workers)]
    made = capture(main, *workers, resources=[done, quota], waits=got)
    made = replace(made, could_wake=tuple(could))
    finding = waiting_in_library.check(made, build(made))[0]
    said = "; meanwhile part-0 waits at main.py:33 (wait_for_quota) for quota, and 1 more thread"
    assert finding.title.endswith(said) is inside


@pytest.mark.parametrize("known", [True, False])
def test_that_nobody_comes_to_what_its_only_ender_waits_for_is_said(known: bool) -> None:
    frames = lock("Assembler.frames", 1, NodeKind.QUEUE)
    orders = replace(lock("orders", 2, NodeKind.QUEUE), wakers_known=known)
    main = thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN, MAIN))
    feeder = thread("feeder", 101, python=(python_frame("read_orders", 33),))
    could = CouldWake(frames.id, feeder.id, Complement.PUT, Nearness.AHEAD, evidence(), "put")
    got = [waits(main, frames, operation="get"), waits(feeder, orders, operation="get")]
    server = thread("server", 102, python=(python_frame("serve", 7),))  # somebody may yet call it
    made = capture(main, feeder, server, resources=[frames, orders], waits=got)
    finding = told(replace(made, could_wake=(could,)))
    assert finding is not None
    nobody = "is seen on the way to end the wait of feeder for an item of orders."
    assert (nobody in finding.sentence) is known


def test_among_the_threads_of_a_pool_nobody_is_the_only_one() -> None:
    pool = "/usr/lib/python3.12/multiprocessing/pool.py"
    condition = lock("IMapIterator._cond", 1, NodeKind.CONDITION)
    feeder = thread("feeder", 101, python=(python_frame("Pool._handle_tasks", 5, pool),))
    could = CouldWake(condition.id, feeder.id, Complement.NOTIFY, Nearness.AHEAD, evidence())
    said = []
    for inside in (pool, f"{SITE}/somepool/io.py"):
        main = thread("MainThread", 100, python=(python_frame("next", 861, inside), OWN, MAIN))
        made = capture(main, feeder, resources=[condition], waits=[waits(main, condition)])
        said.append(only(["feeder"], [could], next(iter(made.threads()))))

    assert said[0].startswith("feeder is seen on the way to notify(), which would end that (or who")
    assert said[1] == "Only feeder is seen on the way to notify(), which would end that"


SERVES = python_frame("Server.serve_forever", 9, f"{SITE}/somepool/server.py")


@pytest.mark.parametrize(
    ("inside", "found"),
    [((IN_PACKAGE,), "waiting-in-library"), ((SERVES,), "idle"), ((), "idle")],
)
def test_a_package_that_waits_for_a_message_is_idle_only_where_it_was_left_to_serve(
    inside: tuple[PythonFrame, ...], found: str
) -> None:
    anybody = lock("UDP socket", 1, NodeKind.SOCKET)
    main = counted(thread("MainThread", 100, python=[*inside, OWN, MAIN]))
    made = capture(main, resources=[anybody], waits=[waits(main, anybody, operation="message")])

    (finding,) = findings.run(made)
    assert (finding.id, finding.severity) == (found, Severity.NOTE)


def test_a_long_sleep_in_a_package_ends_by_the_clock() -> None:
    asleep = Syscall("clock_nanosleep", "86390 s left")
    looks = []
    for second in (0, 2):
        main = counted(thread("MainThread", 100, python=(IN_PACKAGE, OWN, MAIN), syscall=asleep))
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(capture(main), taken_at=taken_at))
    found = told(with_progress(looks))
    assert found is not None
    assert "waits for the clock, 86390 s left, for 2 s or more. It goes on by itself" in (
        found.sentence
    )
    assert "Give the call" not in found.advice[0]


@pytest.mark.parametrize("failed", [True, False])
@pytest.mark.parametrize(
    ("times", "counts"), [(None, ""), (12, ", of which it counts 12")], ids=str
)
def test_what_a_package_tries_again_is_named(times: int | None, counts: str, failed: bool) -> None:
    asleep = Syscall("clock_nanosleep", "2 s left")
    looks = []
    for second in (0, 2):
        main = counted(thread("MainThread", 100, python=(IN_PACKAGE, OWN, MAIN), syscall=asleep))
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        retried = (Retried(main.id, "fetch (shop.py:3)", times),)
        error = Handled(main.id, "net.Error", None, inner=False, cause="FileExistsError", file="/l")
        made = replace(capture(main), taken_at=taken_at, retried=retried)
        looks.append(replace(made, handled=(error,) if failed else ()))
    found = told(with_progress(looks))
    assert found is not None
    what, after = "calls", ""
    if failed:
        what, after = "tries", " after net.Error (for FileExistsError, /l is there already)"
    assert f"waits between {what} of fetch (shop.py:3){counts}{after} for 2 s or more." in (
        found.sentence
    )


@pytest.mark.parametrize("same", [True, False])
def test_who_enters_what_it_has_entered_already_may_wait_for_itself(same: bool) -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN, MAIN, seconds=(0, 2))
    waiter = made.processes[0].threads[0]
    twice = (EnteredTwice(waiter.id, "Lock", "main.py:4 (take)", same),)
    found = told(replace(made, entered_twice=twice))
    assert found is not None
    which = "that very Lock" if same else "a Lock of the same name"
    assert found.title.endswith(f", inside of {which} that it has entered itself")
    assert "itself, at main.py:4 (take), and leaves that only after this wait" in found.sentence
    unless = "unless it may be entered twice" if same else "if the two are one lock"
    assert f"{unless}, that thread waits for itself." in found.sentence
    assert found.advice[0].startswith("Enter that Lock once")


def test_it_is_not_between_two_calls_while_another_thread_runs_that() -> None:
    asleep = Syscall("clock_nanosleep", "2 s left")
    looks = []
    for second in (0, 2):
        main = counted(thread("MainThread", 100, python=(IN_PACKAGE, OWN, MAIN), syscall=asleep))
        runs = thread("runner", 101, still=False, python=(python_frame("fetch", 4),))
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        retried = (Retried(main.id, "fetch (shop.py:3)", None),)
        looks.append(replace(capture(main, runs), taken_at=taken_at, retried=retried))
    found = told(with_progress(looks))
    assert found is not None
    assert "waits while runner runs fetch (shop.py:3) for 2 s or more." in found.sentence


def test_who_looks_at_what_others_change_does_not_go_on_by_itself() -> None:
    asleep = Syscall("clock_nanosleep", "2 s left")
    looks = []
    for second in (0, 2):
        stack = (IN_PACKAGE, OWN, MAIN)
        main = thread("MainThread", 100, still=False, python=stack, syscall=asleep)
        main = counted(main, 7 + second)
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        made = replace(capture(main), taken_at=taken_at)
        retried = (Retried(main.id, "fetch (shop.py:3)", None),)
        polled = (Polled(main.id, ("self.ready()",), "pool.py:46"),)
        looks.append(replace(made, retried=retried, polled=polled))
    found = told(with_progress(looks))
    assert found is not None
    assert "by polling self.ready()" in found.title
    assert "Who could end that is not recorded." in found.sentence
    assert "by itself" not in found.sentence


@pytest.mark.parametrize("through", [False, True])
def test_another_function_that_sleeps_for_the_one_that_was_called_is_named(
    *, through: bool
) -> None:
    retry = python_frame("Retry.sleep_for_retry", 374, f"{SITE}/somenet/retry.py")
    pauses = python_frame("Retry.sleep", 9, f"{SITE}/somenet/retry.py")
    connects = python_frame("Pool.connect", 57, f"{SITE}/somenet/pool.py")
    asleep = Syscall("clock_nanosleep", "21593 s left")
    looks = []
    for second in (0, 2):
        stack = (retry, pauses, *([connects] if through else []), IN_PACKAGE, OWN, MAIN)
        main = counted(thread("MainThread", 100, python=stack, syscall=asleep))
        taken_at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(capture(main), taken_at=taken_at))
    found = told(with_progress(looks))
    assert found is not None
    by = ", called from pool.py:57 (Pool.connect)" if through else ""
    assert f"There somenet sleeps at retry.py:374 (Retry.sleep_for_retry){by}." in found.sentence


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (lock("PyDB.event", 1, NodeKind.EVENT), "for PyDB.event"),
        (replace(lock("", 2), name=None, label="threading.Lock at 0x2"), "by polling"),
        (lock("semaphore in libpython3.13.so", 3, NodeKind.MUTEX, module="/libpython"), "by pol"),
    ],
    ids=["an event", "a lock in passing", "a native one"],
)
def test_what_one_that_polls_waits_for_is_no_lock_in_passing(target: Resource, said: str) -> None:
    looks = []
    for second in (0, 1, 2):
        main = counted(
            thread("MainThread", 100, python=(IN_PACKAGE, OWN, MAIN), still=False), second * 7
        )
        made = capture(main, resources=[target], waits=[waits(main, target, expires=True)])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    found = told(with_progress(looks))
    assert found is not None
    assert f"in somepool, {said}" in found.title


def test_native_threads_at_connections_may_have_a_library_of_c_go_on() -> None:
    main = counted(thread("MainThread", 100, python=(IN_PACKAGE, OWN, MAIN)))
    native = replace(
        counted(thread("nng:poll", 101, syscall=Syscall("epoll_wait"))), is_python=False
    )
    word = lock("condition in nng.so", 0x1, NodeKind.CONDITION, module="/lib/nng.so")
    found = told(capture(main, native, resources=[word], waits=[waits(main, word)]))
    assert found is not None
    assert "What comes to the connections of native threads (nng:poll) may end that." in (
        found.sentence
    )


@pytest.mark.parametrize(
    ("state", "severity"), [("S", Severity.NOTE), ("Z", Severity.WARNING), (None, Severity.NOTE)]
)
def test_who_waits_for_a_process_that_lives_waits_for_its_work(
    state: str | None, severity: Severity
) -> None:
    """None: it is not captured, as programs that are not of Python."""
    looks = []
    for second in (0, 1, 3):
        main = counted(thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN)))
        other = replace(process(200, thread("MainThread", 200, 200)), state=state or "S")
        made = capture(
            main,
            waits=[waits(main, "process:200", expires=True)],
            processes=[other] if state else [],
        )
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    finding = told(with_progress(looks))
    assert finding is not None
    assert finding.severity is severity


@pytest.mark.parametrize(("works", "severity"), [(True, Severity.NOTE), (False, Severity.WARNING)])
def test_who_waits_for_data_from_a_process_that_is_at_work(works: bool, severity: Severity) -> None:
    looks = []
    for second in (0, 1, 3):
        main = counted(thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN)))
        state, still = ("R", False) if works else ("S", True)
        peer = thread("MainThread", 200, 200, state=state, still=still)
        peer = replace(peer, runs=7 + second * works, cpu_ns=10**9 * second * works)
        data = lock("TCP connection to 127.0.0.1:80", 1, NodeKind.SOCKET)
        wait = waits(main, data, expires=True, operation="receive")
        made = capture(main, peer, resources=[data], waits=[wait], holds=[holds(data, peer)])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    finding = told(with_progress(looks))
    assert finding is not None
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("note", "severity"),
    [
        (None, Severity.NOTE),
        ("process 200 is ended, not yet reaped by its parent", Severity.WARNING),
        ("process 200 is stopped by a signal: SIGCONT resumes it", Severity.WARNING),
    ],
)
def test_a_process_that_does_not_run_comes_to_no_end_by_itself(
    note: str | None, severity: Severity
) -> None:
    looks = []
    for second in (0, 1, 3):
        main = counted(thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN)))
        goal = Resource(NodeId("process:200"), NodeKind.PROCESS, "process 200", 200, 0, note=note)
        goal = replace(goal, name="process 200")
        wait = waits(main, goal, expires=True, operation="gone")
        made = capture(main, resources=[goal], waits=[wait])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    finding = told(with_progress(looks))
    assert finding is not None
    assert finding.severity is severity
    assert f"for process 200{',' if note else ''} to be gone" in finding.title


@pytest.mark.parametrize(
    ("who", "severity"),
    [("importer", Severity.NOTE), ("MainThread", Severity.NOTE), (None, Severity.WARNING)],
)
def test_who_has_a_lock_or_had_it_and_comes_round_to_the_same_line_works(
    who: str | None, severity: Severity
) -> None:
    looks = []
    for second in (0, 1, 3):
        main = counted(thread("MainThread", 100, python=(IN_STDLIB, IN_PACKAGE, OWN)))
        holder = replace(thread("importer", 101, python=(OWN,)), runs=second, still=False)
        mutex = lock("the mutex in lock.mdb", 1, NodeKind.MUTEX)
        made = capture(
            *(main, holder),
            resources=[mutex],
            waits=[waits(main, mutex, expires=True)],
            holds=[holds(mutex, holder)],
        )
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    made = with_progress(looks)
    names = {one.id: one.name for one in made.threads()}
    seen = [replace(p, returned=names[p.thread] == who) for p in made.progress]
    finding = told(replace(made, progress=tuple(seen)))
    assert finding is not None
    assert finding.severity is severity


def asking(
    age_s: float | None,
    *,
    as_child: bool = False,
    kind: NodeKind = NodeKind.SOCKET,
    python: bool = False,
) -> Capture:
    """MainThread waits for 3 s for an answer of process 200, which was started so long ago."""
    looks = []
    socket = lock("the Unix socket raylet", 1, kind)
    for second in (0, 3):
        main = counted(thread("MainThread", 100, python=(IN_PACKAGE, OWN, MAIN), still=True))
        service = thread("raylet", 200, pid=200)
        wait = waits(main, socket, operation="read", text="recvfrom(2)")
        made = capture(main, service, resources=[socket], waits=[wait],
                       holds=[holds(socket, service)])  # fmt: skip
        own, other = made.processes
        if as_child:
            around = Surroundings(children=(Child(200, "raylet", "S", age_s),))
            made = replace(made, processes=(replace(own, around=around),))
        else:
            around = Surroundings(age_s=age_s)
            other = other if python else replace(other, python=None)
            made = replace(made, processes=(own, replace(other, around=around)))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    return with_progress(looks)


@pytest.mark.parametrize("as_child", [False, True])
@pytest.mark.parametrize(
    ("age_s", "severity"),
    [(9.0, Severity.NOTE), (300.0, Severity.WARNING), (None, Severity.WARNING)],
)
def test_who_was_started_just_before_may_not_answer_yet(
    age_s: float | None, severity: Severity, *, as_child: bool
) -> None:
    finding = told(asking(age_s, as_child=as_child))
    assert finding is not None
    assert finding.severity is severity
    assert ("started 9 s ago" in finding.sentence) is (severity is Severity.NOTE)


@pytest.mark.parametrize(("kind", "python"), [(NodeKind.PIPE, False), (NodeKind.SOCKET, True)])
def test_a_child_that_keeps_a_pipe_open_or_shows_what_it_does_is_none_that_starts(
    kind: NodeKind, python: bool
) -> None:
    finding = told(asking(9.0, kind=kind, python=python))
    assert finding is not None
    assert finding.severity is Severity.WARNING


OTHERS = python_frame("consume", 8, "/app/jobs.py")


@pytest.mark.parametrize(
    ("stacks", "said"),
    [
        ([(IN_PACKAGE, OTHERS)] * 2, "In process 200 both threads that run the application's code"),
        ([(IN_PACKAGE, OTHERS)], "In process 200 the only thread that runs the application's code"),
        ([(IN_PACKAGE, OTHERS), (OTHERS,)], None),
        ([(IN_PACKAGE,), (IN_STDLIB,)], None),
    ],
    ids=["both", "one", "one is elsewhere", "none of the application's"],
)
def test_all_of_another_process_may_wait_in_the_same_package(
    stacks: list[tuple[PythonFrame, ...]], said: str | None
) -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN, MAIN)
    workers = [
        replace(thread(f"worker-{n}", 200 + n, python=stack, still=True), pid=200)
        for n, stack in enumerate(stacks)
    ]
    made = replace(made, processes=(*made.processes, *capture(*workers).processes))
    finding = next(
        one for one in findings.run(made)
        if one.id == "waiting-in-library" and one.threads[0].pid == 100
    )  # fmt: skip
    assert ("application's code" in finding.sentence) is (said is not None)
    assert said is None or f"{said} wait" in finding.sentence
    assert said is None or "jobs.py:8 (consume), in pool.py:31 (Pool.take)" in finding.sentence


@pytest.mark.parametrize(("stack", "told_of"), [((IN_PACKAGE, OTHERS), True), ((OTHERS,), False)])
def test_tasks_of_another_process_may_wait_in_it(
    stack: tuple[PythonFrame, ...], *, told_of: bool
) -> None:
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN, MAIN)
    loop = replace(thread("MainThread", 200, python=[OTHERS], still=True), pid=200)
    task = Task(200, 0x10, "pieces", "consume", TaskState.WAITING, 0x1, 200, stack)
    made = replace(made, processes=(*made.processes, *capture(loop).processes), tasks=(task,))
    finding = next(
        one for one in findings.run(made)
        if one.id == "waiting-in-library" and one.threads[0].pid == 100
    )  # fmt: skip
    said = (
        "In process 200 the only task that runs the application's code waits in it as well: at "
        "jobs.py:8 (consume), in pool.py:31 (Pool.take)."
    )
    assert (said in finding.sentence) is told_of


@pytest.mark.parametrize(
    ("function", "severity"), [("watch", Severity.NOTE), ("watch_once", Severity.WARNING)]
)
def test_who_is_told_of_changes_rests_between_two_of_them(
    function: str, severity: Severity
) -> None:
    inside = python_frame(function, 31, f"{SITE}/watchfiles/main.py")
    finding = told(waiting(inside, OWN, MAIN, seconds=(0, 3)))
    assert finding is not None
    assert finding.severity is severity


TAKES = python_frame("Worker.get_task", 380, f"{SITE}/somepool/worker.py")
STARTS = python_frame("BaseProcess._bootstrap", 314, f"{LIB}/multiprocessing/process.py")


@pytest.mark.parametrize(
    ("workers", "said"),
    [
        ([(IN_STDLIB, TAKES, STARTS, OWN)] * 2, "Its 2 worker processes run nothing"),
        ([(IN_STDLIB, TAKES, STARTS)], "Its only worker process runs nothing"),
        ([(IN_STDLIB, TAKES, STARTS), (IN_STDLIB,)], "Its only worker process runs nothing"),
        ([(IN_STDLIB, TAKES, STARTS), (OTHERS, TAKES, STARTS)], None),
        ([(IN_STDLIB, TAKES, STARTS), None], None),
        ([(IN_STDLIB,)], None),
    ],
    ids=["both", "one", "a helper", "one works", "one was not looked at", "none of the package"],
)
def test_workers_of_the_package_that_run_nothing_of_the_application_are_counted(
    workers: list[tuple[PythonFrame, ...] | None], said: str | None
) -> None:
    """What a fork has copied below the beginning of a worker is nothing that it runs."""
    made = waiting(IN_STDLIB, IN_PACKAGE, OWN, MAIN)
    own = made.processes[0]
    children = tuple(Child(200 + n, "python3", "S") for n in range(len(workers)))
    own = replace(own, around=Surroundings(children=children))
    mains = [
        replace(thread("MainThread", 200 + n, python=stack, still=True), pid=200 + n)
        for n, stack in enumerate(workers)
        if stack is not None
    ]
    made = replace(made, processes=(own, *capture(*mains).processes))
    found = findings.run(made)
    finding = next(one for one in found if one.id == "waiting-in-library")
    assert ("nothing of the application" in finding.sentence) is (said is not None)
    assert said is None or said in finding.sentence
    assert said is None or "waits in somepool (worker.py:380 (Worker.get_task))" in finding.sentence


@pytest.mark.parametrize(
    ("function", "told_of"),
    [
        ("QThread::sleep(std::chrono::duration<long, std::ratio<1l, 1000l> >)", False),
        ("clock_tick", False),
        ("Consumer::poll(int)", True),
    ],
)
def test_who_only_sleeps_by_a_function_of_a_package_does_not_wait_in_it(
    function: str, *, told_of: bool
) -> None:
    made = waiting(OWN, MAIN, seconds=(0, 3), runs=9)
    natives = (
        native_frame("clock_nanosleep", "/lib/libc.so.6"),
        native_frame(function, f"{SITE}/PySide6/Qt/lib/libQt6Core.so.6"),
        native_frame("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.12.so.1.0"),
    )
    (process,) = made.processes
    sleep = Syscall("clock_nanosleep", timeout_ms=20)
    threads = tuple(replace(t, native_stack=natives, syscall=sleep) for t in process.threads)
    asleep = replace(made, processes=(replace(process, threads=threads),), waits=())

    assert (told(asleep) is not None) is told_of


def test_a_native_lock_that_a_call_waits_by_is_told_as_what_the_call_waits_for() -> None:
    module = f"{SITE}/PySide6/Qt/lib/libQt6Core.so.6"
    word = lock("condition in libQt6Core.so.6", 0x1, NodeKind.CONDITION, module=module)
    natives = (
        native_frame("pthread_cond_wait", "/lib/libc.so.6"),
        native_frame("QThread::wait", f"{SITE}/PySide6/Qt/lib/libQt6Core.so.6"),
        native_frame("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.12.so.1.0"),
    )
    main = replace(thread("MainThread", 100, python=(OWN, MAIN)), native_stack=natives)
    scanner = thread("Scanner", 101, python=(OWN,), state="R", still=False)
    found = told(capture(main, scanner, resources=[word], waits=[waits(main, word)]))

    assert found is not None
    assert found.title == (
        "MainThread waits at shop.py:12 (load_price), in PySide6, for the end of a QThread"
    )


def test_a_decorator_is_not_what_the_application_called() -> None:
    around = python_frame("deprecated.<locals>.wrapper", 99, f"{SITE}/somepool/decorators.py")
    alone = thread("worker", 101, python=[IN_STDLIB, around, OWN, MAIN])
    assert library_entry(replace(alone, python_stack=(IN_PACKAGE, ENTRY, around, OWN))) == (
        "somepool/__init__.py:7 (Engine.connect)"
    )
    assert library_entry(alone) == "decorators.py:99 (wrapper)"


def test_a_rank_of_which_the_others_are_not_looked_at_waits_for_them_and_not_for_clients() -> None:
    made = waiting(IN_PACKAGE, OWN, seconds=(0, 1, 3))
    (main,) = made.threads()
    rank = replace(main, calling="mpi4py.MPI.Intracomm.gather")
    native = replace(thread("async", 101), is_python=False)
    made = replace(made, processes=(replace(made.processes[0], threads=(rank, native)),), waits=())
    made = replace(made, listening=(Listening(native.id, "TCP port 127.0.0.1:5555", 0),))
    finding = told(made)
    assert finding is not None
    assert "for other ranks of its job, in mpi4py.MPI.Intracomm.gather for 3 s" in finding.title
    assert "look at all ranks of the job at once" in finding.sentence
    assert "connects" not in finding.sentence


@pytest.mark.parametrize(
    ("way", "said", "rule"),
    [
        ("get: it waits for an item", "for an item of Sender.answers", "waiting-in-library"),
        ("put: it waits for room", "for room in Sender.answers", "waiting-for-others"),
    ],
)
def test_who_waits_for_the_end_of_a_thread_is_told_what_that_waits_for(
    way: str, said: str, rule: str
) -> None:
    looks = []
    for second in (0, 2):
        main = counted(thread("MainThread", 100, python=[IN_PACKAGE, ENTRY, OWN]))
        worker = counted(thread("sender", 101, 100, python=[IN_PACKAGE]))
        full = replace(lock("Sender.answers", 1, NodeKind.QUEUE, pid=100), wakers_known=True)
        its = waits(worker, full, text=f"Queue.{way}")
        other = counted(thread("collector", 102, 100, python=[OWN]), 7 + second)
        made = capture(main, worker, other, resources=[full], waits=[waits(main, worker), its])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    finding = findings.run(with_progress(looks))[0]

    assert finding.id == rule
    assert "sender waits at" in finding.sentence
    assert said in finding.sentence
    assert "Who could end that is not recorded" not in finding.sentence


@pytest.mark.parametrize(
    ("data_bytes", "severity"), [(6, Severity.WARNING), (90_000, Severity.NOTE)]
)
def test_who_waits_for_what_comes_piece_by_piece(data_bytes: int, severity: Severity) -> None:
    peer = lock("TCP connection to 10.0.0.9:443", 5, NodeKind.SOCKET)
    looks = []
    for second in (0, 1, 2, 3):
        main = counted(thread("MainThread", 100, python=(IN_PACKAGE, OWN), still=False), second)
        came = replace(peer, traffic=Traffic(9.0, 9.1, sent_last=True, came=second * data_bytes))
        wait = waits(main, came, expires=True, operation="receive")
        made = capture(main, resources=[came], waits=[wait])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))
    found = told(with_progress(looks))
    assert found is not None
    assert found.severity is severity
    assert "over which data comes again and again" in found.title
    assert f"In 3 s {3 * data_bytes} bytes came over it, at 3 moments or more:" in found.sentence
    assert "counts anew from one piece to the next" in found.advice[0]


def test_bytes_of_another_connection_that_took_the_place_of_one_are_not_counted() -> None:
    peer = lock("TCP connection to 10.0.0.9:443", 5, NodeKind.SOCKET)
    looks = []
    for came in (900, 3, 5):
        main = thread("MainThread", 100, python=(IN_PACKAGE, OWN))
        one = replace(peer, traffic=Traffic(9.0, 0.1, sent_last=False, came=came))
        looks.append(capture(main, resources=[one], waits=[waits(main, one)]))
    (found,) = arrivals(looks, (0.0, 1.0, 2.0))
    assert (found.data_bytes, found.times, found.lasted_s) == (2, 1, 1.0)


@pytest.mark.parametrize(
    ("seconds", "caller", "severity"),
    [
        (20.0, IN_PACKAGE, Severity.NOTE),
        (90.0, IN_PACKAGE, Severity.WARNING),
        (None, IN_PACKAGE, Severity.WARNING),
        (20.0, python_frame("run", 9, f"{SITE}/otherpool/run.py"), Severity.WARNING),
    ],
    ids=["soon", "later", "no sleep", "another package's"],
)
def test_what_its_jobs_do_by_the_clock_will_come(
    seconds: float | None, caller: PythonFrame, severity: Severity
) -> None:
    """Those that the package has called the application for, in another thread."""
    alone = waiting(IN_STDLIB, IN_PACKAGE, OWN, MAIN, seconds=(0, 1, 2, 3))
    (one,) = alone.processes
    call = Syscall("clock_nanosleep", sleep=Sleep(seconds, None) if seconds else None)
    job = thread("job", 101, python=(OWN, caller, BOOTSTRAP), syscall=call)
    beside = replace(alone, processes=(replace(one, threads=(*one.threads, counted(job))),))

    for made, expected in ((alone, Severity.WARNING), (beside, severity)):
        found = told(made)
        assert found is not None
        assert found.severity is expected


@pytest.mark.parametrize(("pid", "told_there"), [(200, True), (100, False)])
def test_who_has_the_other_end_of_a_pipe_is_told_of_another_process(
    pid: int, told_there: bool
) -> None:
    made = waiting(IN_PACKAGE, OWN, seconds=(0, 1, 3))
    (main,) = made.threads()
    keeper = thread("keeper", pid + 1, pid, python=[python_frame("rest", 4)])
    line = lock("the stdout pipe of process 200", 2, NodeKind.PIPE)
    if pid == main.pid:
        processes: tuple[Process, ...] = (replace(made.processes[0], threads=(main, keeper)),)
    else:
        processes = (made.processes[0], process(pid, keeper))
    wait, hold = waits(main, line, expires=True, operation="read"), holds(line, keeper)
    made = replace(made, processes=processes, resources=(line,), waits=(wait,), holds=(hold,))
    finding = told(made)
    assert finding is not None
    assert ("; there keeper" in finding.title) is told_there


def test_what_a_with_has_entered_is_told_by_the_method_that_this_has_called() -> None:
    enters = python_frame("Semaphore.__enter__", 529, IN_PACKAGE.filename)
    takes = python_frame("Lock.acquire", 84, IN_PACKAGE.filename)
    hidden = python_frame("Lock._take", 90, IN_PACKAGE.filename)
    alone = thread("MainThread", python=[takes, enters, OWN])
    assert library_entry(alone).endswith(":84 (Lock.acquire)")
    own = replace(alone, python_stack=(hidden, enters, OWN))
    assert library_entry(own).endswith(":529 (Semaphore.__enter__)")


@pytest.mark.parametrize(("name", "found"), [("sleep", False), ("run", True)])
def test_who_sleeps_by_the_function_of_a_package_ticks(name: str, found: bool) -> None:
    """As a loop of the program's own beside a server of flask_socketio."""
    inner = python_frame(f"Server.{name}", 405, f"{SITE}/engineio/server.py")
    outer = python_frame("SocketIO.sleep", 783, f"{SITE}/flask_socketio/__init__.py")
    looks = []
    for second in (0, 1, 2):
        tick = thread("tick", 101, python=(inner, outer, OWN), syscall=Syscall("clock_nanosleep"))
        made = capture(thread("MainThread", 100), counted(tick, second * 7))
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))

    assert (told(with_progress(looks)) is not None) is found


def test_a_server_that_was_met_at_a_lock_on_its_way_round_serves() -> None:
    serves = python_frame("_Server.wait_for_termination", 9, f"{SITE}/grpc/_server.py")
    semaphore = lock("semaphore in libpython3.13.so", 3, NodeKind.MUTEX, module="/libpython")
    looks = []
    for second in (0, 1, 2):
        main = thread("MainThread", 100, python=(serves, OWN, MAIN), still=False)
        main = counted(main, second * 7)
        made = capture(main, resources=[semaphore], waits=[waits(main, semaphore, expires=True)])
        looks.append(replace(made, taken_at=f"2026-01-02T03:04:{second:02}+00:00"))

    assert told(with_progress(looks)) is None
