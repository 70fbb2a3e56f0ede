"""Handlers of gRPC in several processes that wait for each other's answers."""

from dataclasses import replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.rings import ring_of_calls
from hangtui.findings.words import words_of
from hangtui.model import Finding, PythonFrame, Thread, Watched
from tests.unit.factories import capture, process, python_frame, thread

GRPC = "/app/.venv/lib/python3.12/site-packages/grpc"
ASKS = python_frame("_UnaryUnaryMultiCallable.__call__", 1165, f"{GRPC}/_channel.py")
CALLED = python_frame("_call_behavior", 780, f"{GRPC}/_server.py")


def handler(pid: int, name: str, *inside: PythonFrame) -> Thread:
    return thread(name, pid + 1, pid, python=[*inside, python_frame(name, 9), CALLED])


def found(
    answer: Thread, gather: Thread, *, seconds: int = 2, ends: tuple[int, ...] = (100, 300)
) -> list[Finding]:
    """*ends*: to which processes the connections of the second one lead."""
    visit = thread("visit", 301, 300, python=[ASKS, python_frame("visit", 3)])
    looks = []
    for second in (0, seconds):
        made = capture(*(replace(one, runs=7, cpu_ns=7000) for one in (answer, gather, visit)))
        natives = [
            replace(thread("event_engine", pid + 9, pid), is_python=False, python_stack=None)
            for pid in (100, 200, 300)
        ]
        there = ((200, 300), ends, (100,))
        processes = [
            process(one.pid, *one.threads, native)
            for one, native in zip(made.processes, natives, strict=True)
        ]
        watched = [
            Watched(native.id, "Unix connection", None, peers)
            for native, peers in zip(natives, there, strict=True)
        ]
        at = f"2026-01-02T03:04:{second:02}+00:00"
        looks.append(replace(made, processes=tuple(processes), watched=tuple(watched), taken_at=at))
    last = with_progress(looks)
    return list(ring_of_calls.found("mutual-wait", words_of(last, build(last))))


ANSWER, GATHER = handler(100, "answer", ASKS), handler(200, "gather", ASKS)


def test_all_handlers_wait_for_answers_of_such_handlers() -> None:
    (ring,) = found(ANSWER, GATHER)

    assert ring.title == (
        "Possible deadlock: all that runs for requests of gRPC in process 100 and process 200 "
        "waits for each other's answers: answer waits at main.py:9 (answer); gather waits at "
        "main.py:9 (gather); behind that visit waits at main.py:3 (visit)"
    )


@pytest.mark.parametrize(
    ("gather", "seconds", "ends"),
    [
        (handler(200, "gather"), 2, (100, 300)),
        (GATHER, 0, (100, 300)),
        (GATHER, 2, (100, 400)),
        (GATHER, 2, ()),
    ],
    ids=["one computes", "a moment", "somebody else answers", "far away"],
)
def test_no_ring_is_told_where_one_may_go_on(
    gather: Thread, seconds: int, ends: tuple[int, ...]
) -> None:
    assert found(ANSWER, gather, seconds=seconds, ends=ends) == []
