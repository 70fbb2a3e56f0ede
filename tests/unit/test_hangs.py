"""The cases of tests/hangs are whole, and script/check-hangs judges them by what they say."""

from pathlib import Path
from typing import Any

import pytest

from tests.endurance.hangs import Mark, all_cases, is_chosen, verdict

CASES = all_cases()
CASE = {
    "name": "01_shop",
    "kind": "hang",
    "exit": 1,
    "expected": {"must_mention": [["pool"], ["place_order", "pay"]], "must_not_claim": ["bug"]},
}


def _report(*findings: dict[str, Any]) -> dict[str, Any]:
    return {"findings": list(findings), "processes": [{"pid": 7}]}


def _finding(**changes: Any) -> dict[str, Any]:
    lists: dict[str, list[Any]] = {
        name: [] for name in ("evidence", "unknown", "advice", "threads", "victims")
    }
    words = {"id": "pool-exhausted", "severity": "error", "certainty": "proven"}
    return {**lists, **words, "title": "The pool is empty", "sentence": "In pay", **changes}


@pytest.mark.parametrize(
    ("findings", "mark"),
    [
        ([_finding()], Mark.RIGHT),
        ([_finding(sentence="")], Mark.UNSAID),
        ([_finding(title="Waits"), _finding()], Mark.UNSAID),
        ([], Mark.UNSAID),
        ([_finding(id="idle", severity="note")], Mark.FALSE),
        ([_finding(id="idle", severity="warning")], Mark.RIGHT),
        ([_finding(advice=["It is a bug"])], Mark.FALSE),
        ([_finding(), _finding(id="rule-failed")], Mark.FALSE),
    ],
)
def test_the_first_finding_is_judged(findings: list[dict[str, Any]], mark: Mark) -> None:
    assert verdict(CASE, _report(*findings), 1).mark is mark


def test_the_exit_status_is_judged_for_itself() -> None:
    wrong = verdict(CASE, _report(_finding()), 0)
    assert wrong.mark is Mark.RIGHT
    assert not wrong.exit_right
    assert verdict({**CASE, "exit": None}, _report(_finding()), 0).exit_right


def test_there_are_cases() -> None:
    assert len(CASES) >= 40


def test_the_cases_are_in_the_order_of_their_numbers() -> None:
    numbers = [int(case["name"].partition("_")[0]) for case in CASES]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("beginning", "chosen"),
    [("", True), ("10", True), ("1", False), ("101", False), ("10_shop", True), ("10_bank", False)],
)
def test_a_number_alone_chooses_one_case(beginning: str, chosen: bool) -> None:
    assert is_chosen("10_shops", [beginning]) is chosen


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case_is_whole(case: dict[str, Any]) -> None:
    folder = Path(case["dir"])
    assert folder.name == case["name"]
    main, twin = ((folder / name).read_text() for name in ("main.py", "twin.py"))
    assert main != twin
    modules = "".join(one.read_text() for one in folder.rglob("*.py"))
    assert all(f"MARK {role} pid=" in modules for role in case["hung"]["roles"])
    assert case["hung"]["target"] in case["hung"]["roles"]
    assert case["source"].startswith("https://")
    assert case["expected"]["root_cause"]
    assert len(case["expected"]["must_mention"]) >= 2
    assert case["exit"] in (0, 1, None)
    for compiled in (main, twin):
        compile(compiled, case["name"], "exec")
