"""A worker that asks the server of its own program."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.beyond_doubt import no_rest
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Child,
    EventLoop,
    LoopState,
    NodeKind,
    Progress,
    Severity,
    Surroundings,
    Syscall,
    Thread,
)
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

HTTP = python_frame("HTTPConnection.getresponse", 638, "/venv/lib/python3.11/http/client.py")
MANAGERS = "/usr/lib/python3.11/multiprocessing/managers.py"
CONNECTION = "/usr/lib/python3.11/multiprocessing/connection.py"


def asks(name: str, pid: int, line: int) -> Thread:
    stack = [HTTP, python_frame("ask", 23), python_frame("predict", line)]
    return thread(name, pid, pid, python=stack)


def program(*, ppid: int) -> Capture:
    """A worker and a client ask a server; *ppid*: who has started that."""
    worker, client = asks("MainThread", 201, 35), asks("MainThread", 100, 45)
    serves = thread("MainThread", 300, 300, python=[python_frame("run", 9)])
    sockets = [lock(f"the TCP connection to 127.0.0.1:80{n}", n, NodeKind.SOCKET) for n in (1, 2)]
    made = capture(
        *(client, worker, serves),
        resources=sockets,
        waits=[
            replace(waits(one, socket), operation="receive")
            for one, socket in zip((client, worker), sockets, strict=True)
        ],
        holds=[holds(socket, serves) for socket in sockets],
    )
    parents = {100: 1, 201: 100, 300: ppid}
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in made.threads())
    processes = tuple(replace(one, ppid=parents[one.pid]) for one in made.processes)
    return replace(made, processes=processes, progress=seen)


def test_a_server_that_the_program_has_started_itself() -> None:
    finding = findings.run(program(ppid=100))[0]
    assert finding.id == "waiting-for-peer"
    assert finding.title.endswith("; a process of the same program has the other end")
    assert "Process 300 is of the same program (process 100 has started it)" in finding.sentence
    assert "MainThread of process 201 waits for it as well at main.py:23 (ask)" in finding.sentence
    assert "main.py:35 (predict)" in finding.sentence


def test_the_only_one_who_asks_the_server_that_it_has_started() -> None:
    made = program(ppid=100)
    made = replace(made, processes=tuple(one for one in made.processes if one.pid != 201))
    finding = findings.run(replace(made, waits=made.waits[:1]))[0]
    assert finding.id == "waiting-for-peer"
    assert "(process 100 has started it): if it needs process 100 to answer" in finding.sentence


def test_a_server_of_somebody_else() -> None:
    told = findings.run(program(ppid=7))
    assert all("of the same program" not in one.sentence for one in told)


def test_who_serves_a_client_of_a_manager_waits_behind_nobody() -> None:
    made = program(ppid=100)
    stack = [
        python_frame("Connection._recv", 395, CONNECTION),
        python_frame("_ConnectionBase.recv", 250, CONNECTION),
        python_frame("Server.serve_client", 253, MANAGERS),
    ]
    rests = thread("MainProcess", 401, 400, python=stack)
    socket = lock("a Unix socket", 3, NodeKind.SOCKET)
    client = made.threads()[0]
    beside = capture(rests).processes
    made = replace(
        made,
        processes=(*made.processes, *beside),
        resources=(*made.resources, socket),
        waits=(*made.waits, replace(waits(rests, socket), operation="receive")),
        holds=(*made.holds, holds(socket, client)),
    )
    assert "behind" not in findings.run(made)[0].sentence


@pytest.mark.parametrize(("function", "owed"), [("BaseProxy._callmethod", True), ("take", False)])
def test_who_asks_a_manager_expects_its_answer_also_where_a_package_runs(
    *, function: str, owed: bool
) -> None:
    """It has not left its thread to that to serve."""
    file = MANAGERS if owed else "/venv/lib/python3.11/site-packages/tester/wire.py"
    stack = [
        python_frame("Connection._recv", 395, CONNECTION),
        python_frame(function, 821, file),
        python_frame("run", 134, "/venv/lib/python3.11/site-packages/tester/runner.py"),
        python_frame("examine", 42),
    ]
    asker = thread("MainThread", python=stack)
    socket = lock("a Unix socket", 3, NodeKind.SOCKET)
    wait = replace(waits(asker, socket), operation="receive")
    seen = Progress(asker.id, 5, 2.0, 2.0, 0.0, same_line=True, same_stack=True)
    made = replace(capture(asker, resources=[socket], waits=[wait]), progress=(seen,))
    (found,) = (one for one in findings.run(made) if one.id == "waiting-for-peer")
    assert (found.severity is Severity.WARNING) is owed
    assert (
        no_rest(asker, build(made).waits_of(asker.id)[0], None, words_of(made, build(made))) is owed
    )


def test_a_loop_that_has_handed_the_request_on_to_a_thread_of_its_pool() -> None:
    asker = asks("visitor", 101, 45)
    asker = replace(asker, pid=100)
    server = thread("MainThread", 100, 100, python=[python_frame("run", 9)])
    run = python_frame("_WorkItem.run", 58, "/usr/lib/python3.12/concurrent/futures/thread.py")
    worker = thread("asyncio_0", 102, 100, python=[python_frame("open_page", 37), run])
    meter = thread("meter", 103, 100, python=[python_frame("measure", 26)])
    socket = lock("a TCP connection", 1, NodeKind.SOCKET)
    drawn = lock("drawn", 2, NodeKind.EVENT)
    made = capture(
        *(server, asker, worker, meter),
        resources=[socket, drawn],
        waits=[
            replace(waits(asker, socket), operation="receive"),
            waits(worker, meter),
            waits(meter, drawn),
        ],
        holds=[holds(socket, server)],
    )
    looks = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0) for one in made.threads())
    made = replace(made, progress=looks)
    loop = EventLoop(100, 9, "loop", LoopState.IDLE, 100, watched=1)
    for loops, told in (((loop,), True), ((), False)):
        found = findings.run(replace(made, event_loops=loops))
        first = next(one for one in found if one.id == "waiting-for-peer")
        said = "Meanwhile asyncio_0 waits at main.py:37 (open_page) for meter to end: the answer"
        assert (said in first.sentence) is told
        assert ("meter waits at main.py:26 (measure) for drawn" in first.sentence) is told


def test_the_loop_of_a_package_whose_thread_stands_in_the_answer_before() -> None:
    waitress = "/venv/lib/python3.12/site-packages/waitress/"
    asker = replace(asks("visitor", 101, 45), pid=100)
    loop = thread(
        "library",
        102,
        100,
        python=[python_frame("poll", 167, f"{waitress}wasyncore.py")],
        syscall=Syscall("poll"),
    )
    serves = python_frame("HTTPChannel.write_soon", 355, f"{waitress}channel.py")
    worker = thread("waitress-0", 103, 100, python=[serves])
    socket, room = lock("a TCP connection", 1, NodeKind.SOCKET), lock("room", 2, NodeKind.CONDITION)
    made = capture(
        *(loop, asker, worker),
        resources=[socket, room],
        waits=[replace(waits(asker, socket), operation="receive"), waits(worker, room)],
        holds=[holds(socket, loop)],
    )
    looks = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0) for one in made.threads())
    found = findings.run(replace(made, progress=looks))
    first = next(one for one in found if one.id == "waiting-for-peer")
    assert "Meanwhile waitress-0 waits at channel.py:355 (HTTPChannel.write_soon)" in first.sentence


def test_a_client_of_a_manager_has_the_lock_that_another_client_waits_for() -> None:
    """Who waits for what only the other one would bring is told to have it."""
    asks_it = python_frame("BaseProxy._callmethod", 821, MANAGERS)
    serves_it = python_frame("Server.serve_client", 273, MANAGERS)
    trainer = thread("MainThread", 101, 101, python=[asks_it, python_frame("take_rows", 23)])
    filler = thread("MainThread", 102, 102, python=[asks_it, python_frame("fill", 17)])
    first = thread("Thread-2", 104, 103, python=[serves_it])
    second = thread("Thread-3", 105, 103, python=[serves_it])
    rows = lock("rows", 1, NodeKind.QUEUE)
    guard = lock("guard", 2, NodeKind.LOCK)
    one, other = lock("a socket", 3, NodeKind.SOCKET), lock("a socket", 4, NodeKind.SOCKET)
    made = capture(
        *(thread("MainThread", 100, 100), trainer, filler),
        *(thread("MainThread", 103, 103), first, second),
        resources=[rows, guard, one, other],
        waits=[
            replace(waits(trainer, one), operation="receive", answering=(first.id,)),
            replace(waits(filler, other), operation="receive", answering=(second.id,)),
            waits(first, rows),
            waits(second, guard),
        ],
        holds=[holds(one, first), holds(other, second), holds(guard, trainer)],
    )
    children = tuple(Child(pid, "python3", "S") for pid in (101, 102, 103))
    starter, *others = made.processes
    starter = replace(starter, ppid=1, around=Surroundings(children=children))
    made = replace(made, processes=(starter, *(replace(one, ppid=100) for one in others)))
    found = next(
        one
        for one in findings.run(made)
        if one.id == "waiting-for-peer" and one.threads[0].pid == trainer.pid
    )
    assert "for guard of that manager, which MainThread" in found.title
