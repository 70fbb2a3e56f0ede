"""Healthy programs whose threads and processes live for milliseconds: nothing may be said of them.

script/churn-fleet does the same with many more captures. Which programs are captured here, and
how, follows from fixed seeds.
"""

from pathlib import Path

import pytest

from tests.endurance import churn
from tests.endurance.fleet import Program, places
from tests.shares import captures

CAPTURES = captures(3)
PROGRAMS = churn.programs()
_SHARE = 7
"""The suite takes one program of so many, of each file; all files are in it."""
CHOSEN = sorted(PROGRAMS, key=lambda one: one.file)[::_SHARE]

# A false alarm is one, however rare: no second try.
pytestmark = pytest.mark.flaky(reruns=0)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("index", range(len(CHOSEN)), ids=[one.name for one in CHOSEN])
def test_nothing_is_said_of_those_who_come_and_go(index: int, tmp_path: Path) -> None:
    program = CHOSEN[index]
    found = places(program, churn.VERSIONS)
    if not found:
        pytest.skip("no CPython of these versions here")
    batch = churn.Batch(program, found[index % len(found)], CAPTURES, index)
    outcome = churn.observe(batch, tmp_path)
    assert outcome.failure is None
    assert outcome.sight.captures == CAPTURES
    assert outcome.sight.said == []


def test_what_is_said_is_kept(tmp_path: Path) -> None:
    hung = Program("hung", "abba", idle=True)
    batch = churn.Batch(hung, places(hung, churn.VERSIONS)[0], 1, 1)
    outcome = churn.observe(batch, tmp_path, {"auto": 1})
    (said,) = outcome.sight.said
    assert said.severity == "error"
    assert (tmp_path / said.kept).exists()
    assert "deadlock" in (tmp_path / said.kept).with_suffix(".txt").read_text().lower()


def test_a_program_that_fails_is_told_of(tmp_path: Path) -> None:
    unknown = Program("unknown", "churn_threads", ("nothing_of_this_name",), watches_input=True)
    batch = churn.Batch(unknown, places(unknown, churn.VERSIONS)[0], 1, 1)
    outcome = churn.observe(batch, tmp_path)
    assert outcome.failure is not None
    assert "KeyError" in outcome.failure


def test_every_program_has_its_turn_under_every_python() -> None:
    found = [places(one, churn.VERSIONS) for one in PROGRAMS]
    pairs = sum(map(len, found))
    order = churn.batches(PROGRAMS, churn.VERSIONS, 10 * pairs + 3, 10, seed=5)
    assert len({(one.program.name, one.interpreter.id) for one in order}) == pairs
    assert [one.captures for one in order] == [10] * pairs + [3] * (pairs > 0)
