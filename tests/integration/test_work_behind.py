"""Workers of an executor wait for what a call that lies behind them would bring."""

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_near_ends import told
from tests.shares import captures

INSTALLED = interpreters(("3.7", "3.9", "3.11", "3.12", "3.13"))


@pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
def test_a_call_behind_comes_to_a_method_that_may_end_the_wait(interpreter: Interpreter) -> None:
    with running("work_behind", interpreter.path, asleep=False, arguments=("hung",)) as target:
        found = [one for one in told(target.pid) if one.id == "pool-starvation"]

    assert [one.severity for one in found if one.severity is not Severity.NOTE]
    assert "1 item lies behind, with Shop.bring, which may end that" in found[0].title


def test_workers_of_which_one_is_free_are_not_warned_of() -> None:
    with running("work_behind", INSTALLED[-1].path, asleep=False, arguments=("free",)) as one:
        for _ in range(captures(3)):
            found = [finding for finding in told(one.pid) if finding.severity is not Severity.NOTE]
            assert not found, found[0].title
