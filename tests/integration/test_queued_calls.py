"""A call that waits for its turn in a loop would end another thread's wait."""

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_near_ends import told
from tests.shares import captures

INSTALLED = interpreters(("3.7", "3.9", "3.11", "3.12", "3.13"))


@pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
def test_the_loops_thread_waits_for_who_gave_it_the_call(interpreter: Interpreter) -> None:
    with running("queued_elsewhere", interpreter.path, asleep=False, arguments=("hung",)) as target:
        first = told(target.pid)[0]

    assert (first.id, first.severity) == ("deadlock", Severity.WARNING)
    assert "MainThread has to set done and waits at" in first.sentence
    assert any("is queued in the _UnixSelectorEventLoop" in line for line in first.evidence)


def test_a_loop_that_comes_to_the_call_is_not_warned_of() -> None:
    with running("queued_elsewhere", INSTALLED[-1].path, asleep=False, arguments=("free",)) as one:
        for _ in range(captures(3)):
            found = [finding for finding in told(one.pid) if finding.severity is not Severity.NOTE]
            assert not found, found[0].title
