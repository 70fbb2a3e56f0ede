"""Threads with queues of their own that wait for each other's answers: each would give one after
what it does now, or after what lies in its queue."""

import pytest

from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import worst
from tests.shares import captures

EACH = pytest.mark.parametrize(
    "interpreter",
    interpreters(("3.8", "3.10", "3.11", "3.12", "3.13", "3.14")),
    ids=lambda one: one.id,
)


@pytest.mark.every_python
@EACH
def test_who_would_answer_after_its_own_question_is_told(interpreter: Interpreter) -> None:
    with running("asked_actors", interpreter.path) as target:
        first = worst(target.pid, "mutual-wait")

    assert "accounts" in first.title
    assert "ledger" in first.title
    assert "wait for each other" in first.title
    assert "which only ledger could notify (self.kept.notify_all(), asked_actors.py:" in (
        first.sentence
    )
    assert "which only accounts could notify" in first.sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
def test_answers_that_come_are_no_ring(interpreter: Interpreter) -> None:
    with running("asked_actors", interpreter.path, asleep=False, arguments=("healthy",)) as target:
        for _ in range(captures(20)):
            found = diagnose(target.pid).findings
            assert [one.title for one in found if one.severity is not Severity.NOTE] == []
