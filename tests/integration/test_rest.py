"""Who is told to be idle, of real processes; and their twins, which hang, never are."""

import time

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.backends.capture.collector import collect
from hangtui.model import Capture, Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks
from tests.waiting import until

PYTHONS = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
LOOKS, SERIES = 3, 4
BETWEEN_S = 0.2
_BUSY = ("polls", "tries")


def looked_at(pid: int) -> tuple[Finding, ...]:
    """What several looks in a row find."""
    captures: list[Capture] = []
    for look in range(LOOKS):
        time.sleep(BETWEEN_S if look else 0)  # as `check` does: what polls wakes up meanwhile
        *_, capture = collect(CaptureRequest(pids=(pid,)))
        captures.append(capture)
    return findings.run(with_progress(captures))


@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize(
    "name",
    [
        *("http_server", "pool", "consumers", "streams", "sleeps", "sleeps_once"),
        *("sleeps_in_the_first_task", "streams_kept_open"),
    ],
)
def test_what_has_nothing_to_do_is_idle(name: str, interpreter: Interpreter) -> None:
    _skip_without_names(name, interpreter)
    with running("rests", interpreter.path, asleep=name != "sleeps", arguments=(name,)) as target:
        found = looked_at(target.pid)
        for _ in range(SERIES):
            # Who waits for a processor as it is looked at does not sleep: that proves no rest.
            if [one.id for one in found] == ["quiet"]:
                found = looked_at(target.pid)
    assert [(one.id, one.severity) for one in found] == [("idle", Severity.NOTE)]


@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("http_handler_hangs", "wait_for_ever"),
        ("pool_task_hangs", "take"),
        ("consumer_waits_within", "take"),
        ("streams_task_hangs", "refresh"),
        ("streams_kept_open_hangs", "serve_until"),
        ("polls", "wait_until_done"),
        ("polls_seldom", "wait_for_the_file"),
        ("polls_in_a_helper", "pause"),
        ("polls_what_fails", "ask_again"),
        ("polls_in_a_task", "until_loaded"),
        ("polls_in_the_first_task", "until_there"),
        ("tries_again_in_the_first_task", "until_it_listens"),
        ("polls_by_a_condition_of_the_first_task", "is_there"),
    ],
)
def test_what_waits_below_its_own_lines_is_not(
    name: str, function: str, interpreter: Interpreter
) -> None:
    _skip_without_names(name, interpreter)
    with running(
        "rests", interpreter.path, asleep=not name.startswith(_BUSY), arguments=(name,)
    ) as target:
        found = looked_at(target.pid)
    assert {"idle", "alive", "working"}.isdisjoint(one.id for one in found)
    assert found[0].where is not None
    assert found[0].where.filename.endswith("rests.py")
    assert function in found[0].sentence


@pytest.mark.parametrize("interpreter", PYTHONS)
def test_who_waits_for_a_lock_that_stays_where_it_is_is_told_beside_those_that_go_on(
    interpreter: Interpreter,
) -> None:
    arguments = ("kept_by_reader_of_its_own",)
    with running("hangs", interpreter.path, asleep=False, arguments=arguments) as target:
        found = looked_at(target.pid)
        for _ in range(SERIES):
            # Who is notified again and again may be met on the way back to its wait.
            if [one.id for one in found] != ["waits-beside-others"]:
                found = looked_at(target.pid)
    assert [(one.id, one.severity) for one in found] == [("waits-beside-others", Severity.NOTE)]
    assert "for changing, which " in found[0].title
    assert "for a notification of the Condition gone, while others" in found[0].title


@pytest.mark.parametrize("interpreter", PYTHONS)
def test_who_waits_for_the_end_of_a_server_waits_for_whoever_stops_it(
    interpreter: Interpreter,
) -> None:
    if interpreter.version == "3.7":
        pytest.skip("socket.create_server is new in 3.8")
    with running("rests", interpreter.path, arguments=("serves_in_a_pool",)) as target:
        found = looks(target.pid)
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize(
    "name", ["polls_seldom", "polls_in_a_helper", "polls_what_fails_in_a_helper"]
)
def test_one_look_at_a_sleep_proves_no_rest(name: str, interpreter: Interpreter) -> None:
    with running("rests", interpreter.path, asleep=False, arguments=(name,)) as target:
        asleep = until(lambda: _asleep(target.pid))
    assert [one.id for one in findings.run(asleep)] == ["quiet"]


def _skip_without_names(name: str, interpreter: Interpreter) -> None:
    if "first_task" in name and interpreter.version == "3.7":
        pytest.skip("tasks have names since 3.8")


def _asleep(pid: int) -> Capture | None:
    """A capture that meets its only thread in the sleep."""
    *_, capture = collect(CaptureRequest(pids=(pid,)))
    (thread,) = capture.threads()
    return capture if thread.blocked and thread.syscall and thread.syscall.sleeps else None
