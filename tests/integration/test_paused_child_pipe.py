"""A child's pipe that an event loop does not read from for now, as its reader waits for somebody
who waits for that child, really run. Of 3.8 the wait for room in a child's input is not known."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


def look(pid: int) -> list[Finding]:
    request = CaptureRequest(pids=(pid,), follow=True, children=True)
    return list(findings.run(take(request, Looks(5, 3.0))))


@pytest.mark.parametrize("interpreter", EVERY)
def test_the_ring_through_such_a_pipe_is_told_with_the_task_that_reads_it(
    interpreter: Interpreter,
) -> None:
    with running("paused_child_pipe", interpreter.path, asleep=False) as target:
        first = look(target.pid)[0]

    assert first.severity is Severity.ERROR, first.title
    assert first.id == "deadlock"
    assert "task listen" in first.title, first.title
    assert "the stdout pipe of process" in first.title, first.title


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", EVERY)
def test_who_reads_on_meanwhile_is_in_no_ring(interpreter: Interpreter) -> None:
    arguments = ("healthy",)
    with running("paused_child_pipe", interpreter.path, asleep=False, arguments=arguments) as own:
        found = look(own.pid)

    assert not [one.title for one in found if one.severity is not Severity.NOTE]
