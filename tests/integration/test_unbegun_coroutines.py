"""Waits of tasks for what a coroutine would bring that was made, and that nobody has begun."""

import pytest

from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import worst
from tests.shares import captures

EACH = pytest.mark.parametrize(
    "interpreter",
    interpreters(("3.10", "3.11", "3.12", "3.13", "3.14")),
    ids=lambda one: one.id,
)
HUNG = {
    "future": ("load()", "load(shared):  # begins", "loading of future"),
    "event": ("fill()", "# begins here as well", "jobs of event"),
}


@pytest.mark.every_python
@EACH
@pytest.mark.parametrize("name", HUNG)
def test_who_would_end_the_wait_is_told(name: str, interpreter: Interpreter) -> None:
    call, line, kept = HUNG[name]
    with running("unbegun_coroutines", interpreter.path, arguments=(name,)) as target:
        first = worst(target.pid, "event-loop-stalled")
        place = target.line(line)

    told = f"{call} (unbegun_coroutines.py:{place}) would come to it, but has not begun: its "
    assert f"{told}coroutine is {kept}, which nobody awaits" in first.sentence
    assert "look" not in first.sentence
    assert f"Await {call}" in first.advice[0]


@EACH
def test_a_generator_that_was_left_before_its_end_is_told(interpreter: Interpreter) -> None:
    with running("unbegun_coroutines", interpreter.path, arguments=("generator",)) as target:
        first = worst(target.pid, "event-loop-stalled")
        place = target.line("yield number  # is suspended")

    told = f"is a generator that is suspended (unbegun_coroutines.py:{place}): plates of generator"
    assert "lay() has code that would end it" in first.sentence
    assert told in first.sentence
    assert "aclosing" in first.advice[0]


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", [*HUNG, "generator"])
def test_one_that_a_task_runs_is_begun(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running(
        "unbegun_coroutines", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        for _ in range(captures(20)):
            found = diagnose(target.pid)
            assert [one.title for one in found.findings if one.severity is not Severity.NOTE] == []
            assert [one.label for one in found.capture.resources if one.unbegun] == []
