"""Locks of a manager of multiprocessing, which a client has taken through a proxy."""

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks

EACH = pytest.mark.parametrize(
    "interpreter",
    interpreters(("3.8", "3.10", "3.12", "3.13", "3.14")),
    ids=lambda one: one.id,
)


@pytest.mark.every_python
@EACH
def test_who_has_a_lock_of_a_manager(interpreter: Interpreter) -> None:
    program = "manager_lock_held"
    with running(program, interpreter.path, asleep=False, arguments=("hung",)) as target:
        found = looks(target.pid)
        pid = target.pid
    first = found[0]
    assert first.severity is not Severity.NOTE, first.title
    told = " ".join(f"{one.title} {one.sentence}" for one in found)
    assert f"which MainThread of process {pid} holds" in told


@EACH
def test_one_that_is_given_back_again_and_again_is_no_alarm(interpreter: Interpreter) -> None:
    program = "manager_lock_held"
    with running(program, interpreter.path, asleep=False, arguments=("slow",)) as target:
        for _ in range(3):
            found = looks(target.pid, 3)
            assert [one.title for one in found if one.severity is not Severity.NOTE] == []
