"""What is written and not flushed while both sides wait, really run."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

LENGTH = len("how many bytes?\n")


@pytest.mark.every_python
@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
@pytest.mark.parametrize("kind", ["text", "bytes", "socket"])
def test_what_lies_in_a_buffer_is_told(interpreter: Interpreter, kind: str) -> None:
    with running("unflushed", interpreter.path, arguments=(kind,)) as target:
        capture = take(CaptureRequest(pids=(target.pid,), follow=True), Looks(2, 0.5))
    first = findings.run(capture)[0]

    counts = [one.unflushed for one in capture.resources if one.unflushed]
    assert counts == [((target.pid, LENGTH),)]
    assert (first.id, first.severity) == ("deadlock", Severity.ERROR)
    assert f"{LENGTH} bytes for it lie in a buffer of process {target.pid}" in first.title
    assert "flush" in first.advice[0]


@pytest.mark.every_python
@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
def test_who_takes_what_comes_next_is_told_apart_by_code(interpreter: Interpreter) -> None:
    with running("takes_next", interpreter.path) as target:
        capture = take(CaptureRequest(pids=(target.pid,)), Looks(1, 0.0))

    found = {
        thread.name: thread.takes_next
        for thread in capture.processes[0].threads
        if thread.name != "MainThread"
    }
    assert found == {name: name.startswith("next") for name in found}
    assert len(found) == 15
    subscribes = {one.name for one in capture.processes[0].threads if one.subscribes}
    assert subscribes == {"answer_in_pieces", "answer_or_news", "answer_in_a_handler"}
