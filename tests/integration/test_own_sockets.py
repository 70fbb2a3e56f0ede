"""Who has the other end of a connection in hand: rings within one process, and who does not answer
in another; each with healthy twins."""

import time

import pytest

from hangtui.model import Certainty, Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import DEADLINE_S, looks
from tests.shares import captures

INSTALLED = [
    found for found in interpreters(("3.8", "3.11", "3.12", "3.13")) if found.origin == "pyenv"
]
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)


@under_each
def test_two_threads_that_write_to_each_other_are_a_ring(interpreter: Interpreter) -> None:
    with running(
        "own_sockets", interpreter.path, asleep=False, arguments=("both_write",)
    ) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while found[0].id != "deadlock" and time.monotonic() < deadline:
            found = looks(target.pid)

    first = found[0]
    # The server's loop could act as well, and does not have that connection in hand any more: it
    # is inferred who does. But nobody who is there goes on.
    assert (first.id, first.severity) == ("deadlock", Severity.ERROR), found
    assert first.certainty is Certainty.INFERRED
    assert {one.name for one in first.threads} == {"MainThread", "handler"}
    for part in ("send_all)", "the other end of which handler has"):
        assert part in first.sentence


@under_each
@pytest.mark.parametrize("name", ["one_reads", "one_is_late"])
def test_one_who_reads_or_is_to_read_is_in_no_ring(name: str, interpreter: Interpreter) -> None:
    with running("own_sockets", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = [finding for _ in range(captures(3)) for finding in looks(target.pid)]

    assert [one.title for one in found if "deadlock" in one.id] == []


@under_each
def test_what_the_thread_of_another_process_does_that_is_to_answer(
    interpreter: Interpreter,
) -> None:
    with running(
        "own_sockets", interpreter.path, asleep=False, arguments=("asks_a_manager",)
    ) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while found[0].severity is Severity.NOTE and time.monotonic() < deadline:
            found = looks(target.pid)

    # An error as soon as the looks have seen all threads of both processes stand for long enough.
    assert found[0].id == "waiting-for-peer", found
    assert found[0].severity in (Severity.WARNING, Severity.ERROR)
    for part in ("(take_all", "a manager of multiprocessing", "(Queue.get)"):
        assert part in found[0].sentence


@under_each
def test_who_is_answered_soon_is_not_warned_of(interpreter: Interpreter) -> None:
    with running(
        "own_sockets", interpreter.path, asleep=False, arguments=("manager_that_answers",)
    ) as target:
        found = looks(target.pid, 5)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@under_each
@pytest.mark.parametrize(
    ("name", "place", "why"),
    [
        ("asks_itself", "do_GET)", "whose other end only it could serve"),
        ("asks_its_loop", "(answer)", "it blocks the asyncio event loop"),
    ],
)
def test_a_server_that_asks_itself_waits_for_itself(
    name: str, place: str, why: str, interpreter: Interpreter
) -> None:
    """And not for whoever else has a connection to it."""
    with running("own_sockets", interpreter.path, asleep=False, arguments=(name,)) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while found[0].id != "self-deadlock" and time.monotonic() < deadline:
            found = looks(target.pid)

    # All of its threads wait for each other, and nobody else has an end of their connections.
    assert (found[0].id, found[0].severity) == ("self-deadlock", Severity.ERROR), found
    assert [one.name for one in found[0].threads] == ["MainThread"]
    assert [part for part in (place, why) if part not in found[0].sentence] == []


@under_each
def test_who_is_to_accept_a_connection_and_waits_for_who_has_connected(
    interpreter: Interpreter,
) -> None:
    with running("own_sockets", interpreter.path, arguments=("accepts_under_a_lock",)) as target:
        found = looks(target.pid)

    assert (found[0].id, found[0].severity) == ("deadlock", Severity.ERROR), found
    assert {one.name for one in found[0].threads} == {"MainThread", "acceptor"}


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@under_each
def test_a_server_that_asks_another_of_its_threads_is_no_alarm(interpreter: Interpreter) -> None:
    arguments = ("asks_another_thread",)
    with running("own_sockets", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [finding for _ in range(captures(5)) for finding in looks(target.pid)]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
