"""Threads that a server has called the application in for a request: literal captures."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import NodeKind, PythonFrame, Severity, Surroundings
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

PACKAGES = "/venv/lib/python3.12/site-packages"
WORKER = python_frame("handle_request", 184, f"{PACKAGES}/gunicorn/workers/sync.py")
STARTS = python_frame("run", 71, f"{PACKAGES}/gunicorn/app/wsgiapp.py")


@pytest.mark.parametrize(
    ("outer", "severity", "beginning"),
    [
        ((WORKER, STARTS), Severity.WARNING, "Inside a request, MainThread waits at"),
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


def test_a_fork_has_none_of_the_threads_of_its_parent() -> None:
    done = lock("done (threading.Event)", 0x1, NodeKind.EVENT)
    main = thread("MainThread", python=[python_frame("app", 16), WORKER])
    made = capture(main, resources=[done], waits=[waits(main, done)])
    (process,) = made.processes
    process = replace(process, around=Surroundings(forked_from=90))
    (finding, *_) = findings.run(replace(made, processes=(process,)))

    assert "It is the only thread of process 100, a fork of process 90 without its other threads" \
        in finding.sentence  # fmt: skip
