"""What a package that really sleeps comes to call again."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.cli.targets import live
from hangtui.model import Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
WITH_TABLES = [one for one in EVERY if str(one.id).rpartition(".")[2] in ("11", "12", "13")]
"""Their code tells for every instruction who handles what it raises."""


@pytest.mark.parametrize("interpreter", EVERY)
def test_what_is_tried_again_is_told_from_what_was_called_once(interpreter: Interpreter) -> None:
    with running("retried_calls", interpreter.path, asleep=False) as target:
        capture = live(CaptureRequest(pids=(target.pid,)))
        line = target.line("def fetch")
    names = {one.id: one.name for one in capture.threads()}
    (found,) = capture.retried

    assert names[found.actor] == "load"
    assert found.call.endswith(f"fetch (retried_calls.py:{line})")


@pytest.mark.parametrize("interpreter", WITH_TABLES)
@pytest.mark.parametrize("through", [(), ("through",)], ids=["fails", "gets through"])
def test_who_does_not_get_through(interpreter: Interpreter, through: tuple[str, ...]) -> None:
    with running("never_gets_through", interpreter.path, asleep=False, arguments=through) as target:
        request = CaptureRequest(pids=(target.pid,), follow=True)
        (found, *_) = findings.run(take(request, Looks(8, 3.0)))

    assert found.severity is (Severity.NOTE if through else Severity.WARNING)
    assert ("calls book_seat (never_gets_through.py:" in found.title) is not bool(through)
