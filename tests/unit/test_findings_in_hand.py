"""The connection that a thread has in hand which only sleeps again and again, and how children
ended."""

from dataclasses import replace

from hangtui.findings.child_ends import failed_children, short_ended, told_ended, told_reaped
from hangtui.findings.outside.traffic import connection_in_hand
from hangtui.model import (
    Certainty,
    Child,
    NodeId,
    NodeKind,
    Surroundings,
    TcpEnd,
    Traffic,
    resource_id,
)
from tests.unit.factories import PID, capture, thread

MAIN = thread("MainThread", PID)


def _end(*users: NodeId, port: int = 4711) -> TcpEnd:
    socket = resource_id(NodeKind.SOCKET, PID, port)
    remote, able = f"10.0.0.1:{port}", (MAIN.id,)
    traffic = Traffic(None, 9.0, sent_last=False)
    known = Certainty.CERTAIN
    return TcpEnd(
        socket, PID, "net", "10.0.0.2:9", remote, known, "fd 3", able, users, traffic=traffic
    )


def test_the_only_connection_that_is_in_hand_is_told() -> None:
    made = replace(capture(MAIN), tcp_ends=(_end(MAIN.id),))
    short, told = connection_in_hand(MAIN, made)

    assert short == ", with the TCP connection to 10.0.0.1:4711 in hand"
    assert "whoever has the other end. The last data came 9 s ago" in told


def test_of_several_connections_or_those_of_nobody_nothing_is_told() -> None:
    for ends in ((), (_end(),), (_end(MAIN.id), _end(MAIN.id, port=5))):
        assert connection_in_hand(MAIN, replace(capture(MAIN), tcp_ends=ends)) == ("", "")


def test_a_child_is_told_by_the_name_that_the_program_gave_it() -> None:
    child = Child(7, "python3", "Z", exit_status=0, called="branch north")

    assert told_ended([child], "its") == (
        " Of its children, process 7 (branch north) ended with status 0."
    )


def test_children_that_did_not_end_alike_are_told_apart() -> None:
    children = [Child(7, "bread", "Z", exit_status=0), Child(8, "milk", "Z", exit_status=-9)]

    assert told_ended(children, "its") == (
        " Of its children, process 7 (bread) ended with status 0 and process 8 (milk) was ended by "
        "SIGKILL."
    )
    assert short_ended(children) == ", and process 8 (milk), its child, was ended by SIGKILL"
    assert short_ended(children[:1]) == ""


def test_those_that_were_collected_are_told_beside_those_that_nobody_has_reaped() -> None:
    left, gone = Child(7, "bread", "Z", exit_status=1), Child(8, "milk", "X", exit_status=-9)
    around = Surroundings(children=(left, Child(9, "eggs", "S")), failed=(gone,))
    (process,) = capture(MAIN).processes

    assert failed_children(replace(process, around=around)) == [left, gone]
    assert failed_children(replace(process, around=None)) == []
    assert told_reaped(left) == "process 7 ended with status 1, and was not reaped"
    assert told_reaped(gone) == "process 8 was ended by SIGKILL"
