"""Idle worker processes that take turns at one queue are no finding."""

import psutil
import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running


@pytest.mark.parametrize(
    "interpreter", interpreters(("3.8", "3.11", "3.13")), ids=lambda one: one.id
)
def test_who_waits_for_its_turn_is_not_warned_of(interpreter: Interpreter) -> None:
    with running("queue_readers", interpreter.path, asleep=False) as target:
        children = [one.pid for one in psutil.Process(target.pid).children()]
        for pid in (target.pid, *children):
            request = CaptureRequest(pids=(pid,), follow=True)
            found = findings.run(take(request, Looks(5, 2.0)))
            told = [one.title for one in found if one.severity is not Severity.NOTE]
            assert not told
