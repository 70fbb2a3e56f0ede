"""Who waits for other processes of multiprocessing, however these were started."""

import pytest

from hangtui.model import Finding, Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks
from tests.waiting import until

STARTS = ("fork", "spawn", "forkserver")
PYTHONS = interpreters(("3.9", "3.12"))


def first(interpreter: Interpreter, what: str, start: str, wanted: str) -> Finding:
    """What is told first, once it is that."""
    with running("apart", interpreter.path, asleep=False, arguments=(what, start)) as target:
        return until(lambda: next((one for one in looks(target.pid)[:1] if one.id == wanted), None))


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("start", STARTS)
def test_a_worker_that_was_killed_is_lost(interpreter: Interpreter, start: str) -> None:
    found = first(interpreter, "wait_for_pool", start, "lost-worker")
    assert found.severity is Severity.ERROR
    assert "the only one is idle" in found.sentence


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("start", STARTS)
def test_a_pipe_that_only_its_reader_has_is_waited_for_in_vain(
    interpreter: Interpreter, start: str
) -> None:
    found = first(interpreter, "wait_for_pipe", start, "self-deadlock")
    assert found.severity is Severity.ERROR
    assert "wake-up" not in found.title


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_a_lock_that_is_asked_for_with_an_open_file(interpreter: Interpreter) -> None:
    found = first(interpreter, "wait_for_file", "fork", "file-locked")
    assert "(lock)" in found.title
    assert "orders" in found.title
    assert "(keep)" in found.sentence


@pytest.mark.parametrize("start", STARTS)
def test_who_was_started_apart_may_still_ask_the_manager(start: str) -> None:
    (interpreter, *_) = PYTHONS[-1:]
    found = first(interpreter, "wait_for_proxy", start, "waiting-for-peer")
    assert found.severity is not Severity.ERROR


@pytest.mark.parametrize("start", STARTS)
def test_workers_that_were_started_apart_are_at_work(start: str) -> None:
    (interpreter, *_) = PYTHONS[-1:]
    arguments = ("wait_for_executor", start)
    with running("apart", interpreter.path, asleep=False, arguments=arguments) as target:
        for _ in range(2):
            found = looks(target.pid, 5)
            assert {one.severity for one in found} <= {Severity.NOTE}, found
