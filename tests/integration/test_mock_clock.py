"""The clock of trio's tests, which stands until it is moved on."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having

WITH_TRIO = having("trio")
pytestmark = pytest.mark.skipif(not WITH_TRIO, reason=f"nothing in {VENVS} (script/libraries)")


@pytest.mark.parametrize("interpreter", WITH_TRIO, ids=lambda one: one.id)
@pytest.mark.parametrize("state", ["hung", "jumps"])
def test_a_sleep_by_a_clock_that_stands(interpreter: Interpreter, state: str) -> None:
    with running("mock_clock", interpreter.path, asleep=False, arguments=(state,)) as target:
        capture = take(CaptureRequest(pids=(target.pid,)), Looks(5, 2.0))
    found = findings.run(capture)
    told = [one for one in found if one.id == "clock-stopped"]
    assert bool(told) is (state == "hung")
    if told:
        assert told[0] is found[0]
        assert told[0].severity is Severity.ERROR
        assert "trio's MockClock stands" in told[0].title
        assert "(keep_warm)" in told[0].title
    assert state == "hung" or all(one.severity is Severity.NOTE for one in found)
