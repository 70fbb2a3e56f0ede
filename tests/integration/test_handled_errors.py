"""Errors that are being handled, read out of real processes that wait meanwhile."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Capture, Finding
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15"))
]
LINE = "raise NoSuchOrderError"


def seen(interpreter: Interpreter, name: str) -> tuple[Capture, Finding, str]:
    with running("handled_errors", interpreter.path, asleep=False, arguments=(name,)) as target:
        capture = take(CaptureRequest(pids=(target.pid,), follow=True), Looks(4, 1.6))
        return capture, findings.run(capture)[0], f"handled_errors.py:{target.line(LINE)}"


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize("name", ["leaving_with", "in_finally", "between_tries"])
def test_the_error_is_told_with_where_it_was_raised(interpreter: Interpreter, name: str) -> None:
    capture, first, place = seen(interpreter, name)

    (handled,) = capture.handled
    assert handled.error == "__main__.NoSuchOrderError"
    assert handled.where == f"{place} (load_order)"
    assert handled.peer == "127.0.0.1:4711"  # and nothing else that it says
    assert handled.cause == "ConnectionRefusedError"
    about = "(of 127.0.0.1:4711, for ConnectionRefusedError)"
    assert f"__main__.NoSuchOrderError {about}, raised at {place} (load_order)" in first.sentence
    assert (f"again and again after {handled.error}" in first.title) is (name == "between_tries")


@pytest.mark.parametrize("interpreter", EVERY)
def test_the_file_that_is_there_already_is_named(interpreter: Interpreter) -> None:
    capture, first, _ = seen(interpreter, "taken")

    (handled,) = capture.handled
    assert handled.cause == "FileExistsError"
    assert handled.file is not None
    assert handled.file.endswith("/handled_errors.py")
    assert f"for FileExistsError, {handled.file} is there already)" in first.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_that_of_a_task(interpreter: Interpreter) -> None:
    capture, first, place = seen(interpreter, "in_task")

    (handled,) = capture.handled
    assert handled.actor == capture.tasks[0].id
    assert f"raised at {place} (load_order)" in first.sentence


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize("name", ["nothing_there", "handled_before"])
def test_what_says_nothing_is_not_told(interpreter: Interpreter, name: str) -> None:
    capture, first, _ = seen(interpreter, name)

    assert all("Error" not in one.error for one in capture.handled)
    assert "while it handles" not in first.sentence
    assert " after " not in first.title
