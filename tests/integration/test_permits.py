"""Permits that nobody gives back, in an event loop whose other tasks go on."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures

EACH = pytest.mark.parametrize(
    "interpreter", interpreters(("3.10", "3.12")), ids=lambda one: one.id
)


def told(pid: int) -> list[Finding]:
    request = CaptureRequest(pids=(pid,), follow=True)
    return list(findings.run(take(request, Looks(5, 2.0))))


@EACH
def test_a_permit_that_was_kept_while_others_are_served(interpreter: Interpreter) -> None:
    with running("permits", interpreter.path, asleep=False, arguments=("leaky",)) as target:
        found = once_seen(lambda: told(target.pid), lambda found: found[0].id == "left-behind")
    first = found[0]
    assert (first.id, first.severity) == ("left-behind", Severity.WARNING), first.title
    assert "awaits a unit of" in first.title
    assert "without giving it back" in first.title
    assert "generate (permits.py:" in first.sentence


@EACH
@pytest.mark.parametrize("state", ["contended", "long"])
def test_permits_that_are_given_back(state: str, interpreter: Interpreter) -> None:
    with running("permits", interpreter.path, asleep=False, arguments=(state,)) as target:
        for _ in range(captures(4)):
            found = [one for one in told(target.pid) if one.severity is not Severity.NOTE]
            assert not found, found[0].title
