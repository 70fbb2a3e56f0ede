"""Who is to answer is in the same process, in the hands of a library, and waits as well."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures

INSTALLED = interpreters(("3.7", "3.9", "3.11", "3.12", "3.13"))
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
HUNG = {
    "task": ("deadlock", "the other end of which task answer has", "(settle_later)"),
    "thread": ("deadlock", "the other end of which operator has", "(settle)"),
    "pool": ("deadlock", "the result of ThreadPool.map()", "(settle)"),
    "spin": ("waiting-in-library", "by polling", "(take)"),
}


def told(pid: int, looks: int = 5, seconds: float = 2.0) -> list[Finding]:
    request = CaptureRequest(pids=(pid,), follow=True)
    return list(findings.run(take(request, Looks(looks, seconds))))


@under_each
@pytest.mark.parametrize("name", HUNG)
def test_who_is_to_answer_waits_for_the_one_who_asks(name: str, interpreter: Interpreter) -> None:
    with running("near_ends", interpreter.path, asleep=False, arguments=(name, "hung")) as target:
        found = once_seen(
            lambda: told(target.pid), lambda found: [one.id for one in found[:1]] == [HUNG[name][0]]
        )
    first, (identifier, *said) = found[0], HUNG[name]
    assert first.id == identifier, first.title
    assert first.severity.value in ("warning", "error")
    for part in said:
        assert part in f"{first.title} {first.sentence}"


@pytest.mark.parametrize("name", HUNG)
def test_who_takes_a_moment_is_not_warned_of(name: str) -> None:
    interpreter = INSTALLED[-1]
    with running("near_ends", interpreter.path, asleep=False, arguments=(name, "slow")) as target:
        for _ in range(captures(3)):
            found = [one for one in told(target.pid) if one.severity is not Severity.NOTE]
            assert not found, found[0].title


@under_each
def test_a_peer_that_does_not_read_keeps_who_sends_to_it(interpreter: Interpreter) -> None:
    """Whoever else uses that connection is not said to end the wait."""
    with running("full_line", interpreter.path, asleep=False) as target:
        said = told(target.pid)[0].sentence
    assert "task main awaits its peer 127.0.0.1:" in said, said
    assert "to read what it has sent (" in said
    assert "would end that" not in said
