"""Streams of gRPC of which neither side takes what the other one sends."""

from dataclasses import replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.package_queries import serves
from hangtui.findings.streams import BothFull, both_full
from hangtui.findings.words import words_of
from hangtui.model import Capture, NodeKind, Thread, Watched
from tests.unit.factories import capture, process, python_frame, thread

GRPC = "/app/.venv/lib/python3.12/site-packages/grpc"
MAIN = thread("MainThread", 100, 100, python=[python_frame("ask", 9)])
SENDER = thread(
    "Thread-4 (_run)",
    101,
    100,
    python=[python_frame("_c.<locals>.consume_request_iterator", 323, f"{GRPC}/_channel.py")],
)
READER = thread("reader", 102, 100, python=[python_frame("R._next", 900, f"{GRPC}/_channel.py")])
WORKER = thread(
    "ThreadPoolExecutor-0_0",
    200,
    200,
    python=[python_frame("_send_response", 738, f"{GRPC}/_server.py")],
)


def looked(*clients: Thread, worker: Thread = WORKER, seconds: int = 2, peer: int = 200) -> Capture:
    looks = []
    for second in (0, seconds):
        made = capture(*(replace(one, runs=7, cpu_ns=7000) for one in (MAIN, SENDER, *clients)))
        server = process(200, replace(worker, runs=7, cpu_ns=7000))
        watched = Watched(MAIN.id, "TCP connection to 127.0.0.1:9", None, (peer,))
        looks.append(
            replace(
                made,
                processes=(*made.processes, server),
                watched=(watched,),
                taken_at=f"2026-01-02T03:04:{second:02}+00:00",
            )
        )
    return with_progress(looks)


def found(made: Capture) -> BothFull | None:
    return both_full(SENDER.id, words_of(made, build(made)))


def test_both_sides_wait_until_the_other_one_takes_what_it_sends() -> None:
    full = found(looked())

    assert full is not None
    assert full.short.endswith("takes an answer: neither reads")
    assert "process 200" in full.short
    assert "gRPC's flow control" in full.told


@pytest.mark.parametrize(
    "made",
    [
        looked(READER),
        looked(worker=replace(WORKER, python_stack=(python_frame("embed", 3),))),
        looked(seconds=0),
        looked(peer=300),
    ],
    ids=["somebody reads", "the server computes", "a moment", "another server"],
)
def test_nothing_is_said_where_one_of_them_may_go_on(made: Capture) -> None:
    assert found(made) is None


def test_who_waits_for_a_server_of_grpc_to_be_stopped_serves_whatever_it_waits_with() -> None:
    stack = [
        python_frame("_Server.wait_for_termination", 1485, f"{GRPC}/_server.py"),
        python_frame("serve", 28),
    ]
    assert serves(thread("MainThread", 200, 200, python=stack), NodeKind.LOCK)
