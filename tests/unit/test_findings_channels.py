"""Findings about processes that wait for each other by pipes, sockets and each other's end."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.peer_end import other_end
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Ends,
    Evidence,
    Finding,
    NodeKind,
    Progress,
    PythonFrame,
    Resource,
    Severity,
    Source,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Unattended,
    Wait,
    Watched,
    process_id,
    resource_id,
    shared_id,
    thread_id,
)
from hangtui.older_capture import named
from tests.unit.factories import (
    between,
    capture,
    holds,
    lock,
    only,
    python_frame,
    stood,
    thread,
    waits,
)

PARENT, CHILD = 100, 200
LAUNCHER = "/venv/lib/python3.11/site-packages/lightning/launchers/multiprocessing.py"


def channel(kind: NodeKind, label: str, key: str = "1") -> Resource:
    return named(Resource(shared_id(kind, key), kind, label, CHILD, 0))


def tcp(remote: str, local: str, key: str = "1") -> Resource:
    label = f"TCP connection to {remote} (from {local})"
    return between(channel(NodeKind.SOCKET, label, key), local, remote)


def text(finding: Finding) -> str:
    return " ".join((finding.title, finding.sentence, *finding.evidence, *finding.advice))


def unread_pipe(
    certainty: Certainty = Certainty.PROVEN, writer: str = "/app/child.py"
) -> tuple[Capture, Thread, Thread]:
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("run_report", 15)])
    child = thread("MainThread", CHILD, CHILD, python=[python_frame("print_all", 2, writer)])
    process = named(
        Resource(process_id(CHILD), NodeKind.PROCESS, "process 200 (child.py)", CHILD, 0)
    )
    pipe = channel(NodeKind.PIPE, "stdout pipe of process 200 (child.py)")
    made = capture(
        parent,
        child,
        resources=[process, pipe],
        waits=[
            waits(parent, process, where="/app/main.py:15", operation="end"),
            waits(child, pipe, operation="write"),
        ],
        holds=[holds(process, child, certainty), holds(pipe, parent)],
    )
    return made, parent, child


def test_a_parent_that_does_not_read_what_its_child_writes() -> None:
    made, _, _ = unread_pipe()
    finding = only(made)
    assert finding.severity is Severity.ERROR
    assert finding.title == (
        "Deadlock: MainThread of process 100 and MainThread of process 200 wait for each other "
        "(the stdout pipe of process 200)"
    )
    assert finding.sentence == (
        "MainThread of process 100 waits at main.py:15 (run_report) for process 200 (child.py) to "
        "end; MainThread of process 200 waits at child.py:2 (print_all) for room in the stdout "
        "pipe of process 200, which is full and which only MainThread of process 100 can read. "
        "Neither can go on."
    )
    assert finding.unknown == ()
    assert any("communicate()" in line for line in finding.advice)
    assert not any("Release" in line or "one order" in line for line in finding.advice)


def test_a_file_lock_is_given_back_before_the_child_is_waited_for() -> None:
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("install", 26)])
    child = thread("MainThread", CHILD, CHILD)
    process = named(
        Resource(process_id(CHILD), NodeKind.PROCESS, "process 200 (child.py)", CHILD, 0)
    )
    held = channel(NodeKind.FILE_LOCK, "the file lock /srv/packages.lock", "1")
    finding = only(
        capture(
            parent,
            child,
            resources=[process, held],
            waits=[
                waits(parent, process, where="/app/main.py:26", operation="end"),
                waits(child, held),
            ],
            holds=[holds(process, child), holds(held, parent)],
        )
    )
    assert finding.advice[0].startswith(
        "Give the file lock /srv/packages.lock back before you wait for process 200 (child.py)"
    )
    assert not any(line.startswith("Or ask") for line in finding.advice)


def test_a_file_lock_is_given_back_before_an_answer_is_waited_for() -> None:
    asker = thread("MainThread", PARENT, PARENT, python=[python_frame("look_up", 54)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("read_zone", 23)])
    line = channel(NodeKind.SOCKET, "the TCP connection to 127.0.0.1:53", "2")
    held = channel(NodeKind.FILE_LOCK, "the file lock /srv/harbour.zone", "1")
    finding = only(
        capture(
            asker,
            server,
            resources=[line, held],
            waits=[waits(asker, line, operation="read"), waits(server, held)],
            holds=[holds(line, server), holds(held, asker)],
        )
    )
    assert finding.advice[0].startswith(
        "Give the file lock /srv/harbour.zone back before you wait for an answer"
    )
    assert not any("sends first" in one or one.startswith("Or ask") for one in finding.advice)


def test_a_queue_is_to_be_drained() -> None:
    made, _, _ = unread_pipe(writer="/usr/lib/python3.11/multiprocessing/queues.py")
    assert any(line.startswith("Drain the queue") for line in only(made).advice)


def test_an_end_that_is_inferred_makes_it_possible_only() -> None:
    made, _, _ = unread_pipe(Certainty.INFERRED)
    finding = only(made)
    assert finding.severity is Severity.WARNING
    assert finding.title.startswith("Possible deadlock")
    assert finding.unknown[0] == (
        "whether process 200 (child.py) depends on MainThread of process 200: that is inferred, "
        "not read"
    )


def test_two_ends_of_a_connection() -> None:
    one, other = thread("MainThread", PARENT, PARENT), thread("MainThread", CHILD, CHILD)
    near = tcp("127.0.0.1:80", "127.0.0.1:9000", "1")
    far = tcp("127.0.0.1:9000", "127.0.0.1:80", "2")
    made = capture(
        one,
        other,
        resources=[near, far],
        waits=[waits(one, near, operation="receive"), waits(other, far, operation="receive")],
        holds=[holds(near, other), holds(far, one)],
    )
    said = text(only(made))
    assert "for data from the TCP connection to 127.0.0.1:80" in said
    assert "the other end of which MainThread of process 200 has" in said
    assert "settimeout" in said


def test_who_has_the_other_end_of_a_ring_in_hand() -> None:
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("run", 18)])
    handler = thread("handler", 101, PARENT, python=[python_frame("wait_for_version", 55)])
    child = thread("MainThread", CHILD, CHILD, python=[python_frame("receive", 61)])
    near = tcp("127.0.0.1:80", "127.0.0.1:9000", "1")
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200 (main.py)", CHILD, 0))
    version = lock("Server.version", 0x10, NodeKind.CONDITION, PARENT)
    has = holds(near, parent, Certainty.PROVEN)
    by_kernel = replace(has, evidence=replace(has.evidence, source=Source.PROCFS))
    answered = replace(waits(child, near, operation="receive"), answering=(handler.id,))
    made = capture(
        parent,
        handler,
        child,
        resources=[near, ends, version],
        waits=[waits(parent, ends, operation="end"), answered, waits(handler, version)],
        holds=[by_kernel, holds(ends, child, Certainty.PROVEN)],
    )
    finding = only(made, "deadlock")
    assert "; handler at main.py:55 (wait_for_version) has the other end in hand" in finding.title
    assert (
        "the other end of which process 100 has, where MainThread of process 100 would "
        "have to go on first: handler waits at main.py:55 (wait_for_version) for Server.version"
    ) in finding.sentence


def test_a_connection_that_nobody_has_accepted_has_no_other_end() -> None:
    one = thread("MainThread", PARENT, PARENT, python=[python_frame("show", 19)])
    other = thread("MainThread", CHILD, CHILD)
    near = tcp("127.0.0.1:80", "127.0.0.1:9000", "1")
    far = tcp("127.0.0.1:9000", "127.0.0.1:80", "2")
    near = replace(near, unaccepted=True)
    made = capture(
        one,
        other,
        resources=[near, far],
        waits=[waits(one, near, operation="receive"), waits(other, far, operation="receive")],
        holds=[holds(near, other), holds(far, one)],
    )
    finding = only(made)
    assert (
        "127.0.0.1:80, which nobody has accepted: MainThread of process 200 is to do so, where it "
        "listens" in text(finding)
    )
    assert "wait for each other at main.py:19 (show) (the TCP connection to" in finding.title
    assert finding.advice[0].startswith("Let the server accept a connection while it serves")


def test_of_who_listens_and_waits_for_another_peer_that_one_is_told() -> None:
    rank = thread("MainThread", PARENT, PARENT, python=[python_frame("join_job", 36)])
    root = thread("MainThread", CHILD, CHILD, python=[python_frame("read_hello", 11)])
    probe = thread("MainThread", 300, 300, python=[python_frame("look_in", 47)])
    near = tcp("127.0.0.1:80", "127.0.0.1:9000", "1")
    near = replace(near, unaccepted=True)
    silent = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:9001", "2")
    made = capture(
        rank,
        root,
        probe,
        resources=[near, silent],
        waits=[waits(rank, near, operation="receive"), waits(root, silent, operation="receive")],
        holds=[holds(near, root), holds(silent, probe)],
    )
    words = words_of(made, build(made))
    said = other_end(rank, ["MainThread of process 200"], words)
    assert "Who has the other end of what it waits for: MainThread of process 300" in said
    assert "main.py:47 (look_in)" in said


def test_what_waits_at_a_connection_of_its_own_is_told() -> None:
    receives = python_frame(
        "Connection.recv", 250, "/usr/lib/python3.11/multiprocessing/connection.py"
    )
    main = thread("MainThread", PARENT, PARENT, python=[receives, python_frame("bake", 50)])
    socket = tcp("127.0.0.1:80", "127.0.0.1:9000")
    made = capture(
        main,
        resources=[socket],
        waits=[waits(main, socket, operation="receive", where="main.py:50")],
        holds=[holds(socket, main, Certainty.PROVEN)],
    )
    assert "main.py:50 (bake), in Connection.recv (connection.py:250), for" in only(made).sentence


@pytest.mark.parametrize(
    ("filename", "advice"),
    [
        ("/usr/lib/python3.11/asyncio/events.py", "Do not block inside the event loop"),
        ("/app/client.py", "Serve the other end"),
    ],
)
def test_a_thread_that_would_have_to_answer_itself(filename: str, advice: str) -> None:
    frames = [python_frame("check_health", 18), python_frame("_run", 80, filename)]
    main = thread("MainThread", PARENT, PARENT, python=frames)
    socket = tcp("127.0.0.1:80", "127.0.0.1:9000")
    made = capture(
        main,
        resources=[socket],
        waits=[waits(main, socket, operation="receive")],
        holds=[holds(socket, main, Certainty.PROVEN)],
    )
    finding = only(made)
    assert finding.id == "self-deadlock"
    assert "which only it could serve itself" in finding.title
    assert finding.advice[0].startswith(advice)
    assert ("event loop" in finding.sentence) is ("asyncio" in filename)


@pytest.mark.parametrize(
    ("operation", "advice"),
    [
        ("read", "Close the writing end of the pipe 7 in the process"),
        ("write", "Serve the other end"),
    ],
)
def test_who_reads_from_a_pipe_whose_writing_end_it_has_is_to_close_that(
    operation: str, advice: str
) -> None:
    main = thread("MainThread", PARENT, PARENT, python=[python_frame("sum_up", 9)])
    pipe = channel(NodeKind.PIPE, "pipe 7")
    made = capture(
        main,
        resources=[pipe],
        waits=[waits(main, pipe, operation=operation)],
        holds=[holds(pipe, main, Certainty.PROVEN)],
    )
    assert only(made).advice[0].startswith(advice)


def test_processes_are_told_apart_only_where_names_are_not_enough() -> None:
    made, _, _ = unread_pipe()
    other = thread("MainThread", CHILD + 1, CHILD, still=False)
    named_alike = capture(
        *made.threads(),
        other,
        resources=made.resources,
        waits=made.waits,
        holds=made.holds,
    )
    assert f"MainThread (TID {CHILD})" in only(named_alike).sentence
    assert thread_id(CHILD, CHILD) in {wait.waiter for wait in made.waits}


def test_what_the_thread_does_that_has_the_other_end_in_hand() -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 15)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    worker = thread("worker", 201, CHILD, python=[python_frame("answer", 7)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    jobs = named(
        Resource(resource_id(NodeKind.QUEUE, CHILD, 0x1), NodeKind.QUEUE, "jobs", CHILD, 1)
    )
    asks = replace(waits(client, connection), operation="receive", answering=(worker.id,))
    made = capture(
        *(client, server, worker),
        resources=[connection, jobs],
        waits=[asks, replace(waits(worker, jobs), call="Queue.get")],
        holds=[holds(connection, server, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert (
        "The other end is in the hands of process 200 (main.py): worker waits at main.py:7 "
        "(answer) for an item of jobs (Queue.get)."
    ) in found.sentence


def test_what_the_one_that_is_to_answer_waits_for_comes_first() -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 15)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    worker = thread("worker", 201, CHILD, python=[python_frame("answer", 7)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    store = named(
        Resource(resource_id(NodeKind.LOCK, CHILD, 0x1), NodeKind.LOCK, "store", CHILD, 1)
    )
    asks = replace(waits(client, connection, operation="receive"), answering=(worker.id,))
    made = capture(
        *(client, server, worker),
        resources=[connection, store],
        waits=[asks, waits(worker, store)],
        holds=[holds(connection, server, Certainty.PROVEN)],
    )
    told = [one.id for one in findings.run(made)]

    assert told.index("waiting-for-others") < told.index("waiting-for-peer")


def test_a_lock_that_who_is_to_answer_needs_first() -> None:
    """As a handler of a web server that asks the same server, with the lock of its session."""
    asks = thread("worker-1", 101, PARENT, python=[python_frame("dashboard", 29)])
    serves = thread("worker-2", 102, PARENT, python=[python_frame("numbers", 12)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    session = named(
        Resource(resource_id(NodeKind.RLOCK, PARENT, 1), NodeKind.RLOCK, "s", PARENT, 1)
    )
    made = capture(
        *(asks, serves),
        resources=[connection, session],
        waits=[waits(asks, connection, operation="receive"), waits(serves, session)],
        holds=[holds(connection, serves), holds(session, asks)],
    )

    assert (
        only(made)
        .advice[0]
        .startswith(
            "Give s back before you wait for an answer at main.py:29 (dashboard): who is to send it"
        )
    )


@pytest.mark.parametrize("forked", [True, False], ids=["for a request", "to serve as well"])
def test_a_child_that_asks_the_server_which_waits_for_its_end(*, forked: bool) -> None:
    """As ForkingMixIn of socketserver does, once it has all the children that it may have."""
    client = thread("ida", PARENT, PARENT, python=[python_frame("ask", 14)])
    server = thread("registry", 102, PARENT, python=[python_frame("collect", 574)])
    inside = PythonFrame("ForkingMixIn.process_request", "/usr/lib/python3/socketserver.py", 625)
    child = thread(
        "registry", CHILD, CHILD, python=[python_frame("street", 25), *([inside] * forked)]
    )
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    back = replace(channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "3"), unaccepted=True)
    made = capture(
        *(client, server, child),
        resources=[connection, back],
        waits=[
            waits(client, connection, operation="receive"),
            waits(child, back, operation="receive"),
            waits(server, process_id(CHILD)),
        ],
        holds=[holds(connection, child), holds(back, server), holds(back, child)],
    )
    found = next(one for one in findings.run(made) if one.title.startswith("ida of"))

    said = "waits at main.py:574 (collect) for main.py to end. So each of the two processes"
    assert (said in found.sentence) is forked
    assert ("for process 100 to accept its connection" in found.title) is forked
    asks = next(
        one for one in findings.run(made) if one.title.startswith("registry of process 200")
    )
    if forked:
        assert "nobody has accepted it yet: registry of process 100 waits" in asks.title
        assert "and listens there. So each of the two waits for the other" in asks.sentence


@pytest.mark.parametrize("listens", [True, False], ids=["this process", "another one"])
def test_a_server_that_calls_back_into_who_waits_for_it(*, listens: bool) -> None:
    """As Pyro does for a callback, where the client runs no loop of its own."""
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("convert", 24)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    worker = thread("worker", 201, CHILD, python=[python_frame("report", 13)])
    third = thread("MainThread", 300, 300, python=[python_frame("rest", 1)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    back = replace(channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:81", "3"), unaccepted=True)
    asks = replace(waits(client, connection), operation="receive", answering=(worker.id,))
    made = capture(
        *(client, server, worker, third),
        resources=[connection, back],
        waits=[asks, waits(worker, back, operation="receive")],
        holds=[holds(connection, server), holds(back, client if listens else third)],
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    said = "Only process 100 itself listens for the connection which is waited for there"
    assert (said in found.sentence) is listens
    ask = "; there worker waits at main.py:13 (report) for process 100 to accept its connection"
    assert (ask in found.title) is listens


@pytest.mark.parametrize(
    ("ends", "expires", "mutual"),
    [
        (("127.0.0.1:9000", "127.0.0.1:80"), False, True),
        (("127.0.0.1:9000", "127.0.0.1:80"), True, False),
        (("127.0.0.1:9001", "127.0.0.1:80"), False, False),
    ],
    ids=["each other", "it gives up", "another client"],
)
def test_two_threads_that_wait_for_data_of_one_connection(
    ends: tuple[str, str], *, expires: bool, mutual: bool
) -> None:
    """As an HTTP server that keeps the connection, and a client that reads to its end."""
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 15)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    line = python_frame("POP3.list", 245, "/usr/lib/python3.12/poplib.py")
    worker = thread("worker", 201, CHILD, python=[line, python_frame("answer", 7)])
    remote, own = ends
    here = tcp("127.0.0.1:80", "127.0.0.1:9000", "2")
    there = tcp(remote, own, "3")
    asks = replace(waits(client, here), operation="receive", answering=(worker.id,))
    made = capture(
        *(client, server, worker),
        resources=[here, there],
        waits=[asks, waits(worker, there, operation="receive", expires=expires)],
        holds=[holds(here, server, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    told = (
        "; there worker waits for more from it at main.py:7 (answer) in POP3.list (poplib.py:245)"
    )
    assert (told in found.title) is mutual
    assert ("So each of the two waits for the other." in found.sentence) is mutual


@pytest.mark.parametrize(
    ("reads", "serves", "done"),
    [("peek", "", True), ("begin", "", False), ("peek", "Narrator.do_GET", False)],
    ids=["an answer left open", "no answer yet", "in the handler"],
)
def test_a_server_that_waits_for_the_next_request_has_done_with_its_answer(
    reads: str, serves: str, *, done: bool
) -> None:
    http, server_file = "/usr/lib/python3.12/http/client.py", "/usr/lib/python3.12/http/server.py"
    inner = python_frame("SocketIO.readinto", 706, "/usr/lib/python3.12/socket.py")
    inside = [python_frame(serves, 24)] if serves else []
    asks_in = [inner, python_frame(f"HTTPResponse.{reads}", 674, http), python_frame("ask", 15)]
    handles = python_frame("BaseHTTPRequestHandler.handle_one_request", 404, server_file)
    client = thread("MainThread", PARENT, PARENT, python=asks_in)
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    worker = thread("worker", 201, CHILD, python=[inner, *inside, handles])
    here, there = tcp("127.0.0.1:80", "127.0.0.1:9000", "2"), tcp("127.0.0.1:9000", "127.0.0.1:80")
    asks = replace(waits(client, here), operation="receive", answering=(worker.id,))
    made = capture(
        *(client, server, worker),
        resources=[here, there],
        waits=[asks, waits(worker, there, operation="receive")],
        holds=[holds(here, server, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert ("; there worker has done with that request" in found.title) is done
    assert ("an empty chunk, or as many bytes as Content-Length says" in found.sentence) is done
    assert any("Have the server end its answer" in one for one in found.advice) is done


@pytest.mark.parametrize("forked", [PARENT, 999], ids=["since a fork", "unrelated"])
def test_processes_that_share_an_end_of_a_connection_take_the_answers_of_one_another(
    forked: int,
) -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("count", 17)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    other = thread("MainThread", 300, 300, python=[python_frame("work", 5)])
    here = tcp("127.0.0.1:80", "127.0.0.1:9000", "2")
    there = tcp("127.0.0.1:9000", "127.0.0.1:80", "3")
    made = capture(
        *(client, server, other),
        resources=[here, there],
        waits=[
            replace(waits(client, here), operation="receive", answering=(server.id,)),
            waits(server, there, operation="receive"),
        ],
        holds=[holds(here, server), holds(there, client), holds(there, other)],
    )
    processes = [
        replace(one, around=Surroundings(forked_from=forked)) if one.pid == 300 else one
        for one in made.processes
    ]
    found = findings.run(replace(made, processes=tuple(processes)))
    told = next(one for one in found if one.id == "waiting-for-peer")
    shared = forked == PARENT
    assert ("; process 300 has the connection as well, since a fork" in told.title) is shared
    assert ("Process 300 has the same end of this connection" in told.sentence) is shared
    assert told.advice[0].startswith("Connect in each process, after the fork") is shared


_RECEIVE = replace(
    python_frame("RequestResponseCycle.receive", 532, "/site-packages/uvicorn/h11_impl.py"),
    package="uvicorn 0.54.0",
)
_LISTEN = replace(
    python_frame("listen_for_disconnect", 249, "/site-packages/starlette/responses.py"),
    package="starlette 1.0",
)


@pytest.mark.parametrize(
    ("inside", "others", "from_", "there", "mutual"),
    [
        ((_RECEIVE,), 0, "127.0.0.1:4711", True, True),
        ((_RECEIVE,), 0, "127.0.0.1:47", True, False),  # of another client; it is the only task
        ((_RECEIVE,), 1, "127.0.0.1:4711", True, False),
        ((_RECEIVE, _LISTEN), 0, "127.0.0.1:4711", True, False),
        ((_RECEIVE,), 1, "127.0.0.1:47", False, False),
    ],
)
def test_the_task_that_waits_for_more_over_the_same_connection(
    inside: tuple[PythonFrame, ...], others: int, from_: str, there: bool, mutual: bool
) -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 15)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    stack = (*inside, python_frame("read_body", 7))
    tasks = [
        Task(CHILD, 0x70 + n, f"t{n}", f"t{n}", TaskState.WAITING, 0x60, CHILD, stack, "a future")
        for n in range(1 + others)
    ]
    label = "next event of the connection to 127.0.0.1:4711 (RequestResponseCycle.receive)"
    event = Resource(resource_id(NodeKind.EVENT, CHILD, 0x1), NodeKind.EVENT, label, CHILD, 1)
    event = between(named(event), None, "127.0.0.1:4711")
    made = capture(
        *(client, server),
        resources=[between(connection, from_, "127.0.0.1:80"), event],
        waits=[
            replace(waits(client, connection), operation="receive"),
            Wait(tasks[0].id, event.id, Evidence(Source.CPYTHON, Certainty.PROVEN, "Event.wait")),
        ],
        holds=[holds(connection, server, Certainty.PROVEN)],
    )
    found = findings.run(replace(made, tasks=tuple(tasks)))
    finding = next(one for one in found if one.id == "waiting-for-peer")

    assert ("There, task t0 waits " in finding.sentence) is there
    assert ("So each of the two waits for the other." in finding.sentence) is mutual
    more = "; there task t0 waits for more from it at main.py:7 (read_body)"
    assert finding.title.endswith(more) is mutual


@pytest.mark.parametrize("ends", [True, False])
def test_a_client_is_told_that_its_server_waits_for_the_end_of_what_it_serves(ends: bool) -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 15)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    function = "Server.shutdown" if ends else "Server.main_loop"
    inside = python_frame(
        function, 320, "/app/.venv/lib/python3.12/site-packages/uvicorn/server.py"
    )
    request = Task(
        *(CHILD, 0x70, "Task-3", "run_asgi", TaskState.WAITING, 0x60, CHILD),
        (python_frame("app", 14),), "a future",
    )  # fmt: skip
    serve = Task(CHILD, 0x71, "Task-1", "serve", TaskState.WAITING, 0x60, CHILD, (inside,), "sleep")
    made = capture(
        *(client, server),
        resources=[connection],
        waits=[replace(waits(client, connection), operation="receive")],
        holds=[holds(connection, server, Certainty.PROVEN)],
    )
    found = findings.run(replace(made, tasks=(request, serve)))
    finding = next(one for one in found if one.id == "waiting-for-peer")

    assert "; there task run_asgi awaits a future at main.py:14 (app)" in finding.title
    while_ = ", while task serve is in Server.shutdown of uvicorn"
    assert finding.title.endswith(while_) is ends
    assert ("Meanwhile task serve is in Server.shutdown of uvicorn." in finding.sentence) is ends


@pytest.mark.parametrize("accepted", [True, False])
def test_a_server_waits_for_a_client_whose_loop_knocks_at_its_door(accepted: bool) -> None:
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("<module>", 15)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    task = Task(
        *(PARENT, 0x70, "Task-1", "main", TaskState.WAITING, 0x60, PARENT),
        (python_frame("open_audit", 14),), "a future",
    )  # fmt: skip
    other = Watched(client.id, "TCP connection to 127.0.0.1:81", None, (CHILD,), accepted=accepted)
    made = capture(
        *(server, client),
        resources=[connection],
        waits=[replace(waits(server, connection), operation="receive")],
        holds=[holds(connection, client, Certainty.PROVEN)],
    )
    found = findings.run(replace(made, tasks=(task,), watched=(other,)))
    finding = next(one for one in found if one.id == "waiting-for-peer")

    knocks = f", and for process {CHILD} to accept another connection"
    assert (knocks in finding.title) is not accepted
    assert ("each of the two waits for the other" in finding.sentence) is not accepted


def test_what_the_other_end_has_not_fetched_and_does_instead() -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 15)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 2)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80", "2")
    connection = replace(connection, traffic=Traffic(7.0, 8.0, sent_last=True, unfetched=24))
    port = channel(NodeKind.SOCKET, "TCP port 127.0.0.1:80", "3")
    made = capture(
        *(client, server),
        resources=[connection, port],
        waits=[
            replace(waits(client, connection), operation="receive"),
            replace(waits(server, port), operation="accept"),
        ],
        holds=[holds(connection, server, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert "nothing has come back since; the last 24 bytes lie unread at the other end." in (
        found.sentence
    )
    assert (
        "Who has the other end has not read it by now: MainThread of process 200 waits at "
        "main.py:2 (serve) for somebody to connect to the TCP port 127.0.0.1:80."
    ) in found.sentence


@pytest.mark.parametrize(
    ("port", "count", "told"), [(80, 77939, True), (80, 31, False), (81, 77939, False)]
)
def test_an_answer_of_the_same_server_that_was_left_unread_is_told(
    port: int, count: int, told: bool
) -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("look_up", 20)])
    connection = tcp("127.0.0.1:80", "127.0.0.1:9000", "2")
    connection = replace(connection, traffic=Traffic(7.0, None, sent_last=True))
    asks = replace(waits(client, connection), operation="receive")
    before = Traffic(None, 16.0, sent_last=False, unread=count)
    ends = Ends(None, f"127.0.0.1:{port}")
    left = Unattended(PARENT, ends.name, "fd 7", before, ends=ends)
    made = replace(stood(capture(client, resources=[connection], waits=[asks])), unattended=(left,))
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert ("bytes from 127.0.0.1:80 lie unread in another connection" in found.sentence) is told
    assert found.advice[0].startswith("Read the answer before") is told


WARNING, NOTE = Severity.WARNING, Severity.NOTE


@pytest.mark.parametrize(
    ("traffic", "of_main", "of_another", "said"),
    [
        (Traffic(311.0, 312.0, True), WARNING, WARNING,
         "It sent data 5 min ago, and nothing has come back since."),
        (Traffic(311.0, 312.0, True, accepted=True), WARNING, NOTE,
         "It sent data 5 min ago, and nothing has come back since."),
        (Traffic(311.0, None, True, unacknowledged=True), WARNING, WARNING,
         "and nothing has come back on this connection: it is not even confirmed."),
        (Traffic(0.2, None, True), NOTE, NOTE,  # it has gone on to its next request
         "It sent data 0.2 s ago, and nothing has come back on this connection."),
        (Traffic(312.0, 40.0, False), NOTE, NOTE,
         "The last data came 40 s ago, and it sent none since."),
        (Traffic(None, None, None), WARNING, NOTE, "No data has gone over this connection yet."),
        (Traffic(40.0, 40.0, None), WARNING, NOTE, "The last data went over it 40 s ago."),
        (None, WARNING, WARNING, "without a timeout. "),
    ],
)  # fmt: skip
def test_who_spoke_last_on_a_connection(
    traffic: Traffic | None, of_main: Severity, of_another: Severity, said: str
) -> None:
    for tid, severity in ((PARENT, of_main), (PARENT + 1, of_another)):
        client = thread("fetcher", tid, PARENT, python=[python_frame("ask", 15)])
        client = replace(client, runs=7, cpu_ns=7000)
        connection = channel(NodeKind.SOCKET, "TCP connection to 10.0.0.1:80", "2")
        connection = replace(connection, traffic=traffic)
        made = capture(
            client,
            resources=[connection],
            waits=[replace(waits(client, connection), operation="receive")],
        )
        looks = [replace(made, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
        finding = only(with_progress(looks))

        assert (finding.id, finding.severity) == ("waiting-for-peer", severity)
        assert said in finding.sentence
        lasts = "5 min" if traffic and traffic.sent_s == 311.0 else "0.2 s"
        silent = f", silent for {lasts}" if traffic and traffic.sent_last else ""
        assert finding.title.endswith(f"no timeout{silent}")


@pytest.mark.parametrize(
    ("called", "traffic", "severity", "what"),
    [
        ("iter_lines", Traffic(41.0, 40.0, False), NOTE, "the next line of an HTTP response"),
        ("iter_lines", Traffic(40.0, 40.0, None), NOTE, "the next line of an HTTP response"),
        ("iter_lines", Traffic(40.0, 41.0, True), WARNING, "the next line of an HTTP response"),
        ("text", Traffic(41.0, 40.0, False), WARNING, "an HTTP response"),
    ],
)
def test_the_next_line_of_a_response_is_not_due(
    called: str, traffic: Traffic, severity: Severity, what: str
) -> None:
    """A stream of events may rest, but not what others wait for."""
    site = "/venv/lib/python3.12/site-packages/requests/models.py"
    stack = [python_frame(f"Response.{called}", 900, site), python_frame("listen", 4)]
    reader = replace(thread("reader", PARENT, python=stack), runs=7, cpu_ns=7000)
    other = thread("other", PARENT + 1, PARENT, python=[python_frame("ask", 9)])
    other = replace(other, runs=7, cpu_ns=7000)
    connection = replace(channel(NodeKind.SOCKET, "TCP connection to 1.2.3.4:80"), traffic=traffic)
    gate = lock("gate", 3)
    own = replace(waits(reader, connection), operation="receive")
    for behind, expected in (([], severity), ([waits(other, gate)], WARNING)):
        made = capture(reader, other, resources=[connection, gate], waits=[own, *behind],
                       holds=[holds(gate, reader)])  # fmt: skip
        looks = [replace(made, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
        found = next(
            one for one in findings.run(with_progress(looks)) if one.id == "waiting-for-peer"
        )
        assert found.severity is expected
        assert f"waits for {what} at " in found.title


@pytest.mark.parametrize(("tid", "severity"), [(PARENT + 1, NOTE), (PARENT, WARNING)])
def test_two_threads_that_are_there_to_receive_from_one_another(
    tid: int, severity: Severity
) -> None:
    here = thread("receiver", tid, PARENT, python=[python_frame("listen", 15)])
    there = thread("receiver", CHILD + 1, CHILD, python=[python_frame("listen", 15)])
    here, there = (replace(one, runs=7, cpu_ns=7000) for one in (here, there))
    one, two = (channel(NodeKind.SOCKET, f"connection to {n}", str(n)) for n in (1, 2))
    made = capture(
        here,
        there,
        resources=[one, two],
        waits=[
            replace(waits(here, one), operation="receive", answering=(there.id,)),
            replace(waits(there, two), operation="receive", answering=(here.id,)),
        ],
    )
    looks = [replace(made, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
    found = [f for f in findings.run(with_progress(looks)) if f.id == "waiting-for-peer"]

    assert {f.severity for f in found if here.tid in {t.tid for t in f.threads}} == {severity}


@pytest.mark.parametrize(("runs", "severity"), [(False, WARNING), (True, NOTE)])
def test_a_reader_that_runs_may_come_to_a_full_pipe(runs: bool, severity: Severity) -> None:
    writer = thread("logger", PARENT, PARENT, python=[python_frame("log", 15)])
    reader = thread("MainThread", CHILD, CHILD, python=[python_frame("rotate", 2)])
    reader = replace(reader, state="R" if runs else "S", still=not runs)
    pipe = channel(NodeKind.PIPE, "the stdin pipe of process 200", "2")
    made = capture(
        writer,
        reader,
        resources=[pipe],
        waits=[replace(waits(writer, pipe), operation="write")],
        holds=[holds(pipe, reader, Certainty.PROVEN)],
    )
    seen = (Progress(reader.id, 3, 0.5, 0.0, 0.0, same_line=True),)
    found = {one.id: one for one in findings.run(replace(made, progress=seen))}

    assert found["output-blocked"].severity is severity
    assert ("nobody reads it" in found["output-blocked"].title) is not runs


def test_who_waits_for_the_end_of_a_thread_that_waits_for_a_peer() -> None:
    handler = thread("handler", PARENT + 1, PARENT, python=[python_frame("handle", 22)])
    main = thread("MainThread", PARENT, PARENT, python=[python_frame("stop_server", 33)])
    connection = channel(NodeKind.SOCKET, "TCP connection to 10.0.0.1:80", "2")
    made = capture(
        main,
        handler,
        resources=[connection],
        waits=[
            replace(waits(handler, connection), operation="receive"),
            waits(main, handler.id),
        ],
    )

    told = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert "Behind it MainThread waits at main.py:33 (stop_server) for handler" in told.sentence


def test_a_child_that_waits_for_a_third_process_is_told_with_that() -> None:
    """It ends once nobody has the pipe any more, which another child has inherited."""
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("stop_tracker", 22)])
    child = thread("MainThread", CHILD, CHILD, python=[python_frame("main", 1, "/app/t.py")])
    server = thread("MainThread", 300, 300, python=[python_frame("serve_prices", 13)])
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200 (t.py)", CHILD, 0))
    pipe = channel(NodeKind.PIPE, "pipe from process 300 to process 200")
    clients = channel(NodeKind.SOCKET, "TCP port ::1:80", "2")
    made = capture(
        *(parent, child, server),
        resources=[ends, pipe, clients],
        waits=[
            waits(parent, ends, operation="end"),
            waits(child, pipe, operation="read"),
            waits(server, clients, operation="accept"),
        ],
        holds=[holds(ends, child), holds(pipe, server)],
    )
    finding = next(
        one
        for one in findings.run(made)
        if one.id == "waiting-for-process" and one.threads[0].pid == PARENT
    )

    assert (
        "waits at t.py:1 (main) for data from the pipe from process 300 to process 200, where "
        "MainThread of process 300 waits at main.py:13 (serve_prices) for somebody to connect to "
        "the TCP port ::1:80."
    ) in finding.sentence


@pytest.mark.parametrize(
    ("children", "inherited"),
    [
        ((Child(7, "bash", "Z", exit_status=-9),), True),
        ((Child(7, "bash", "S"),), False),
        ((Child(7, "bash", "Z", exit_status=-9), Child(CHILD, "sleep", "S")), False),
    ],
)
def test_what_a_child_that_has_ended_left_behind_keeps_its_output_open(
    children: tuple[Child, ...], inherited: bool
) -> None:
    main = thread("MainThread", PARENT, PARENT, python=[python_frame("follow", 19)])
    other = thread("sleep", CHILD, CHILD, syscall=Syscall("clock_nanosleep"))
    pipe = channel(NodeKind.PIPE, "the stdout pipe of process 200", "1")
    made = capture(main, other, resources=[pipe], waits=[waits(main, pipe)],
                   holds=[holds(pipe, other)])  # fmt: skip
    first, second = made.processes
    around = replace(first.around or Surroundings(), children=children)
    made = replace(made, processes=(replace(first, around=around), second))
    finding = only(made, "waiting-for-process")

    assert ("was ended by SIGKILL: process 200, which is none" in finding.sentence) is inherited
    assert bool(finding.advice) is inherited


@pytest.mark.parametrize(
    ("children", "third", "severity"),
    [
        ((), None, Severity.ERROR),
        ((Child(7, "sleep", "S"),), None, Severity.WARNING),
        ((), Syscall("poll", timed=True, timeout_ms=500), Severity.WARNING),
    ],
    ids=["alone", "with a child", "with a thread that polls"],
)
def test_a_ring_over_own_connections_never_ends_if_all_threads_are_in_it(
    children: tuple[Child, ...], third: Syscall | None, severity: Severity
) -> None:
    one, other = thread("MainThread", PARENT, PARENT), thread("server", PARENT + 1, PARENT)
    near = tcp("127.0.0.1:80", "127.0.0.1:9000", "1")
    far = tcp("127.0.0.1:9000", "127.0.0.1:80", "2")
    others = [] if third is None else [thread("third", PARENT + 2, PARENT, syscall=third)]
    made = capture(
        one,
        other,
        *others,
        resources=[near, far],
        waits=[waits(one, near, operation="receive"), waits(other, far, operation="receive")],
        holds=[holds(near, other, Certainty.INFERRED), holds(far, one, Certainty.INFERRED)],
    )
    (process,) = made.processes
    around = Surroundings(children=children, handles_signals=())
    made = replace(
        made,
        processes=(replace(process, around=around, steady=True),),
        progress=tuple(Progress(t.id, 5, 2.0, 2.0, 0.0) for t in (one, other, *others)),
    )
    found = next(finding for finding in findings.run(made) if finding.id == "deadlock")
    assert (found.severity, found.never_ends) == (severity, severity is Severity.ERROR)


def test_where_the_tasks_of_a_loop_stand_that_has_the_other_end() -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("ask", 23)])
    server = thread("MainThread", CHILD, CHILD)
    near = tcp("127.0.0.1:80", "127.0.0.1:9000", "1")
    frames = (python_frame("reserve", 12, "/app/shop.py"),)
    tasks = (
        Task(CHILD, 0x70, "Task-1", "main", TaskState.WAITING, 0x60, CHILD, frames, "a server"),
        Task(CHILD, 0x80, "Task-7", "_handle", TaskState.WAITING, 0x60, CHILD, frames, "a lock"),
    )
    made = capture(
        client,
        server,
        resources=[near],
        waits=[waits(client, near, operation="receive")],
        holds=[holds(near, server)],
    )
    found = findings.run(replace(made, tasks=tasks))
    told = next(one for one in found if one.id == "waiting-for-peer")
    assert "In its event loop task _handle awaits a lock at shop.py:12 (reserve)." in told.sentence
    assert "task main" not in told.sentence


@pytest.mark.parametrize(
    ("unaccepted", "expires", "owed"),
    [(True, False, True), (True, True, False), (False, False, False)],
)
def test_who_accepts_nobody_that_waits_for_it_does_not_rest(
    *, unaccepted: bool, expires: bool, owed: bool
) -> None:
    client = thread("MainThread", PARENT, PARENT, python=[python_frame("send_metric", 16)])
    server = thread("MainThread", CHILD, CHILD, python=[python_frame("serve", 11)])
    socket = channel(NodeKind.SOCKET, "Unix socket /run/metrics", "2")
    event = named(
        Resource(resource_id(NodeKind.EVENT, CHILD, 0x1), NodeKind.EVENT, "migrated", CHILD, 1)
    )
    made = capture(
        *(client, server),
        resources=[replace(socket, unaccepted=unaccepted), event],
        waits=[
            waits(client, socket, operation="connect", expires=expires),
            waits(server, event),
        ],
        holds=[holds(socket, server, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(stood(made)) if one.id == "nobody-left-to-wake")

    assert (found.severity is Severity.ERROR) is owed
    said = (
        "Meanwhile nobody accepts the connections to it: MainThread of process 100 waits at "
        "main.py:16 (send_metric) for the Unix socket /run/metrics to answer."
    )
    assert (said in found.sentence) is unaccepted


def test_what_a_child_waits_for_in_a_function_of_a_library() -> None:
    site = "/venv/lib/python3.12/site-packages"
    file = f"{site}/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py"
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("start_job", 25)])
    agent = thread("MainThread", CHILD, CHILD, python=[python_frame("next_rendezvous", 9, file)])
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200", CHILD, 0))
    made = capture(parent, agent, resources=[ends], waits=[waits(parent, ends, operation="end")])
    found = next(one for one in findings.run(made) if one.id == "waiting-for-process")

    assert "for the agents of the other nodes to join the rendezvous" in found.title
    assert f"There, MainThread of process {CHILD} waits for the agents" in found.sentence


@pytest.mark.parametrize("stood_s", [2.0, 0.0])
def test_a_child_waits_for_room_in_a_pipe_of_who_waits_for_its_end(stood_s: float) -> None:
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("predict_all", 17)])
    child = thread("MainThread", CHILD, CHILD, python=[python_frame("put", 145, LAUNCHER)])
    native = replace(thread("gloo", 201, CHILD, still=False), is_python=False)
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200", CHILD, 0))
    pipe = channel(NodeKind.PIPE, "pipe from process 200 to process 100")
    made = capture(
        *(parent, child, native),
        resources=[ends, pipe],
        waits=[waits(parent, ends, operation="end"), waits(child, pipe, operation="write")],
        holds=[holds(ends, child, Certainty.INFERRED), holds(pipe, parent), holds(pipe, native)],
    )
    seen = [Progress(one.id, 5, 2.0, stood_s, 0.0, same_line=True) for one in made.threads()]
    finding = next(
        one
        for one in findings.run(replace(made, progress=tuple(seen)))
        if one.id == "waiting-for-process" and one.threads[0].pid == PARENT
    )
    warned = stood_s > 0
    assert (finding.severity is Severity.WARNING) is warned
    assert ("that waits for room in the pipe" in finding.title) is warned


@pytest.mark.parametrize("stood_still", [True, False])
def test_two_processes_that_read_from_one_end_of_a_connection(stood_still: bool) -> None:
    first = thread("MainThread", PARENT, PARENT, python=[python_frame("fetch", 17)])
    second = thread("MainThread", CHILD, CHILD, python=[python_frame("fetch", 17)])
    traffic = Traffic(sent_s=20.0, received_s=19.0, sent_last=True)
    end = replace(tcp("10.0.0.9:80", "127.0.0.1:9000", "2"), traffic=traffic)
    made = capture(
        first,
        second,
        resources=[end],
        waits=[waits(first, end, operation="receive"), waits(second, end, operation="receive")],
    )
    made = stood(made) if stood_still else made
    found = [one for one in findings.run(made) if one.id == "waiting-for-peer"]
    shared = [one for one in found if "reads from the same end of it" in one.title]

    assert bool(shared) is stood_still
    assert all(one.severity is Severity.WARNING for one in shared)
    assert all("one has taken what was meant for the other" in one.sentence for one in shared)
