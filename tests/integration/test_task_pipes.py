"""Tasks of asyncio that wait for a child process over a pipe."""

import pytest

from hangtui.model import Finding, Severity
from tests.integration.families import diagnose
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
PIPES = [one for one in EVERY if one.id not in ("pyenv-3.8", "pyenv-3.9")]
"""Before 3.10 a child's standard input is a pair of sockets (unix_events.py, _start)."""


def first(name: str, interpreter: Interpreter) -> Finding:
    with running("task_pipes", interpreter.path, asleep=False, arguments=(name,)) as target:
        return diagnose(target.pid, follow=True).findings[0]


@pytest.mark.parametrize("interpreter", PIPES)
def test_a_task_and_the_child_that_only_it_could_feed(interpreter: Interpreter) -> None:
    found = first("ring", interpreter)
    assert found.id == "deadlock"
    assert "task main and process" in found.title
    assert "the stdin pipe of process" in found.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_the_child_whose_words_a_task_waits_for_is_told(interpreter: Interpreter) -> None:
    found = first("silent", interpreter)
    assert "data from the stdout pipe of process" in found.title
    assert "(sleep)" in found.sentence


@pytest.mark.parametrize("interpreter", PIPES)
def test_the_child_that_does_not_read_is_told(interpreter: Interpreter) -> None:
    found = first("full", interpreter)
    assert "task main" in found.title
    assert "(sleep)" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY[-2:])
def test_a_child_that_left_its_pipe_to_another_is_told(interpreter: Interpreter) -> None:
    found = first("kept", interpreter)
    assert "for the end of the stdout pipe of process" in found.title
    assert "which has ended itself" in found.sentence


@pytest.mark.parametrize("name", ["ring", "silent", "full", "kept"])
@pytest.mark.parametrize("interpreter", EVERY[-2:])
def test_children_that_go_on_are_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("task_pipes", interpreter.path, asleep=False, arguments=arguments) as target:
        found = diagnose(target.pid, follow=True).findings
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
