"""Greenlets that a program switches between without gevent or eventlet, hung and healthy.

The environments are made by script/libraries.
"""

import time

import pytest

from hangtui.model import NodeKind, Severity, TaskState
from tests.integration.capturing import diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having, worst
from tests.shares import captures

WITH_GREENLETS = having("greenlet")
EACH = pytest.mark.parametrize("interpreter", WITH_GREENLETS, ids=lambda one: one.id)
pytestmark = pytest.mark.skipif(
    not WITH_GREENLETS, reason=f"no greenlet in {VENVS} (script/libraries)"
)
CAPTURES = captures(20)
HUNG = {
    "held": (
        "deadlock",
        Severity.ERROR,
        ("MainThread", "lock, which greenlet keep holds", "to switch to it", "Release lock"),
    ),
    "event": (
        "mutual-wait",
        Severity.WARNING,
        ("MainThread", "greenlet promise", "done.set()", "to switch to it"),
    ),
}


@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG[name]
    arguments = (name,)
    with running("plain_greenlets", interpreter.path, asleep=False, arguments=arguments) as target:
        first = worst(target.pid, identifier)
        tasks = {one.function or one.name: one for one in diagnose(target.pid).capture.tasks}

    text = f"{first.title} {first.sentence} {' '.join(first.advice)}"
    assert first.severity in (severity, Severity.ERROR)  # the longer it stands, the surer
    assert [word for word in words if word not in text] == []
    assert not any(word in text for word in ("asyncio", "event loop", "join"))
    other = {"held": "keep", "event": "promise"}[name]
    assert {*tasks} == {"MainThread", other}
    assert all(one.kind is NodeKind.GREENLET for one in tasks.values())
    assert tasks[other].state is TaskState.WAITING
    assert [one.function for one in tasks[other].python_stack or ()] == ["pause", other]
    record_scheduler("greenlet", name, interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", [*HUNG, "own", "library"])
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("plain_greenlets", interpreter.path, asleep=False, arguments=arguments) as target:
        for _ in range(CAPTURES):
            found = diagnose(target.pid).findings
            assert [one.title for one in found if one.severity is not Severity.NOTE] == []
            time.sleep(0.003)


@EACH
def test_who_waits_for_a_loop_that_its_library_runs_in_a_greenlet(interpreter: Interpreter) -> None:
    with running("plain_greenlets", interpreter.path, arguments=("library",)) as target:
        first = diagnose(target.pid).findings[0]

    assert first.id == "event-loop-stalled"
    assert "greenlet MainThread waits at plain_greenlets.py:" in first.sentence
    assert "(ask) for that task." in first.sentence
