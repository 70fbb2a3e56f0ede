"""What a thread reads from a connection, in the words of its protocol."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.findings.library_calls import awaited_in_library, call_of
from hangtui.findings.library_waits import call_within
from hangtui.findings.messages import message_for, message_of
from hangtui.model import NodeKind, PythonFrame
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

LIB = "/usr/lib/python3.12"
OWN = python_frame("notify", 19)
REPLY = python_frame("SMTP.getreply", 398, f"{LIB}/smtplib.py")
CONNECT = python_frame("SMTP.connect", 341, f"{LIB}/smtplib.py")
HANDSHAKE = python_frame("SSLSocket.do_handshake", 1320, f"{LIB}/ssl.py")
PROXY = "/app/.venv/lib/python3.12/site-packages/httpcore/_sync/socks_proxy.py"
SOCKS = python_frame("_init_socks5_connection", 62, PROXY)
UNTIL = python_frame("Telnet.read_until", 318, "/usr/lib/python3.11/telnetlib.py")
READ = python_frame("SocketIO.readinto", 707, f"{LIB}/socket.py")


@pytest.mark.parametrize(
    ("stack", "message"),
    [
        ((READ, REPLY, OWN), "a reply of the SMTP server"),
        ((READ, REPLY, CONNECT, OWN), "the greeting of the SMTP server"),
        ((HANDSHAKE, CONNECT, OWN), "its peer's part of the TLS handshake"),
        ((READ, SOCKS, OWN), "the answer of the SOCKS proxy to its greeting or its request"),
        ((UNTIL, OWN), "a text from the Telnet server (read_until)"),
        ((READ, OWN), None),
        ((python_frame("getreply", 3), OWN), None),
        ((), None),
    ],
)
def test_the_function_that_reads_tells(stack: tuple[PythonFrame, ...], message: str | None) -> None:
    assert message_of(stack) == message


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Depot.answers", "an item of the Queue Depot.answers of multiprocessing"),
        (None, "an item of a Queue of multiprocessing"),
    ],
)
def test_a_queue_is_called_as_the_program_calls_it(name: str | None, told: str) -> None:
    taking = (python_frame("Queue.get", 103, f"{LIB}/multiprocessing/queues.py"), OWN)
    waiter = replace(thread("MainThread", 100, python=taking), takes_from=name)

    assert message_for(waiter) == told
    assert message_for(None) is None


@pytest.mark.parametrize("known", [True, False])
def test_two_that_read_from_each_other_are_told_by_what_they_read(known: bool) -> None:
    client = thread("MainThread", 100, python=[READ, *([REPLY, CONNECT] if known else []), OWN])
    server = thread("server", 101, python=[HANDSHAKE] if known else [READ])
    one, other = lock("near", 0x1, NodeKind.SOCKET), lock("other", 0x2, NodeKind.SOCKET)
    made = capture(
        client,
        server,
        resources=[one, other],
        waits=[
            waits(client, one, operation="receive"),
            waits(server, other, operation="receive"),
        ],
        holds=[holds(one, server), holds(other, client)],
    )
    found = next(found for found in findings.run(made) if found.id == "deadlock")

    told = (
        ": the one for the greeting of the SMTP server, the other for its peer's part of the TLS "
        "handshake"
    )
    assert (told in found.title) is known
    assert ("for data from near" in found.sentence) is not known


@pytest.mark.parametrize(
    ("package", "entry", "goal"),
    [
        ("PySide6", "QThread::wait (libQt6Core.so.6)", "for the end of a QThread"),
        ("zmq", "socket.py:968 (Socket.recv_string)", "for a message of another socket (recv)"),
        ("pyzmq", "zmq_msg_recv (libzmq.so.5)", "for a message of another socket (recv)"),
        ("zmq", "socket.py:713 (Socket.send)", "for another socket to take what it sends (send)"),
        ("zmq", "poll.py:106 (Poller.poll)", "for its ZeroMQ sockets (poll)"),
        ("other", "socket.py:968 (Socket.recv_string)", None),
        (None, "", None),
    ],
)
def test_a_call_of_a_package_tells_what_it_waits_for(
    package: str | None, entry: str, goal: str | None
) -> None:
    assert call_of(package, entry) == goal


@pytest.mark.parametrize(
    ("function", "file", "goal"),
    [
        ("rpc_sync", "/s/torch/distributed/rpc/api.py", "for the answer of a remote call"),
        ("Handler.report", "/s/ray/train/v2/api/train_fn_utils.py", "for all ranks to report"),
        ("rpc_sync", "/app/rpc/api.py", None),
    ],
)
def test_a_function_on_the_stack_tells_what_is_waited_for_below_it(
    function: str, file: str, goal: str | None
) -> None:
    inner = python_frame("Condition.wait", 327, "/usr/lib/python3.11/threading.py")
    said = call_within([inner, python_frame(function, 842, file)])

    assert said is None if goal is None else str(said).startswith(goal)


@pytest.mark.parametrize(
    ("calling", "goal"),
    [
        ("zmq.Socket(REQ).recv", "for the reply to its request (recv)"),
        ("zmq.Socket(PULL).recv", "for a message of another socket (recv of its PULL socket)"),
        ("mpi4py.MPI.Comm.recv", None),
        (None, None),
    ],
)
def test_a_method_of_c_code_below_another_package_is_told(
    calling: str | None, goal: str | None
) -> None:
    stack = [python_frame("call", 3, "/v/site-packages/tinyrpc/client.py"), OWN]
    asking = replace(thread("MainThread", python=stack), calling=calling)
    assert awaited_in_library(asking) == goal
