"""Streams of gRPC of which each side waits for the other one's next message."""

from dataclasses import replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.remote_sides import OtherSide, other_side
from hangtui.findings.words import words_of
from hangtui.model import Capture, Thread, Watched
from tests.unit.factories import capture, process, python_frame, thread

GRPC = "/app/.venv/lib/python3.12/site-packages/grpc"
ASKS = [python_frame("_Rendezvous._next", 900, f"{GRPC}/_channel.py"), python_frame("ask", 9)]
MAIN = thread("MainThread", 100, 100, python=ASKS)
OTHER = thread("editor", 101, 100, python=[python_frame("edit", 30)])
NATIVE = replace(thread("event_engine", 102, 100), is_python=False, python_stack=None)
THERE = replace(thread("event_engine", 202, 200), is_python=False, python_stack=None)
WORKER = thread(
    "ThreadPoolExecutor-0_0",
    200,
    200,
    python=[
        python_frame("_RequestIterator._next", 533, f"{GRPC}/_server.py"),
        python_frame("Tailor.sew", 4),
    ],
)


def looked(
    *others: Thread, main: Thread = MAIN, worker: Thread = WORKER, seconds: int = 2,
    peers: tuple[int, ...] = (200,),
) -> Capture:  # fmt: skip
    looks = []
    for second in (0, seconds):
        clients = (replace(one, runs=7, cpu_ns=7000) for one in (main, NATIVE, *others))
        made = capture(*clients)
        server = process(200, replace(worker, runs=7, cpu_ns=7000), THERE)
        watched = (
            Watched(NATIVE.id, "TCP connection to 127.0.0.1:9", None, peers),
            Watched(THERE.id, "TCP connection to 127.0.0.1:8", None, (100,)),
        )
        looks.append(
            replace(
                made,
                processes=(*made.processes, server),
                watched=watched,
                taken_at=f"2026-01-02T03:04:{second:02}+00:00",
            )
        )
    return with_progress(looks)


def found(made: Capture) -> OtherSide | None:
    return other_side(MAIN.id, words_of(made, build(made)))


def test_the_handler_waits_for_its_client_meanwhile() -> None:
    made = looked()
    handler = found(made)

    assert handler is not None
    assert handler.closed
    assert handler.short(words_of(made, build(made))) == (
        "; there ThreadPoolExecutor-0_0 of process 200 waits at main.py:4 (Tailor.sew) for its "
        "client's next message (gRPC): each waits for the other"
    )
    assert "Neither goes on before process 100" in handler.told(words_of(made, build(made)))


def test_the_client_of_a_handler_is_told_as_well() -> None:
    made = looked()
    words = words_of(made, build(made))
    client = other_side(WORKER.id, words)

    assert client is not None
    assert client.short(words) == (
        "; its client MainThread waits at main.py:9 (ask) for the answer: each waits for the other"
    )


def test_others_of_the_client_may_still_say_something() -> None:
    handler = found(looked(OTHER))

    assert handler is not None
    assert not handler.closed


@pytest.mark.parametrize(
    "made",
    [
        looked(thread("second", 101, 100, python=ASKS)),
        looked(worker=replace(WORKER, python_stack=(python_frame("Tailor.sew", 4),))),
        looked(main=replace(MAIN, python_stack=(python_frame("ask", 9),))),
        looked(seconds=0),
        looked(peers=(200, 300)),
        looked(peers=()),
    ],
    ids=["two calls", "computes", "asks nobody", "a moment", "two servers", "far away"],
)
def test_nothing_is_said_where_that_is_not_known(made: Capture) -> None:
    assert found(made) is None
