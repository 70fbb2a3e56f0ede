"""Tasks that ask each other over Unix sockets of asyncio, in three processes, really run."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

PYTHONS = interpreters(("3.8", "3.11", "3.13"))
HUNG = {
    "ring": "So it comes back to task ",
    "lost": ") for Role.loaded",
    "unanswered": "(Role.serve_client)",
}


def look(pid: int) -> list[Finding]:
    """What several looks find at the three processes."""
    return list(findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(4, 3.0))))


def is_told(found: Finding) -> bool:
    return found.severity is Severity.WARNING and "has the other end" in found.sentence


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("kind", HUNG)
def test_who_would_answer_is_told_with_what_that_waits_for(
    interpreter: Interpreter, kind: str
) -> None:
    with running("asked_across", interpreter.path, asleep=False, arguments=(kind,)) as target:
        found = once_seen(lambda: look(target.pid), lambda found: is_told(found[0]))
    assert is_told(found[0]), found[0].title
    assert "ask)" in found[0].title
    assert HUNG[kind] in found[0].sentence


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_who_has_paused_reading_at_the_other_end_is_told(interpreter: Interpreter) -> None:
    with running("paused_protocol", interpreter.path, asleep=False) as target:
        found = once_seen(lambda: look(target.pid), lambda found: "Gate" in found[0].title)
    assert "Gate has paused reading" in found[0].title
    assert "reads no more from that connection" in found[0].sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("kind", ["idle", "slow", "news"])
def test_who_rests_or_has_its_answer_by_and_by_is_not_warned_of(
    interpreter: Interpreter, kind: str
) -> None:
    with running("asked_across", interpreter.path, asleep=False, arguments=(kind,)) as target:
        judged = look(target.pid)
    assert not [one.title for one in judged if one.severity is not Severity.NOTE]
