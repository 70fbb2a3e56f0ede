"""Locks behind wrappers of usual shapes: healthy ones get no claim, hung ones are found with the
certainty that the shape allows."""

import pytest

from hangtui.model import Certainty, Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures

CAPTURES = captures(4)
HELD_MS = "120"
"""Longer than a capture: those who wait for the lock stand still in it."""
VERSIONS = ("3.8", "3.11", "3.12", "3.13")
_EACH = list({one.version: one for one in reversed(interpreters(VERSIONS))}.values())

PROVEN = ("self-deadlock", Severity.ERROR, Certainty.PROVEN)
POSSIBLE = ("self-deadlock", Severity.WARNING, Certainty.INFERRED)
HUNG = {
    "manager": PROVEN,
    "decorator": POSSIBLE,
    "exit_stack": PROVEN,
    "condition_subclass": PROVEN,
    # The method that took it has returned: every way to where the caller stands leads over it.
    "read_write": POSSIBLE,
    "helpers": POSSIBLE,
    "sink": POSSIBLE,
    "quota": POSSIBLE,
    "methods": POSSIBLE,
    "handover": POSSIBLE,
    "own_condition": PROVEN,
    "inverse": PROVEN,
    "in_try": POSSIBLE,
    "in_turn": POSSIBLE,
    "two_locks": POSSIBLE,
}


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
@pytest.mark.parametrize("shape", [*HUNG, "timed"])
def test_nothing_is_said_against_a_healthy_one(shape: str, interpreter: Interpreter) -> None:
    arguments = (shape, "healthy", HELD_MS)
    with running("wrapped_locks", interpreter.path, asleep=False, arguments=arguments) as target:
        for _ in range(CAPTURES):
            found = diagnose(target.pid)
            assert [one for one in found.findings if one.severity is not Severity.NOTE] == []
            assert found.graph.cycles == ()


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
@pytest.mark.parametrize("shape", HUNG)
def test_a_hung_one_is_found(shape: str, interpreter: Interpreter) -> None:
    arguments = (shape, "hung")
    with running("wrapped_locks", interpreter.path, arguments=arguments) as target:
        finding = diagnose(target.pid).findings[0]
        assert (finding.id, finding.severity, finding.certainty) == HUNG[shape]
        if finding.id == "self-deadlock":
            assert [one.name for one in finding.threads] == ["player-0"]
            assert "wrapped_locks.py:" in finding.sentence


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
def test_one_that_will_give_up_by_itself_is_no_deadlock(interpreter: Interpreter) -> None:
    with running("wrapped_locks", interpreter.path, arguments=("timed", "hung")) as target:
        finding = diagnose(target.pid).findings[0]

    assert finding.severity is Severity.NOTE
    assert finding.id in ("alive", "quiet")
