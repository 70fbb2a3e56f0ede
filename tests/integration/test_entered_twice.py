"""A package's lock that a thread enters inside of another one of the same name."""

import pytest

from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_lock_of_the_same_name_is_told_from_another_one(interpreter: Interpreter) -> None:
    with running("entered_twice", interpreter.path, asleep=False) as target:
        capture = diagnose(target.pid).capture
    names = {one.id: one.name for one in capture.threads()}
    found, had = sorted(capture.entered_twice, key=lambda one: one.by is not None)

    assert names[had.thread] == "wants"
    assert had.by is not None
    assert names[had.by] == "keeper"
    assert had.entered.endswith(" (keep)")
    assert (names[found.thread], found.by) == ("ring", None)
    assert (found.manager, found.same) == ("Lock", False)
    assert found.entered.startswith("entered_twice.py:")
    assert found.entered.endswith(" (take)")
