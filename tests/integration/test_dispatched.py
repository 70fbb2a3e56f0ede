"""Who waits in an object of a package whose own loop has called the program, really run."""

import pytest

from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_asks_a_client_from_within_its_loop_is_told_so(interpreter: Interpreter) -> None:
    with running("dispatched", interpreter.path, asleep=False) as target:
        capture = diagnose(target.pid).capture
    names = {one.id: one.name for one in capture.threads()}
    names |= {one.id: "the task" for one in capture.tasks}
    found = {names[one.waiter]: one for one in capture.dispatched}

    assert set(found) == {"own", "the task"}
    for one in found.values():
        assert one.package == "wire"
        assert one.alone
        assert one.loop.startswith("client.py:")
        assert one.loop.endswith("serve)")
        assert one.called.startswith("dispatched.py:")
