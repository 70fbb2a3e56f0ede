"""Processes that ask each other, each by a thread that waits for what another one of them has."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

EACH = pytest.mark.parametrize("interpreter", interpreters(("3.9", "3.12")), ids=lambda one: one.id)


def told(pid: int) -> list[Finding]:
    request = CaptureRequest(pids=(pid,), children=True)
    return list(findings.run(take(request, Looks(5, 2.5))))


@EACH
def test_the_chain_of_waits_leads_back(interpreter: Interpreter) -> None:
    with running("credit_line", interpreter.path, asleep=False, arguments=("hung",)) as target:
        found = once_seen(
            lambda: told(target.pid), lambda found: "in a ring that leads back" in found[0].title
        )
    first = found[0]
    assert first.severity is Severity.WARNING
    assert "in a ring that leads back to the first" in first.title, first.title
    for part in (
        "probably holds Decode.credits, and waits at",
        "is seen on the way to self.changed.notify_all()",
        "So it comes back to the one that waits here",
    ):
        assert part in first.sentence, first.sentence


@EACH
def test_processes_that_ask_each_other_in_turn(interpreter: Interpreter) -> None:
    with running("credit_line", interpreter.path, asleep=False, arguments=("healthy",)) as target:
        found = told(target.pid)
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
    assert not any("leads back" in one.title for one in found)
