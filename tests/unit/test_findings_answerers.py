"""Who would answer over the connections of ZeroMQ."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.answerers import told_receivers
from hangtui.findings.outside.calm_waits import takes_first
from hangtui.findings.words import words_of
from hangtui.model import (
    UNIX,
    Capture,
    Child,
    MessageSenders,
    Process,
    Progress,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Thread,
    Watched,
)
from tests.unit.factories import capture, native_frame, process, python_frame, thread

ZMQ = "/venv/lib/python3.11/site-packages/zmq/sugar/socket.py"


def _stands(pid: int, *functions: tuple[str, str]) -> Thread:
    stack = [python_frame(name, 30, file) for name, file in functions]
    return replace(thread("MainThread", pid, python=stack), pid=pid)


def _asking(server: Process, peers: tuple[int, ...]) -> Capture:
    client = _stands(101, ("recv_json", ZMQ), ("lookup", "/app/main.py"))
    native = replace(thread("ZMQbg/IO/0", 102, python=[]), pid=101, is_python=False)
    made = replace(capture(), processes=(process(101, client, native), server))
    return replace(
        made,
        watched=(Watched(native.id, UNIX, None, peers),),
        progress=(Progress(client.id, 5, 4.0, 4.0, 0.0, same_stack=True, same_line=True),),
    )


def _server(*ended: str) -> Process:
    server = process(201, _stands(201, ("work", "/app/main.py")))
    assert server.python
    return replace(server, python=replace(server.python, ended=ended))


def test_the_thread_that_would_answer_has_ended() -> None:
    made = _asking(_server("lookup-server"), (201,))
    first = findings.run(made)[0]
    assert first.id == "waiting-in-library"
    assert first.title.endswith(", and no thread of process 201 is in zmq to answer")
    assert "The thread lookup-server has ended there." in first.sentence


@pytest.mark.parametrize("peers", [(), (201, 7)])
def test_who_is_not_known_may_answer(peers: tuple[int, ...]) -> None:
    first = findings.run(_asking(_server("lookup-server"), peers))[0]
    assert "to answer" not in first.title + first.sentence


@pytest.mark.parametrize(("peers", "only"), [((201,), True), ((201, 7), False), ((), False)])
def test_who_waits_for_a_message_that_one_process_alone_could_send(
    peers: tuple[int, ...], *, only: bool
) -> None:
    server = _server()
    made = _asking(server, peers)
    told = told_receivers(server, words_of(made, build(made)))
    assert ("at main.py:30 (lookup), for a message that only process 201 could" in told) is only


def test_a_thread_in_the_library_may_answer() -> None:
    serves = _stands(201, ("recv_json", ZMQ), ("serve", "/app/main.py"))
    first = findings.run(_asking(process(201, serves), (201,)))[0]
    assert "to answer" not in first.title + first.sentence


def test_nothing_has_ended_there() -> None:
    first = findings.run(_asking(_server(), (201,)))[0]
    assert "to answer" not in first.title
    assert "where no thread is in zmq" in first.sentence


@pytest.mark.parametrize("sleeps", [True, False])
def test_who_sleeps_for_a_time_before_it_answers_is_no_warning(*, sleeps: bool) -> None:
    server = _server()
    (main,) = server.threads
    call = Syscall("clock_nanosleep", sleep=Sleep(20.0, 9.0)) if sleeps else Syscall("futex")
    server = replace(server, threads=(replace(main, syscall=call),))
    first = findings.run(_asking(server, (201,)))[0]
    assert first.id == "waiting-in-library"
    assert (first.severity is Severity.NOTE) is sleeps


def test_the_only_one_there_waits_for_a_message_as_well() -> None:
    # pyzmq's Cython calls leave no Python frame: the thread is in the library by its C code.
    served = _stands(201, ("serve_blocks", "/app/main.py"))
    called = replace(native_frame("zmq_msg_recv", "/x/libzmq.so"), package="pyzmq 27.3.0")
    served = replace(served, native_stack=(called,))
    first = findings.run(_asking(process(201, served), (201,)))[0]
    assert "where no thread" not in first.sentence
    assert (
        "open in process 201, where the application waits for a message of this library as well, "
        "instead of sending one: MainThread of process 201 waits at main.py:30 (serve_blocks)"
    ) in first.sentence


def test_what_would_send_there_is_told() -> None:
    served = _stands(201, ("recv_json", ZMQ), ("serve", "/app/main.py"))
    made = _asking(process(201, served), (201,))
    senders = (MessageSenders(201, ("Server.push (main.py:42)",)),)
    first = findings.run(replace(made, message_senders=senders))[0]
    says = " The program sends there in Server.push (main.py:42), which no thread is inside of."
    assert says in first.sentence
    elsewhere = replace(made, message_senders=(MessageSenders(101, senders[0].places),))
    assert "The program sends" not in findings.run(elsewhere)[0].sentence


@pytest.mark.parametrize(
    ("sort", "ended", "severity"),
    [
        ("PULL", (), Severity.NOTE),
        ("ROUTER", (), Severity.NOTE),
        ("REQ", (), Severity.WARNING),
        ("PULL", ("feeder",), Severity.WARNING),
    ],
)
def test_who_takes_what_others_may_send_rests(
    sort: str, ended: tuple[str, ...], severity: Severity
) -> None:
    made = _asking(_server(*ended), (201,))
    client, server = made.processes
    takes = replace(client.threads[0], calling=f"zmq.Socket({sort}).recv")
    made = replace(made, processes=(replace(client, threads=(takes, *client.threads[1:])), server))
    found = next(one for one in findings.run(made) if one.id == "waiting-in-library")
    assert found.severity is severity


@pytest.mark.parametrize(("call", "titled"), [("send_multipart", True), ("recv_json", False)])
@pytest.mark.parametrize("status", [1, 0])
def test_whom_it_would_send_to_may_be_a_child_that_has_ended(
    call: str, status: int, *, titled: bool
) -> None:
    client = _stands(101, (call, ZMQ), ("offer", "/app/main.py"))
    gone = Child(7, "python", "Z", exit_status=status, called="kv-store")
    parent = replace(process(101, client), around=Surroundings(children=(gone,)))
    seen = Progress(client.id, 5, 4.0, 4.0, 0.0, same_stack=True, same_line=True)
    made = replace(capture(), processes=(parent,), progress=(seen,))

    first = next(one for one in findings.run(made) if one.id == "waiting-in-library")

    told = f"process 7 (kv-store) ended with status {status}"
    assert f" Of process 101's children, {told}." in first.sentence
    assert (
        f", and process 7 (kv-store), its child, ended with status {status}" in first.title
    ) is (titled and status == 1)


@pytest.mark.parametrize("takes_next", [False, True])
def test_who_asked_before_and_hears_nothing_of_those_who_listen_as_well_does_not_rest(
    *, takes_next: bool
) -> None:
    served = _stands(201, ("recv_json", ZMQ), ("work", "/app/main.py"))
    made = _asking(process(201, served), (201,))
    client, server = made.processes
    takes = replace(client.threads[0], calling="zmq.Socket(PULL).recv", takes_next=takes_next)
    made = replace(made, processes=(replace(client, threads=(takes, *client.threads[1:])), server))
    found = next(one for one in findings.run(made) if one.id == "waiting-in-library")
    assert (found.severity is Severity.NOTE) is takes_next


@pytest.mark.parametrize(
    ("function", "peers"), [("recv_json", 101), ("send", 101), ("recv_json", 7)]
)
def test_all_threads_of_a_process_wait_for_messages_of_each_other(
    function: str, peers: int
) -> None:
    made = _asking(_server(), (peers,))
    client = made.processes[0]
    beside = _stands(101, (function, ZMQ), ("prefill", "/app/main.py"))
    beside = replace(beside, tid=103, name="prefill")
    made = replace(made, processes=(replace(client, threads=(*client.threads, beside)),))
    first = next(one for one in findings.run(made) if "lookup" in one.title)
    told = "lead from this process to itself, where the application's other threads wait"
    assert (told in first.sentence) is (function == "recv_json" and peers == 101)


@pytest.mark.parametrize(
    ("sort", "takes_next", "calm"),
    [("PULL", None, True), ("SUB", True, True), ("SUB", False, False), ("REQ", True, False)],
)
def test_a_loop_that_takes_what_it_subscribed_to_is_owed_nothing(
    sort: str, takes_next: bool | None, calm: bool
) -> None:
    main = replace(thread("MainThread"), calling=f"zmq.Socket({sort}).recv", takes_next=takes_next)
    assert takes_first(main) == calm


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("sort", ["DEALER", "REQ", "PAIR"])
def test_a_worker_that_has_said_that_it_is_there_is_owed_nothing(sort: str, answers: bool) -> None:
    main = replace(thread("MainThread"), calling=f"zmq.Socket({sort}).recv", subscribes=True)
    assert takes_first(replace(main, answers=answers)) == (answers and sort != "PAIR")


@pytest.mark.parametrize("takes_next", [True, False])
def test_a_loop_that_polls_sockets_of_zeromq_is_owed_nothing(takes_next: bool) -> None:
    poll = python_frame("Poller.poll", 106, "/x/site-packages/zmq/sugar/poll.py")
    main = thread("MainThread", python=[replace(poll, package="pyzmq 27"), python_frame("run")])
    assert takes_first(replace(main, takes_next=takes_next)) == takes_next
