"""Who waits for a datagram: an answer that may be lost, or whatever anybody sends."""

import pytest

from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks

INSTALLED = [one for one in interpreters(("3.8", "3.13")) if one.origin == "pyenv"]


@pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("asks_once", "quiet"),
        ("asks_each_round", "quiet"),
        ("answers", "idle"),
        ("announces", "idle"),
    ],
)
def test_who_has_asked_by_datagram_is_not_idle(
    name: str, rule: str, interpreter: Interpreter
) -> None:
    with running("datagrams", interpreter.path, arguments=(name,)) as target:
        found = looks(target.pid)

    assert [one.id for one in found] == [rule]
    assert "for somebody to send to the UDP socket" in found[0].title
