"""What real loops look at between one sleep and the next, and who would change it."""

from collections.abc import Callable

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Capture, Polled, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
LAST = [one for one in EVERY if "3.12" in str(one.id)][:1]


def looked(
    interpreter: Interpreter,
    name: str,
    count: int = 4,
    holds: Callable[[Capture], bool] = lambda capture: bool(capture.polled),
) -> Capture:
    """What several looks see, once that holds: that somebody is asleep who looks at something."""
    with running("polling", interpreter.path, asleep=False, arguments=(name,)) as target:
        request = CaptureRequest(pids=(target.pid,), follow=True)
        return once_seen(lambda: take(request, Looks(count, 0.4 * count)), holds)


def is_error(capture: Capture) -> bool:
    """Whether the first finding is one."""
    return any(one.severity is Severity.ERROR for one in findings.run(capture)[:1])


def only(capture: Capture) -> Polled:
    (one,) = capture.polled
    return one


def functions(polled: Polled) -> list[str]:
    return [one.partition(" ")[0].rpartition(".")[2] for one in polled.written]


@pytest.mark.parametrize("interpreter", EVERY)
def test_flags_that_wait_for_each_other(interpreter: Interpreter) -> None:
    capture = looked(interpreter, "flags_that_wait_for_each_other", holds=is_error)
    by_name = {one.looks_at: one for one in capture.polled}
    first = findings.run(capture)[0]

    assert set(by_name) == {("self.server.ready",), ("self.inbox",)}
    (changer,) = by_name["self.inbox",].changers
    assert changer.place.partition(" ")[0].endswith("boot")
    # `close` changes the flag as well, and nobody runs it, nor is anybody left who could.
    assert functions(by_name["self.server.ready",]) == ["close"]
    assert first.severity is Severity.ERROR
    assert "by polling self.server.ready" in first.title
    assert "run (polling.py:" in first.sentence
    assert "to which server comes" in first.sentence


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("flag_that_a_method_of_another_task_sets", "task open_later"),
        ("flag_that_a_called_method_sets", "porter"),
    ],
)
def test_who_comes_to_the_change_by_calling_a_function(
    interpreter: Interpreter, name: str, who: str
) -> None:
    capture = looked(interpreter, name)
    told, polled = findings.run(capture)[0], only(capture)

    (changer,) = polled.changers
    assert changer.place.partition(" ")[0].rpartition(".")[2] == "open"
    assert functions(polled) == []
    assert f"only {who} is seen to come to change that, and waits at" in told.title
    assert f", to which {who} comes." in told.sentence


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    ("name", "spelled", "written"),
    [
        ("flag_that_nobody_sets", "server.ready", ["run", "close", "open_server"]),
        ("result_that_nobody_stores", "RESULTS", ["store"]),
        ("flag_that_no_task_sets", "server.ready", ["run", "close"]),
        ("memory_behind_a_method", "self.is_open()", ["enter", "take_turns", "open"]),
    ],
)
def test_what_nobody_changes(
    interpreter: Interpreter, name: str, spelled: str, written: list[str]
) -> None:
    polled = only(looked(interpreter, name, 1))

    assert polled.looks_at == (spelled,)
    assert polled.changers == ()
    assert set(functions(polled)) <= set(written)
    assert functions(polled)


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    ("name", "file", "is_there"),
    [
        ("mark_that_nobody_makes", "made by nobody", False),
        ("lock_that_nobody_deletes", "polling.py", True),
        ("mark_that_came_meanwhile", "arrived", None),
        ("lock_that_came_back", "taken", None),
        ("name_put_together", None, None),
        ("key_of_a_store", None, None),
    ],
)
def test_the_file_that_a_loop_asks_for(
    interpreter: Interpreter, name: str, file: str | None, is_there: bool | None
) -> None:
    polled = looked(interpreter, name, 1).polled[0]

    assert polled.file is None if file is None else str(polled.file).endswith(f"/{file}")
    assert polled.is_there is is_there


@pytest.mark.parametrize("interpreter", EVERY)
def test_which_function_makes_that_file(interpreter: Interpreter) -> None:
    polled = only(looked(interpreter, "mark_that_another_function_makes", 1))

    assert str(polled.file).endswith("/READY")
    assert [one.partition(" ")[0] for one in polled.makers] == ["publish"]


@pytest.mark.parametrize("interpreter", EVERY)
def test_what_is_compared_is_told_by_the_object_that_holds_it(interpreter: Interpreter) -> None:
    assert only(looked(interpreter, "number_in_an_object", 1)).looks_at == ("version",)


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    ("name", "past"),
    [
        ("memory_that_only_the_waiter_changes", ["enter"]),
        ("memory_behind_a_property", ["sit_down"]),
        ("memory_that_is_changed_afterwards", []),
    ],
)
def test_what_only_the_one_that_waits_changes(
    interpreter: Interpreter, name: str, past: list[str]
) -> None:
    polled = only(looked(interpreter, name, 1))
    names = [one.partition(" ")[0].rpartition(".")[2] for one in polled.past]

    assert polled.changers == ()
    assert names == past


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_looks_with_a_lock_held_that_the_other_waits_for(interpreter: Interpreter) -> None:
    def is_warning(capture: Capture) -> bool:
        return findings.run(capture)[0].severity is Severity.WARNING

    capture = looked(interpreter, "number_that_waits_for_the_lock", holds=is_warning)
    first = findings.run(capture)[0]

    assert only(capture).looks_at == ("self.left",)
    assert first.id == "ring-with-timeout"
    assert "MainThread polls self.left at polling.py:" in first.title
    assert "holds Quota.lock meanwhile, for which refill waits" in first.title


@pytest.mark.parametrize("interpreter", LAST)
@pytest.mark.parametrize("name", ["clock_only", "flag_of_a_slow_server"])
def test_who_goes_on_is_not_warned_of(interpreter: Interpreter, name: str) -> None:
    capture = looked(interpreter, name, holds=lambda _: True)

    assert [one.title for one in findings.run(capture) if one.severity is not Severity.NOTE] == []
    assert all(one.looks_at == ("server.ready",) for one in capture.polled)


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    "name", ["turns_counted", "turns_counted_by_a_function", "turns_counted_by_itertools"]
)
def test_turns_that_are_counted_are_no_condition(interpreter: Interpreter, name: str) -> None:
    capture = looked(interpreter, name, 2, holds=lambda _: True)

    assert capture.polled == ()
    assert {one.severity for one in findings.run(capture)} == {Severity.NOTE}


@pytest.mark.parametrize("interpreter", EVERY)
@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("turns_counted_beside_a_flag", "self.failed"),
        ("mark_by_a_joined_name", "os.path.exists()"),
    ],
)
def test_what_is_left_of_a_condition(interpreter: Interpreter, name: str, spelled: str) -> None:
    assert only(looked(interpreter, name, 1)).looks_at == (spelled,)


@pytest.mark.parametrize("interpreter", EVERY)
def test_a_library_that_asks_an_object_of_the_program(interpreter: Interpreter) -> None:
    with running("asks_own", interpreter.path, asleep=False) as target:
        request = CaptureRequest(pids=(target.pid,), follow=True)
        capture = once_seen(lambda: take(request, Looks(3, 0.6)), lambda one: bool(one.polled))
    polled = only(capture)
    assert polled.looks_at == ("self.generator.next_trial()",)
    assert polled.asks == "Grid"
    first = findings.run(capture)[0]
    assert "self.generator.next_trial() (the program's Grid answers that)" in first.sentence
