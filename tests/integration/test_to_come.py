"""Waits that end later on, by what no stack shows yet: no alarm, and it is told what is to come."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
TOLD = {
    "name": "serve (to_come.py:20) would end that, and cook is on the way to a call of that name",
    "timer": "a timer of its event loop calls what would end that, in 4",
    "thread": "; only dryer could end that, and sleeps at to_come.py",
    "signal": "rotator is parked: only a signal ends its wait for Rotator.told",
}


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize("name", [*TOLD, "stages"])
def test_what_is_to_come_is_told_and_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    with running("to_come", interpreter.path, asleep=False, arguments=(name,)) as target:
        capture = take(CaptureRequest(pids=(target.pid,), follow=True), Looks(4, 1.6))

    found = findings.run(capture)
    assert any(thread.python_stack for thread in capture.threads()), capture.notices
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
    titles = " ".join(one.title for one in found)
    assert TOLD.get(name, "") in titles
    assert "nobody runs" not in titles or name == "signal"
