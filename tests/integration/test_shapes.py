"""Programs of one shape in several kinds and states: what hangs in one of them is healthy in the
next. A pipeline of three stages, and a pool of connections of the program's own."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import having

PYTHONS = interpreters(("3.9", "3.12"))
MILLS = [
    *((kind, one) for kind in ("threads", "tasks") for one in PYTHONS),
    *(("streams", one) for one in having("anyio")),
]
EACH_MILL = pytest.mark.parametrize(
    ("kind", "interpreter"), [pytest.param(*one, id=f"{one[0]}-{one[1].id}") for one in MILLS]
)
EACH = pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
POOLS = ("semaphore", "condition", "queue", "tasks")
GIVES = {
    "semaphore": "release",
    "condition": "notify",
    "queue": "put into",
    "tasks": "put into",
}


def looked_at(
    program: str, interpreter: Interpreter, *arguments: str, looks: int = 3
) -> list[Finding]:
    """What several looks find."""
    with running(program, interpreter.path, asleep=False, arguments=arguments) as target:
        request = CaptureRequest(pids=(target.pid,), follow=True)
        return list(findings.run(take(request, Looks(looks, 0.5 * looks))))


def seen(program: str, interpreter: Interpreter, *arguments: str, looks: int = 3) -> Finding:
    """The first finding of a program that hangs for good."""
    found = once_seen(
        lambda: looked_at(program, interpreter, *arguments, looks=looks),
        lambda some: bool(some) and some[0].severity is not Severity.NOTE,
    )
    return found[0]


@EACH_MILL
def test_stones_that_fill_the_queue_they_take_from(kind: str, interpreter: Interpreter) -> None:
    first = seen("mill", interpreter, kind, "cross")

    assert (first.id, first.severity) == ("mutual-wait", Severity.ERROR)
    assert "grind" in first.title
    assert "MainThread" not in first.title
    assert "take from" in first.sentence


@EACH_MILL
def test_a_store_that_failed_is_run_by_nobody(kind: str, interpreter: Interpreter) -> None:
    first = seen("mill", interpreter, kind, "died")

    assert first.severity is Severity.ERROR
    assert first.id in ("nobody-left-to-wake", "event-loop-stalled")
    assert "only MainThread" not in first.sentence
    assert "take_flour (mill.py:" in first.sentence or "store (mill.py:" in first.sentence
    assert "which nobody runs" in first.sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_MILL
@pytest.mark.parametrize("state", ["idle", "slow", "busy"])
def test_a_mill_that_may_go_on_is_no_alarm(kind: str, state: str, interpreter: Interpreter) -> None:
    found = looked_at("mill", interpreter, kind, state)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@EACH
@pytest.mark.parametrize("kind", POOLS)
def test_who_has_a_line_and_wants_another(kind: str, interpreter: Interpreter) -> None:
    first = seen("own_lines", interpreter, kind, "nested")

    assert (first.id, first.severity) == ("mutual-wait", Severity.ERROR)
    assert GIVES[kind] in first.sentence
    has = "each has one already, which the end of a with gives back"
    if kind == "condition":  # what its notify() tells of is not known
        has = "each is inside of a with whose end would notify, and wants to enter another first"
    assert has in first.sentence


@EACH
def test_who_has_a_line_and_looks_for_another_by_the_clock(interpreter: Interpreter) -> None:
    first = seen("own_lines", interpreter, "timed", "nested", looks=6)

    assert (first.id, first.severity) == ("quiet", Severity.ERROR)
    assert (
        "take) for a notification of the Condition TimedPool.changed, by polling" in first.title
    )  # qualified from 3.11 on


@EACH
def test_tasks_that_wait_for_a_stopped_desk_are_named(interpreter: Interpreter) -> None:
    first = seen("own_lines", interpreter, "tasks", "stopped")

    assert first.id == "held-from-outside"
    assert "task clerk" in first.title
    assert "waits for it at own_lines.py:" in first.title


@pytest.mark.flaky(reruns=0)
@EACH
@pytest.mark.parametrize("state", ["slow", "busy"])
@pytest.mark.parametrize("kind", [*POOLS, "timed"])
def test_a_shop_that_gets_its_prices_is_no_alarm(
    kind: str, state: str, interpreter: Interpreter
) -> None:
    found = looked_at("own_lines", interpreter, kind, state)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
