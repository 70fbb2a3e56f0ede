"""``--allow`` and ``--only``: which findings count, and ids that do not exist."""

import argparse
import re
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.cli.choice import chosen
from hangtui.cli.parsers import command_parser
from hangtui.cli.series import next_look
from hangtui.diagnosis import Choice, diagnose
from hangtui.model import UsageError
from tests.tui.driving import recorded
from tests.unit.test_findings_crash import CASES

ROOT = Path(__file__).parents[2]


def ask(*words: str) -> argparse.Namespace:
    return command_parser("check").parse_args(["1", *words])


@pytest.mark.parametrize("option", ["--allow", "--only"])
@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("deadlok", "near it are: deadlock"),
        ("loop", "busy-loop, event-loop-blocked, event-loop-stalled"),
        ("null-pointer", "crash-null-pointer"),
        ("DEADLOCK", "near it are: deadlock"),
    ],
)
def test_an_id_that_does_not_exist_is_refused_with_those_that_are_near(
    option: str, word: str, near: str
) -> None:
    with pytest.raises(UsageError) as refused:
        chosen(ask(option, "deadlock", option, word))
    assert f"no finding is called {word!r}" in refused.value.message
    assert near in refused.value.message
    assert "\n" not in refused.value.message


def test_an_id_like_no_other_gets_the_list() -> None:
    with pytest.raises(UsageError) as refused:
        chosen(ask("--only", "\x1b[2Jqqq"))
    assert "near it" not in refused.value.message
    assert "\x1b" not in refused.value.message
    assert "deadlock" in (refused.value.fix or "")


def test_what_counts() -> None:
    abba = recorded("abba")
    assert [finding.id for finding in diagnose(abba).findings] == ["deadlock"]
    assert diagnose(abba, Choice(allow=("deadlock",))).findings == ()
    assert diagnose(abba, Choice(only=("self-deadlock",))).findings == ()
    assert diagnose(abba, chosen(ask("--only", "deadlock"))).findings


@pytest.mark.parametrize("command", ["check", "dump", "watch"])
def test_commands_that_judge_take_both_options(command: str) -> None:
    args = command_parser(command).parse_args(["1", "--allow", "idle", "--only", "deadlock"])
    assert chosen(args) == Choice(("idle",), ("deadlock",))


@pytest.mark.parametrize("case", CASES)
def test_crashes_can_be_chosen_by_their_ids(case: str) -> None:
    capture, *_ = CASES[case]
    assert {finding.id for finding in findings.run(capture)} <= set(findings.ids())


def test_the_ids_of_crashes_are_those_that_are_documented() -> None:
    told = set(re.findall(r"`(crash-[a-z-]+)`", (ROOT / "docs" / "crashes.md").read_text()))
    assert told == {one for one in findings.ids() if one.startswith("crash-")}


@pytest.mark.parametrize(
    ("number", "passed", "taken", "after"),
    [
        (0, 0.0, 1, 1),
        (1, 0.6, 2, 2),  # a quick look: none is left out
        (1, 1.2, 2, 3),  # it took as long as two: one is left out
        (1, 9.0, 2, 3),  # far too long: as many are left as tell who polls
        (2, 1.9, 3, 4),
        (3, 1.5, 4, 4),
    ],
)
def test_looks_whose_time_has_passed_are_left_out(
    number: int, passed: float, taken: int, after: int
) -> None:
    assert next_look(number, last=4, seconds=2.0, passed=passed, taken=taken) == after


def test_of_many_looks_of_which_one_takes_too_long_four_are_left() -> None:
    numbers = [0]
    while numbers[-1] < 19:
        numbers.append(next_look(numbers[-1], 19, 2.0, 9.0 * len(numbers), len(numbers)))
    assert numbers == [0, 17, 18, 19]


def test_without_a_time_every_look_is_taken() -> None:
    assert [next_look(number, 4, 0.0, 9.0, number + 1) for number in range(4)] == [1, 2, 3, 4]
