"""Processes that have as many files open as they may."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import Capture, OpenFiles, OpenKind, Severity, Surroundings
from tests.unit.factories import capture, python_frame, thread


def opened(files: OpenFiles | None) -> Capture:
    made = capture(thread("MainThread", python=[python_frame("call_in", 29)]))
    (process,) = made.processes
    return replace(made, processes=(replace(process, around=Surroundings(used_up=files)),))


def test_a_process_that_may_open_nothing_more_is_told_with_what_is_open_and_who_waits() -> None:
    kinds = (OpenKind("sockets", 20), OpenKind("in /tmp", 7))
    found = findings.run(opened(OpenFiles(27, kinds)))[0]

    assert (found.id, found.severity) == ("descriptors-used-up", Severity.WARNING)
    assert "all 27 of its file descriptors are in use" in found.title
    assert "20 sockets and 7 in /tmp" in found.sentence
    assert "main.py:29 (call_in)" in found.sentence


def test_nothing_is_said_of_one_that_may_open_more() -> None:
    assert "descriptors-used-up" not in [one.id for one in findings.run(opened(None))]
