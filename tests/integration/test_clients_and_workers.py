"""Who could end a wait that goes over other processes: clients of a manager, workers of a pool."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

PYTHONS = interpreters(("3.9", "3.12"))


def looked_at(program: str, interpreter: Interpreter, *arguments: str) -> list[Finding]:
    """What several looks find at the target and its children."""
    with running(program, interpreter.path, asleep=False, arguments=arguments) as target:
        request = CaptureRequest(pids=(target.pid,), follow=True)
        return list(findings.run(take(request, Looks(5, 3.0))))


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_a_child_may_ask_a_manager_that_it_has_not_asked_yet(interpreter: Interpreter) -> None:
    found = looked_at("manager_clients", interpreter, "early")

    assert not [one.title for one in found if one.severity is Severity.ERROR]
    first = next(one for one in found if one.id == "waiting-for-peer")
    assert "Other clients of that manager: MainThread of packer" in first.sentence


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_nobody_asks_a_manager_whose_only_other_client_has_ended(interpreter: Interpreter) -> None:
    first = looked_at("manager_clients", interpreter, "failed")[0]

    assert (first.id, first.severity) == ("waiting-for-peer", Severity.ERROR)
    assert "ended with status 3" in first.sentence


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_a_pool_is_joined_whose_result_is_lost(interpreter: Interpreter) -> None:
    first = looked_at("pool_joined", interpreter, "ended")[0]

    assert (first.id, first.severity) == ("lost-worker", Severity.ERROR)
    assert "waits for an end that never comes" in first.title


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_a_pool_is_joined_whose_worker_is_at_its_task(interpreter: Interpreter) -> None:
    found = looked_at("pool_joined", interpreter, "at work")

    assert not {one.severity for one in found} & {Severity.ERROR, Severity.WARNING}
    main = next(one for one in found if "pool_joined.py:23" in one.title)
    assert main.id == "quiet"
    assert ", for its workers: MainThread of process" in main.sentence


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
def test_who_sets_what_it_waits_for_only_afterwards(interpreter: Interpreter) -> None:
    first = looked_at("sets_afterwards", interpreter)[0]

    assert "only task serve (serving) could set (self.done.set()" in first.sentence
    assert "and it itself only once that wait is over" in first.sentence
