"""What lies in ``__slots__`` has the name by which its class has it."""

import pytest

from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks


@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
def test_locks_in_slots_are_named(interpreter: Interpreter) -> None:
    with running("slotted", interpreter.path) as target:
        found = looks(target.pid)[0]
    assert found.id == "deadlock"
    assert found.title.endswith("wait for each other (Cabinet.bolt, Cabinet.key)")
