"""Who waits for one that does not answer: however many they are, and whatever that one is."""

import time

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import DEADLINE_S, looks

INSTALLED = [found for found in interpreters(("3.12",)) if found.origin == "pyenv"]


@pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
def test_each_of_forty_calls_is_followed_to_the_server_that_says_nothing(
    interpreter: Interpreter,
) -> None:
    with running("many_calls", interpreter.path, asleep=False, arguments=("40", "60")) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid, 2)
        while found[0].severity is Severity.NOTE and time.monotonic() < deadline:
            found = looks(target.pid, 2)

    first = found[0]
    assert first.severity is Severity.WARNING, found
    assert "(take_all)" in first.title
    assert "(ask_stock)" in first.title


@pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
def test_a_program_without_python_that_is_stopped_is_why_it_does_not_answer(
    interpreter: Interpreter,
) -> None:
    with running("stopped_native", interpreter.path) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while found[0].id != "held-from-outside" and time.monotonic() < deadline:
            found = looks(target.pid)

    first = found[0]
    assert (first.id, first.severity) == ("held-from-outside", Severity.WARNING), found
    assert "MainThread waits for it at stopped_native.py:15 (ask_stock)" in first.title
