"""Real processes in which nobody is left to end a wait, and what is told of those."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


def first(interpreter: Interpreter, name: str) -> Finding:
    """The first finding, which is no note of any of these programs."""
    with running("left_for_good", interpreter.path, asleep=False, arguments=(name,)) as target:
        request = CaptureRequest(pids=(target.pid,), children=True, follow=True)
        return once_seen(
            lambda: findings.run(take(request, Looks(4, 1.8))),
            lambda found: any(one.severity is not Severity.NOTE for one in found[:1]),
        )[0]


@pytest.mark.parametrize("interpreter", EVERY)
def test_children_that_the_kernel_has_forgotten(interpreter: Interpreter) -> None:
    found = first(interpreter, "carriers_forgotten")

    assert found.severity is Severity.ERROR
    assert "in carriers" in found.title
    assert "gone without a word are carrier (process" in found.title
    assert "ignores SIGCHLD" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_joins_a_thread_that_takes_what_nobody_puts(interpreter: Interpreter) -> None:
    found = first(interpreter, "join_a_taker")

    assert (found.id, found.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert "take_letters" in found.title


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    ("name", "waits"),
    [
        ("one_weight_too_many", "weigh_letters) for "),
        ("join_who_waits_for_a_notification", "wait_for_letters); MainThread waits"),
    ],
)
def test_all_threads_wait_for_what_these_alone_bring(
    name: str, waits: str, interpreter: Interpreter
) -> None:
    found = first(interpreter, name)

    assert (found.id, found.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert waits in found.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_spins_until_one_behind_it_goes_on(interpreter: Interpreter) -> None:
    found = first(interpreter, "spin_with_the_lock")

    assert (found.id, found.severity) == ("busy-loop", Severity.WARNING)
    assert "(Oven.watch)" in found.title or "(watch)" in found.title
    assert "without a pause until self.degrees changes" in found.title
    assert "which heater would change, behind it" in found.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_spins_in_the_loop_of_who_is_to_end_it(interpreter: Interpreter) -> None:
    found = first(interpreter, "spin_in_a_task")

    assert (found.id, found.severity) == ("busy-loop", Severity.WARNING)
    assert "which task heat_slowly would change, behind it" in found.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_what_several_futures_are_called(interpreter: Interpreter) -> None:
    found = first(interpreter, "several_futures")

    assert found.severity is Severity.ERROR
    assert "2 futures" in found.sentence
    assert "waiter" not in found.title + found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_the_end_of_a_child_of_the_fork_server(interpreter: Interpreter) -> None:
    found = first(interpreter, "child_of_the_fork_server")

    assert found.id == "waiting-for-process"
    assert "to end" in found.title
    assert "wait_a_day" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_loop_that_nobody_is_left_to_wake(interpreter: Interpreter) -> None:
    found = first(interpreter, "bell_that_wakes_nobody")

    assert (found.id, found.severity) == ("loop-not-woken", Severity.ERROR)


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_process_that_the_fork_server_started_and_that_was_killed(
    interpreter: Interpreter,
) -> None:
    found = first(interpreter, "killed_clerk_of_the_fork_server")

    assert found.severity is Severity.ERROR
    assert "(clerk) has ended" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_how_each_child_has_ended(interpreter: Interpreter) -> None:
    found = first(interpreter, "one_of_two_is_killed")

    assert found.severity is Severity.ERROR
    assert "its child, was ended by SIGKILL" in found.title
    assert "ended with status 0 and process" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_lock_of_multiprocessing_that_nobody_shares(interpreter: Interpreter) -> None:
    found = first(interpreter, "shared_lock_in_a_thread")

    assert (found.id, found.severity) == ("event-loop-stalled", Severity.ERROR)
    assert "waits for till" in found.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_databases_of_two_processes_that_are_crossed(interpreter: Interpreter) -> None:
    found = first(interpreter, "crossed_databases")

    assert found.id == "database-locked"
    assert found.title.startswith("Possible deadlock")
    assert "asks SQLite for a lock, too" in found.sentence


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_loop_that_waits_for_a_child_which_waits_for_its_process(
    interpreter: Interpreter,
) -> None:
    found = first(interpreter, "child_that_waits_for_the_loop")

    assert (found.id, found.severity) == ("event-loop-stalled", Severity.ERROR)
    assert "one for a child that waits for this process" in found.sentence
    assert "for an item of a Queue of multiprocessing" in found.sentence
