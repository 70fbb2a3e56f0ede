"""A library that runs an event loop without tasks until its child has answered."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.backends.capture.collector import collect
from hangtui.model import Capture, Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import running


def looks(pid: int) -> Iterator[Capture]:
    """At it and its child."""
    for _ in range(4):
        *_, capture = collect(CaptureRequest(pids=(pid,), follow=True, children=True))
        yield capture
        time.sleep(0.4)


def told(python: Path, *how: str) -> tuple[tuple[Finding, ...], int, int]:
    with running("asks_a_child", python, arguments=how, asleep=False) as target:
        time.sleep(0.2)
        found = findings.run(with_progress(list(looks(target.pid))))
        return found, target.pid, target.line("editor.command(line)")


@pytest.mark.every_python
def test_what_the_child_does_is_told(some_python: Path) -> None:
    found, pid, line = told(some_python)
    (first,) = (one for one in found if one.id == "waiting-in-library")
    assert first.severity is Severity.WARNING
    assert f"asks_a_child.py:{line} (dictate), in tinyeditor, for what comes over" in first.title
    assert "the stdout pipe of process" in first.title
    assert not [one for one in found if one.id == "idle" and pid in one.processes]


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
def test_a_child_that_answers_is_no_reason_to_warn(some_python: Path) -> None:
    found, _, _ = told(some_python, "answers")
    assert [one for one in found if one.severity is not Severity.NOTE] == []
