"""A task that a server of ASGI has begun with a request, and that has no frame of the server."""

import pytest

from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(("kind", "client"), [("http", "10.0.0.7:4711"), ("websocket", "")])
def test_who_has_a_request_in_hand_does_not_rest(
    interpreter: Interpreter, kind: str, client: str
) -> None:
    with running("asgi_task", interpreter.path, asleep=False, arguments=(kind,)) as target:
        found = diagnose(target.pid)
    (answers,) = {one.answers for one in found.capture.tasks if one.function == "application"}

    assert answers == client
    assert ("idle" in [one.id for one in found.findings]) is not bool(client)
