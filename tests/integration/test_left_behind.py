"""Tasks that wait for what was taken and not given back, or for what a task that failed was to do,
while their loop goes on to serve."""

import time
from collections.abc import Iterable, Iterator

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.model import Capture, Finding, NodeKind, NoHolder, Severity
from tests.integration.capturing import diagnose, once_seen
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures

ID = "left-behind"
EACH = pytest.mark.parametrize(
    "interpreter",
    interpreters(("3.8", "3.10", "3.11", "3.12", "3.13", "3.14")),
    ids=lambda one: one.id,
)
FAILED = {
    "lock_of_one_that_failed": ("task rotate", "release", "IndexError", "lock (asyncio.Lock)"),
    "queue_whose_consumer_failed": ("task consume", "take from", "ZeroDivisionError", "room in"),
    "condition_whose_notifier_failed": ("task drain", "notify", "OSError", "a notify() of"),
    "answers_whose_reader_failed": (
        "task receive_all",
        "finish",
        "asyncio.exceptions.InvalidStateError",
        "an asyncio.Future",
    ),
}
HEALTHY = (
    "task_that_calls_back",
    "task_that_calls_a_method",
    "task_that_calls_a_function",
    "timer",
    "timer_with_arguments",
    "partial",
    "in_turn",
)


def of_those_left(found: Iterable[Finding]) -> list[Finding]:
    return [one for one in found if one.id == ID]


def in_a_row(pid: int) -> Iterator[Capture]:
    """Several looks at it."""
    for _ in range(4):
        yield diagnose(pid).capture
        time.sleep(0.4)


@pytest.mark.every_python
@EACH
@pytest.mark.parametrize("name", FAILED)
def test_the_task_that_failed_is_told(name: str, interpreter: Interpreter) -> None:
    task, act, error, awaited = FAILED[name]
    with running("left_behind", interpreter.path, arguments=(name,)) as target:
        found = of_those_left(diagnose(target.pid).findings)
        lines = target.source.splitlines()

    assert len(found) == 1
    (one,) = found
    assert awaited in one.title
    assert f"{task} (" in one.title
    assert f"which was to {act} it, has ended with {error}" in one.title
    raised = [number for number, line in enumerate(lines, 1) if "# raises here" in line]
    assert any(f"has ended with {error} at left_behind.py:{at} (" in one.sentence for at in raised)


@pytest.mark.every_python
@pytest.mark.parametrize(
    "interpreter", interpreters(("3.11", "3.12", "3.13", "3.14")), ids=lambda one: one.id
)
def test_a_party_that_failed_before_it_came_to_the_barrier(interpreter: Interpreter) -> None:
    name = "barrier_of_a_party_that_failed"
    with running("left_behind", interpreter.path, arguments=(name,)) as target:
        (one,) = of_those_left(diagnose(target.pid).findings)

    assert "task compute" in one.title
    assert "has ended with IndexError" in one.title


@pytest.mark.every_python
@EACH
@pytest.mark.parametrize("name", ["semaphore_kept", "semaphore_kept_while_the_loop_ticks"])
def test_nobody_holds_what_was_kept(name: str, interpreter: Interpreter) -> None:
    asleep = name == "semaphore_kept"
    with running("left_behind", interpreter.path, asleep=asleep, arguments=(name,)) as target:
        (one,) = once_seen(lambda: of_those_left(diagnose(target.pid).findings), bool)

    assert "awaits a unit of seats (asyncio.Semaphore) at left_behind.py:" in one.title
    assert "whoever took it has ended, or went on, without giving it back" in one.title


@pytest.mark.every_python
@EACH
def test_who_waits_may_have_it_all(interpreter: Interpreter) -> None:
    arguments = ("semaphore_whose_waiter_has_it_all",)
    with running("left_behind", interpreter.path, arguments=arguments) as target:
        (one,) = once_seen(lambda: of_those_left(diagnose(target.pid).findings), bool)

    assert "awaits a unit of blocks (asyncio.Semaphore) at left_behind.py:" in one.title
    assert "it takes more and more in a loop that gives nothing back" in one.title


@pytest.mark.every_python
@EACH
def test_a_wait_that_every_look_met_is_warned_of_though_the_loop_ticks(
    interpreter: Interpreter,
) -> None:
    name = "semaphore_kept_while_the_loop_ticks"
    with running("left_behind", interpreter.path, asleep=False, arguments=(name,)) as target:
        watched = once_seen(
            lambda: with_progress(list(in_a_row(target.pid))),
            lambda capture: bool(of_those_left(findings.run(capture))),
        )
    (wait,) = [one for one in watched.waits if one.target.kind is NodeKind.SEMAPHORE]
    assert wait.waiter in [one.task for one in watched.stays if one.lasted_s > 1]
    (found,) = of_those_left(findings.run(watched))
    assert found.severity is Severity.WARNING


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", HEALTHY)
def test_what_callbacks_give_back_is_not_lost(name: str, interpreter: Interpreter) -> None:
    with running("left_behind", interpreter.path, asleep=False, arguments=(name,)) as target:
        for _ in range(captures(20)):
            found = diagnose(target.pid)
            assert [one.title for one in found.findings if one.severity is not Severity.NOTE] == []
            assert of_those_left(found.findings) == []
            gone = [one for one in found.capture.resources if one.no_holder is NoHolder.GONE]
            assert [one.label for one in gone] == []
