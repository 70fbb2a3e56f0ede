"""The judge of script/check-cases says right to what is right, and wrong to everything else."""

from typing import Any

import pytest

from tests.endurance.cases import Cases, Mark, judge

TRUTH = {
    "threads": [
        {"name": "teller-1", "holds": ["a"], "waits_for": "b"},
        {"name": "teller-2", "holds": ["b"], "waits_for": "a"},
        {"name": "MainThread", "process": "main", "waits_for": "teller-1 to end"},
        {"name": "MainThread", "process": "elsewhere", "waits_for": "main"},
        {"name": "the other 198", "waits_for": "work"},
        {"name": "ticker", "state": "runs"},
    ],
    "cycle": ["teller-1 -> b -> teller-2", "teller-2 -> a -> teller-1"],
    "must_mention": [["deadlock", "cycle"], ["transfer"]],
    "must_not_claim": ["out of memory"],
}
CASE = {"kind": "hang", "category": "python-lock-cycle", "expected": TRUTH}
ROLES = {"main": 7, "elsewhere": 8}


def _finding(**changes: Any) -> dict[str, Any]:
    return {
        "id": "deadlock",
        "severity": "error",
        "certainty": "proven",
        "title": "Deadlock of two threads",
        "sentence": "They wait for each other",
        "threads": [{"pid": 7, "tid": tid, "name": f"teller-{tid}"} for tid in (1, 2)],
        "evidence": ["in transfer (bank.py:3)"],
        "unknown": [],
        "advice": [],
        "victims": [{"pid": 7, "tid": 7, "name": "MainThread"}],
        **changes,
    }


def _report(*findings: dict[str, Any]) -> dict[str, Any]:
    return {"findings": list(findings), "processes": [{"pid": 7}]}


def test_what_agrees_is_right() -> None:
    assert judge(CASE, _report(_finding()), ROLES) == ()


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"evidence": []}, "does not say any of ['transfer']"),
        ({"advice": ["It is OUT OF MEMORY."]}, "claims 'out of memory'"),
        ({"id": "self-deadlock"}, "the rule is self-deadlock, not deadlock"),
        ({"threads": [], "title": "A deadlock of teller-2"}, "leaves out the thread teller-1"),
        ({"victims": []}, "leaves out the thread MainThread of main"),
    ],
)
def test_what_differs_is_wrong(changes: dict[str, Any], wrong: str) -> None:
    assert ", ".join(judge(CASE, _report(_finding(**changes)), ROLES)) == wrong


def test_the_first_finding_counts() -> None:
    first = _finding(id="busy-loop")
    assert judge(CASE, _report(first, _finding()), ROLES) == (
        "the rule is busy-loop, not deadlock",
    )
    assert judge(CASE, _report(), ROLES) == ("nothing found",)


def test_what_has_a_cycle_needs_a_rule_that_tells_of_one() -> None:
    case = {**CASE, "category": "network"}
    assert judge(case, _report(_finding(id="waiting-for-peer")), ROLES) == (
        "the rule is waiting-for-peer, not deadlock or self-deadlock",
    )


def test_an_error_in_a_healthy_program_is_a_false_alarm() -> None:
    case = {"kind": "healthy", "category": "control-healthy", "expected": {}}
    calm = _finding(id="idle", severity="note")
    assert judge(case, _report(calm), {}) == ()
    assert judge(case, _report(calm, _finding()), {}) == ("false alarm: Deadlock of two threads",)


class _Ended:
    def poll(self) -> int:
        return 1


class _Runner:
    """Starts nothing that gets hung."""

    started = 0

    class Run:
        lines = ("Traceback", "ImportError: torch")
        popen = _Ended()

        def __init__(self, *arguments: object, **_options: object) -> None:
            if arguments[1] == "3.2":
                raise SystemExit("no Python 3.2")
            _Runner.started += 1
            self.roles: dict[str, int] = {}

        def stop(self) -> None: ...


def test_what_does_not_start_is_neither_right_nor_wrong() -> None:
    case = {"name": "x", "hung": {"roles": ["main"]}}
    cases = Cases(_Runner)
    absent = cases.run(case, "3.2")
    assert (absent.mark, absent.why) == (Mark.NOT_HERE, ("no Python 3.2",))
    failed = cases.run(case, "3.11")
    assert failed.mark is Mark.NOT_HERE
    assert failed.why == ("did not start: marks ['main'] not seen, but []", "ImportError: torch")
    assert _Runner.started == 2
