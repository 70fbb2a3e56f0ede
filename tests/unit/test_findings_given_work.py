"""Threads that a server has called the application in for a request: literal captures."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Child, NodeKind, PythonFrame, Severity, Surroundings
from tests.unit.factories import (
    capture,
    lock,
    native_frame,
    process,
    python_frame,
    stood,
    thread,
    waits,
)

PACKAGES = "/venv/lib/python3.12/site-packages"
WORKER = python_frame("handle_request", 184, f"{PACKAGES}/gunicorn/workers/sync.py")
DRAWS = python_frame("_next_index", 715, f"{PACKAGES}/torch/utils/data/dataloader.py")
FETCH = python_frame("fetch", 50, f"{PACKAGES}/torch/utils/data/_utils/fetch.py")
BEGINS = python_frame("_worker_loop", 269, f"{PACKAGES}/torch/utils/data/_utils/worker.py")
STARTS = python_frame("run", 71, f"{PACKAGES}/gunicorn/app/wsgiapp.py")


@pytest.mark.parametrize(
    ("outer", "severity", "beginning"),
    [
        ((WORKER, STARTS), Severity.WARNING, "Inside a request, MainThread waits at"),
        ((DRAWS,), Severity.WARNING, "Inside the drawing of a batch, MainThread waits at"),
        ((FETCH, BEGINS), Severity.WARNING, "Inside a batch, MainThread waits at"),
        ((BEGINS,), Severity.WARNING, "Inside a worker's beginning, MainThread waits at"),
        ((STARTS,), Severity.NOTE, "MainThread waits at"),
    ],
)
def test_who_was_called_for_a_request_is_not_parked(
    outer: tuple[PythonFrame, ...], severity: Severity, beginning: str
) -> None:
    done = lock("done (threading.Event)", 0x1, NodeKind.EVENT)
    main = thread("MainThread", python=[python_frame("app", 16), *outer])
    made = stood(capture(main, resources=[done], waits=[waits(main, done)]), "SIGTERM")
    (finding,) = (one for one in findings.run(made) if one.id == "nobody-left-to-wake")

    assert (finding.severity, "parked" in finding.title) == (severity, severity is Severity.NOTE)
    assert finding.sentence.startswith(beginning)


def test_who_a_server_in_c_has_called_for_a_request_is_not_parked() -> None:
    done = lock("done (threading.Event)", 0x1, NodeKind.EVENT)
    serves = native_frame("uwsgi_request_wsgi", "/usr/bin/uwsgi")
    main = thread("MainThread", python=[python_frame("app", 16)], native=[serves])
    made = stood(capture(main, resources=[done], waits=[waits(main, done)]), "SIGTERM")
    (finding,) = (one for one in findings.run(made) if one.id == "nobody-left-to-wake")

    assert finding.severity is Severity.WARNING
    assert finding.sentence.startswith("Inside a request, MainThread waits at")


@pytest.mark.parametrize("captured", [True, False])
def test_threads_of_the_application_that_the_parent_alone_has_are_named(*, captured: bool) -> None:
    done = lock("done (threading.Event)", 0x1, NodeKind.EVENT)
    main = thread("MainThread", python=[python_frame("app", 16), WORKER])
    made = capture(main, resources=[done], waits=[waits(main, done)])
    counter = thread("counter", 91, 90, python=[python_frame("count", 10, "/app/stock.py")])
    parent = process(90, thread("MainThread", 90, 90), counter)
    (child,) = made.processes
    child = replace(child, around=Surroundings(forked_from=90))
    made = replace(made, processes=(child, *((parent,) if captured else ())))
    (finding, *_) = (one for one in findings.run(made) if one.id == "nobody-left-to-wake")

    named = "counter (stock.py:10 (count)) is only in process 90, from which it was forked"
    assert (named in finding.sentence) == captured


def test_a_fork_has_none_of_the_threads_of_its_parent() -> None:
    done = lock("done (threading.Event)", 0x1, NodeKind.EVENT)
    main = thread("MainThread", python=[python_frame("app", 16), WORKER])
    made = capture(main, resources=[done], waits=[waits(main, done)])
    (process,) = made.processes
    process = replace(process, around=Surroundings(forked_from=90))
    (finding, *_) = findings.run(replace(made, processes=(process,)))

    assert "It is the only thread of process 100, a fork of process 90 without its other threads" \
        in finding.sentence  # fmt: skip


@pytest.mark.parametrize(
    ("known", "asks", "told"),
    [(True, "grpc", True), (True, "redis", False), (False, "grpc", False)],
)
def test_a_request_that_nobody_answers_is_told_before_the_client_that_waits(
    known: bool, asks: str, told: bool
) -> None:
    done = lock("approved (threading.Event)", 0x1, NodeKind.EVENT)
    done = replace(done, wakers_known=known)
    calls = python_frame("_call_behavior", 608, f"{PACKAGES}/grpc/_server.py")
    main = thread("MainThread", python=[python_frame("serve", 17)], state="R", still=False)
    works = thread("worker", 101, python=[python_frame("approve", 6), calls])
    asked = python_frame("__call__", 1165, f"{PACKAGES}/{asks}/_channel.py")
    client = thread("MainThread", 200, 200, python=[asked, python_frame("ask", 12, "/app/ask.py")])
    made = stood(capture(main, works, client, resources=[done], waits=[waits(works, done)]))
    found = [one for one in findings.run(made) if one.severity is Severity.WARNING]
    requests = [one for one in found if one.title.startswith("Inside a request, worker waits for")]

    assert bool(requests) == told
    assert (found[:1] == requests) == (told or not found)
    for one in requests:
        assert "a client may wait for its answer: MainThread of process 200 waits at ask.py:12" in (
            one.sentence
        )
        assert [ref.pid for ref in one.victims] == [200]
        assert len(found) == 1


ENGINE = python_frame("step", 300, f"{PACKAGES}/engine/core.py")
COMMAND = python_frame("invoke", 700, f"{PACKAGES}/click/core.py")


@pytest.mark.parametrize(
    ("kind", "caller", "signal", "severity"),
    [
        (NodeKind.SEMAPHORE, ENGINE, "SIGTERM", Severity.ERROR),
        (NodeKind.SEMAPHORE, ENGINE, "SIGUSR1", Severity.NOTE),
        (NodeKind.SEMAPHORE, COMMAND, "SIGTERM", Severity.NOTE),
        (NodeKind.SEMAPHORE, None, "SIGTERM", Severity.NOTE),
        (NodeKind.EVENT, ENGINE, "SIGTERM", Severity.NOTE),
        (NodeKind.LOCK, ENGINE, "SIGTERM", Severity.ERROR),
        (NodeKind.LOCK, None, "SIGTERM", Severity.WARNING),
    ],
)
def test_what_asks_a_program_to_end_gives_nothing_back_in_a_call_of_a_package(
    kind: NodeKind, caller: PythonFrame | None, signal: str, severity: Severity
) -> None:
    quota = lock("quota", 0x1, kind)
    outer = [python_frame("main", 9), *([caller] if caller else [])]
    main = thread("MainThread", python=[python_frame("take", 16), *reversed(outer)])
    made = stood(capture(main, resources=[quota], waits=[waits(main, quota)]), signal)
    (finding,) = (one for one in findings.run(made) if one.id == "nobody-left-to-wake")

    assert finding.severity is severity


@pytest.mark.parametrize(("children", "severity"), [((), Severity.ERROR), (None, Severity.WARNING)])
def test_who_has_no_children_hears_of_the_end_of_none(
    children: tuple[Child, ...] | None, severity: Severity
) -> None:
    quota = lock("quota", 0x1, NodeKind.LOCK)
    main = thread("MainThread", python=[python_frame("take", 16)])
    made = stood(capture(main, resources=[quota], waits=[waits(main, quota)]), "SIGCHLD")
    (process,) = made.processes
    around = replace(process.around or Surroundings(), children=children)
    made = replace(made, processes=(replace(process, around=around),))
    (finding,) = (one for one in findings.run(made) if one.id == "nobody-left-to-wake")

    assert finding.severity is severity
