"""What a package that really sleeps comes to call again."""

import pytest

from hangtui.cli.targets import live
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


@pytest.mark.parametrize("interpreter", EVERY)
def test_what_is_tried_again_is_told_from_what_was_called_once(interpreter: Interpreter) -> None:
    with running("retried_calls", interpreter.path, asleep=False) as target:
        capture = live(CaptureRequest(pids=(target.pid,)))
        line = target.line("def fetch")
    names = {one.id: one.name for one in capture.threads()}
    (found,) = capture.retried

    assert names[found.actor] == "load"
    assert found.call.endswith(f"fetch (retried_calls.py:{line})")
