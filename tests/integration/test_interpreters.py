"""Threads of several interpreters of one process that really hang, and such as do not."""

import pytest

from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import worst
from tests.integration.test_rest import looked_at
from tests.shares import captures

CAPTURES = captures(20)
HUNG = {
    "ring": ("deadlock", ("inner-one and inner-two", "left", "right", "(take)")),
    "pipes": ("deadlock", ("one and two", "pipe", "(pass_on)", "where only two could act first")),
    "join": ("deadlock", ("MainThread and called", "pipe", "(wait_for_word)", "(join)")),
    "tasks": ("deadlock", ("tasks move", "left", "right", "asyncio event loop in looping")),
    "loop_blocked": ("event-loop-blocked", ("Task stop blocks", "event loop of looping", "(stop)")),
    "pool": ("executor-starvation", ("all 2 workers", "(outer)", "queued in the same pool")),
    "executor": ("deadlock", ("MainThread and InterpreterPoolExecutor", "first", "(executor)")),
}
"""The first finding of each, and what it says."""
SINCE = {
    **dict.fromkeys(("pipes", "join", "tasks", "loop_blocked", "pool"), 12),
    "executor": 14,
}
"""The first version whose frames tell where each waits, or that has it."""


def runs(names: list[str]) -> list[tuple[str, Interpreter]]:
    found = interpreters(("3.8", "3.12", "3.13", "3.14"))
    return [(name, one) for name in names for one in found if minor(one) >= SINCE.get(name, 0)]


def minor(interpreter: Interpreter) -> int:
    return int(interpreter.version.split(".")[1])


@pytest.mark.every_python
@pytest.mark.parametrize(
    ("name", "interpreter"), runs([*HUNG]), ids=lambda one: getattr(one, "id", one)
)
def test_what_hangs_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, words = HUNG[name]
    with running("interpreter_waits", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = worst(target.pid, identifier)

    said = f"{first.title} {first.sentence}"
    ring = identifier in ("deadlock", "executor-starvation")
    assert first.severity is (Severity.ERROR if ring else Severity.WARNING)
    assert first.certainty.supports_claim or not ring
    assert [word for word in words if word not in said] == []
    record_scheduler("subinterpreters", name, interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # one false word is one, however rare
@pytest.mark.every_python
@pytest.mark.parametrize(
    "interpreter", interpreters(("3.14", "3.15")) or [None], ids=lambda one: one and one.id
)
def test_who_waits_for_a_queue_of_the_library_does_not_rest(
    interpreter: Interpreter | None,
) -> None:
    """Queue.get of concurrent.interpreters sleeps between its looks."""
    if interpreter is None:
        pytest.skip("no CPython 3.14 here, which has concurrent.interpreters")
    with running("interpreter_queue", interpreter.path, asleep=False) as target:
        single = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]
        first = looked_at(target.pid)[0]

    assert [one.title for one in single if one.id == "idle"] == []
    assert first.id == "quiet"
    assert "(consume) in Queue.get (_queues.py:" in first.title
    assert first.where is not None
    assert first.where.filename.endswith("interpreter_queue.py")


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.every_python
@pytest.mark.parametrize(
    ("name", "interpreter"), runs([*HUNG, "busy"]), ids=lambda one: getattr(one, "id", one)
)
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running(
        "interpreter_waits", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
