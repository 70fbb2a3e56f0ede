"""What those do at the other ends of connections who may be to answer."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.library_peers import told, told_there
from hangtui.findings.words import words_of
from hangtui.model import NodeKind, Task, TaskState, Traffic, Watched, thread_id
from tests.unit.factories import capture, lock, python_frame, thread, waits

SELECTORS = "/usr/lib/python3.12/selectors.py"


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("others", [0, 1])
def test_which_code_would_end_the_wait_of_the_only_one_who_is_to_answer(
    known: bool, others: int
) -> None:
    client = thread("MainThread", 100, 100, python=[python_frame("ask", 5)])
    servers = [
        thread(f"server-{n}", 201 + n, 200, python=[python_frame("serve", 9)])
        for n in range(1 + others)
    ]
    room = replace(
        lock("room", 1, NodeKind.EVENT), wakers_known=known, enders=("Server.join (server.py:24)",)
    )
    made = capture(client, *servers, resources=[room], waits=[waits(one, room) for one in servers])
    connection = Watched(client.id, "TCP connection to 127.0.0.1:80", None, (200,))
    told = told_there([connection], words_of(made, build(made)))

    assert told.startswith(" There, server-0 waits at main.py:9 (serve) for room")
    says = "The program does so in Server.join (server.py:24), which nobody runs." in told
    assert says is (known and not others)


def test_the_task_that_a_server_began_with_is_not_who_is_to_answer() -> None:
    loop = thread("MainThread", 200, 200, python=[python_frame("select", 9, SELECTORS)])
    tasks = [
        Task(200, n, f"Task-{n}", "serve", TaskState.WAITING, 7, 200, (python_frame("serve", n),))
        for n in (1, 2, 3)
    ]
    made = replace(capture(loop), tasks=tuple(tasks))
    connection = Watched(thread_id(100, 100), "TCP connection to 127.0.0.1:80", None, (200,))
    told = told_there([connection], words_of(made, build(made)))

    assert "main.py:2" in told
    assert "main.py:3" in told
    assert "main.py:1" not in told


@pytest.mark.parametrize(("peer", "sent_last"), [(100, True), (100, False), (200, True)])
def test_who_waits_in_a_package_is_connected_to_itself(*, peer: int, sent_last: bool) -> None:
    asker = thread("MainThread", 100, 100, python=[python_frame("ask", 5)])
    native = replace(thread("ZMQbg/IO/0", 101, 100), is_python=False)
    answer = lock("an asyncio.Future", 1, NodeKind.FUTURE)
    made = capture(asker, native, resources=[answer], waits=[waits(asker, answer)])
    traffic = Traffic(5.0, 6.0, sent_last)
    connection = Watched(native.id, "TCP connection to 127.0.0.1:80", traffic, (peer,))
    made = replace(made, watched=(connection,))
    graph = build(made)
    text = told(asker, graph.wait_of(asker.id), words_of(made, graph))
    assert text.endswith("it waits for its own process.") is (peer == 100 and sent_last)
