"""What packages say of their functions, read from the code of those in which programs wait."""

from pathlib import Path

import pytest

from tests.integration.capturing import diagnose_at_rest
from tests.integration.targets import running

LOCK = (
    "Use a server to hold a shared, distributed lock named name ... If somebody else has the lock, "
    "this blocks until that one releases it"
)


@pytest.mark.every_python
def test_the_function_that_a_thread_waits_in_is_told_in_its_own_words(python: Path) -> None:
    with running("documented", python, arguments=("thread",)) as target:
        found = diagnose_at_rest(target.pid)
    (main,) = found.capture.threads()
    docs = {frame.function.rpartition(".")[2]: frame.doc for frame in main.python_stack or ()}

    assert docs.pop("acquire") == LOCK
    assert set(docs.values()) == {None}


@pytest.mark.every_python
def test_a_function_without_a_docstring_has_no_words(python: Path) -> None:
    with running("documented", python, arguments=("undocumented",)) as target:
        found = diagnose_at_rest(target.pid)
    frames = [frame for thread in found.capture.threads() for frame in thread.python_stack or ()]

    assert "bare" in {frame.function.rpartition(".")[2] for frame in frames}
    assert {frame.doc for frame in frames} == {None}


@pytest.mark.every_python
def test_the_function_that_a_task_waits_in_is_told_in_its_own_words(python: Path) -> None:
    with running("documented", python, arguments=("task",)) as target:
        found = diagnose_at_rest(target.pid)
    frames = [frame for task in found.capture.tasks for frame in task.python_stack or ()]
    docs = {frame.function.rpartition(".")[2]: frame.doc for frame in frames}

    assert docs["held"] == "Wait for whoever has it"
    assert docs["hold"] is None  # too short to say anything
