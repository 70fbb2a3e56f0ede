"""What the requests of a server wait for, each in the only line of the application that it has."""

import pytest

from hangtui.model import Finding, Severity
from tests.integration.families import diagnose, family
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


def first(name: str, interpreter: Interpreter) -> Finding:
    with family("web_requests", interpreter.path, name) as target:
        return diagnose(target.pid, follow=True).findings[0]


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_has_what_a_request_waits_for_is_told(interpreter: Interpreter) -> None:
    found = first("lent", interpreter)
    assert "for carts" in found.title
    assert "on the way to carts.put()" in found.sentence
    assert "sleeps at web_requests.py" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_request_that_waits_for_a_child_which_only_it_could_feed(
    interpreter: Interpreter,
) -> None:
    found = first("child", interpreter)
    assert found.id == "deadlock"
    assert "the stdin pipe of process" in found.title
    assert found.advice[0].startswith("Write to the stdin pipe")


@pytest.mark.parametrize("name", ["lent", "child"])
@pytest.mark.parametrize("interpreter", EVERY[-2:])
def test_requests_that_are_answered_are_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("web_requests", interpreter.path, asleep=False, arguments=arguments) as target:
        found = diagnose(target.pid, follow=True).findings
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
