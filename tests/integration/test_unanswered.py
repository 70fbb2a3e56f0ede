"""Event loops that nothing but an answer from another process wakes up."""

from pathlib import Path

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.findings import run
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import running
from tests.waiting import until


def told(how: str, python: Path, settled: str) -> tuple[Finding, int]:
    """What is said of the one that asked, once *settled* is in it, and the line of its wait."""
    with running("asks_a_server", python, arguments=(how,)) as target:

        def found() -> Finding | None:
            *_, capture = collect(CaptureRequest(pids=(target.pid,), follow=True))
            findings = run(capture, build(capture))
            quiet = (f for f in findings if f.id == "quiet" and target.pid in f.processes)
            return next((f for f in quiet if settled in f.sentence), None)

        return until(found), target.line("readline()  # asks")


@pytest.mark.every_python
def test_an_answer_that_is_due_and_what_who_owes_it_does(some_python: Path) -> None:
    found, line = told("silent", some_python, "There, ")
    assert found.severity is Severity.WARNING
    assert f"asks_a_server.py:{line} (ask); its event loop hears only the TCP" in found.title
    assert ", silent for " in found.title
    assert "There, MainThread of process" in found.sentence
    assert "(serve) for an unnamed threading.Event." in found.sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
def test_who_sleeps_for_a_while_answers_yet(some_python: Path) -> None:
    found, _ = told("slow", some_python, "There, ")
    assert found.severity is Severity.NOTE
    assert "sleeps at asks_a_server.py" in found.sentence


@pytest.mark.flaky(reruns=0)
def test_who_has_heard_last_is_owed_nothing(some_python: Path) -> None:
    found, _ = told("chatty", some_python, "Nothing else wakes it up")
    assert found.severity is Severity.NOTE
    assert "silent for" not in found.title
