"""Results of others' test suites, and what is thought of those that differ."""

from pathlib import Path

import pytest

from tests.endurance import suites
from tests.endurance.suites import Change, Judgement, Result, changes, chosen, judged, results

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite>
<testcase classname="a.Test" name="works" time="0.1"/>
<testcase classname="a.Test" name="fails"><failure message="no"/></testcase>
<testcase classname="a.Test" name="breaks"><error message="no"/></testcase>
<testcase classname="a.Test" name="rests"><skipped message="no"/></testcase>
<testcase classname="a.Test" name="works, but not its end"/>
<testcase classname="a.Test" name="works, but not its end"><error message="no"/></testcase>
<testcase name="test.test_queue.Q.test_put"><system-out>text</system-out></testcase>
</testsuite></testsuites>
"""


def test_results_are_read_from_a_report(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(REPORT)
    assert results(path) == {
        "a.Test::works": Result.PASSED,
        "a.Test::fails": Result.FAILED,
        "a.Test::breaks": Result.ERROR,
        "a.Test::rests": Result.SKIPPED,
        "a.Test::works, but not its end": Result.ERROR,
        "::test.test_queue.Q.test_put": Result.PASSED,
    }


@pytest.mark.parametrize("text", [None, "", "<testsuites><testcase name="])
def test_a_suite_that_was_ended_has_no_results(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    if text is not None:
        path.write_text(text)
    assert results(path) == {}


def test_tests_that_differ_or_are_missing_are_changes() -> None:
    alone = {"a": Result.PASSED, "b": Result.PASSED, "c": Result.FAILED, "d": Result.SKIPPED}
    observed = {"a": Result.PASSED, "b": Result.FAILED, "c": Result.FAILED, "e": Result.PASSED}
    assert changes(alone, observed) == [
        Change("b", Result.PASSED, Result.FAILED),
        Change("d", Result.SKIPPED, Result.MISSING),
        Change("e", Result.MISSING, Result.PASSED),
    ]


PASSED, FAILED = {"b": Result.PASSED}, {"b": Result.FAILED}
CHANGE = Change("b", Result.PASSED, Result.FAILED)


def test_a_test_that_fails_alone_as_well_is_flaky() -> None:
    assert judged(CHANGE, [PASSED, FAILED], [FAILED]) is Judgement.FLAKY
    assert judged(CHANGE, [PASSED, {}], [FAILED]) is Judgement.FLAKY


def test_a_test_that_passes_under_observation_as_well_is_unsteady() -> None:
    assert judged(CHANGE, [PASSED, PASSED], [PASSED]) is Judgement.UNSTEADY


def test_a_test_that_fails_whenever_it_is_observed_was_changed() -> None:
    assert judged(CHANGE, [PASSED, PASSED], [FAILED]) is Judgement.CHANGED
    assert judged(CHANGE, [PASSED, PASSED], []) is Judgement.CHANGED


def test_suites_are_chosen_by_their_names() -> None:
    assert [suite.name for suite in chosen(["anyio", "test_queue"])] == ["anyio", "test_queue"]
    assert {suite.package for suite in chosen(["cpython"])} == {suites.CPYTHON}
    assert chosen(None) == list(suites.SUITES)
    with pytest.raises(ValueError, match="no such suite: unheard_of"):
        chosen(["anyio", "unheard_of"])


def test_there_are_enough_of_them() -> None:
    names = [suite.name for suite in suites.SUITES]
    assert len(names) == len(set(names))
    assert len(suites.PACKAGES) >= 10
