"""Which real loops do nothing but look whether something has changed."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.cli.targets import live
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.9", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
LAST = [one for one in EVERY if "3.12" in str(one.id)][:1]
ENDLESS = {
    *("endless_flag", "endless_property", "endless_beats", "endless_first_turn"),
    "endless_report",
}
NOT_READ_3_8 = {"looks_under_a_lock", "endless_without_a_limit", "looks_without_a_limit"}
"""What an older compiler makes of `with` and of `is` is not gone through."""


def looked_at(pid: int) -> tuple[Finding, ...]:
    return findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(5, 2.0)))


def is_error(found: tuple[Finding, ...]) -> bool:
    """Whether the first of them is one."""
    return any(one.severity is Severity.ERROR for one in found[:1])


@pytest.mark.parametrize("interpreter", EVERY)
def test_loops_that_only_look_are_told_from_those_that_do_more(interpreter: Interpreter) -> None:
    with running("looking_loops", interpreter.path, asleep=False) as target:
        capture = live(CaptureRequest(pids=(target.pid,)))
    names = {one.id: one.name for one in capture.threads()}
    names |= {one.id: one.function or "" for one in capture.tasks}
    found = {names[one.waiter]: one for one in capture.looking}

    assert not [name for name in found if name.startswith("does_")]
    assert {name for name, one in found.items() if one.endless} >= ENDLESS
    if interpreter.id.rpartition(".")[2] in ("11", "12", "13"):  # others have no tables of handlers
        assert {"endless_wait_for", "endless_flag_waited_for", "endless_get"} <= set(found)
        assert found["endless_wait_for"].endless
    assert [name for name, one in found.items() if one.alters] == ["endless_beats"] or (
        {name for name, one in found.items() if one.alters}
        == {"endless_beats", "endless_first_turn"}
    )
    assert [name for name, one in found.items() if one.tells] == ["endless_report"]
    if "3.8" not in interpreter.id:
        assert set(found) >= NOT_READ_3_8 | {"looks_in_a_task"}
        assert not found["looks_under_a_lock"].endless
        assert [name for name, one in found.items() if one.asks_children] == ["looks_at_a_child"]
        assert "looks_without_the_limit" in found
    assert set(found) >= {"looks_whether_any_lives", "looks_whether_all_are_done"}
    looks = {names[one.waiter]: one.looks_at for one in capture.polled}
    asked = "..." if "3.13" in interpreter.id else "one.is_alive()"  # two instructions are one
    assert looks.get("looks_whether_any_lives", "") in ((f"any({asked} for one in LIVING)",), "")


@pytest.mark.parametrize("interpreter", LAST)
def test_an_exit_that_waits_for_who_only_looks_never_ends(interpreter: Interpreter) -> None:
    with running("looking_loops", interpreter.path, asleep=False, arguments=("exit",)) as target:
        first, *_ = once_seen(lambda: looked_at(target.pid), is_error)

    assert (first.id, first.severity) == ("exit-waits-for-thread", Severity.ERROR)
    assert "with a timeout, again and again, and does nothing else" in first.sentence


@pytest.mark.parametrize("interpreter", LAST)
def test_who_waits_for_the_end_of_its_own_thread_is_told(
    interpreter: Interpreter,
) -> None:
    with running("asks_itself", interpreter.path, asleep=False) as target:
        found = once_seen(lambda: looked_at(target.pid), is_error)

    told = {one.id: one for one in found if one.severity is not Severity.NOTE}
    assert found[0].severity is Severity.ERROR
    for one in (found[0], told["waker-busy"]):
        assert "by polling self.reader.is_alive() (its own thread)" in one.title
