"""Healthy programs, captured while they work: nothing may be claimed of them.

script/healthy-fleet does the same with many more captures, and with packages.
"""

import pytest

from hangtui.model import Severity
from hangtui.provider import NativeMode
from tests.endurance import fleet
from tests.endurance.fleet import PROGRAMS, Program, observe, places
from tests.shares import captures

CAPTURES = captures(3)
VERSIONS = ("3.8", "3.11", "3.12", "3.13")
STDLIB = [program for program in PROGRAMS if program.package is None]

# A false alarm is one, however rare: no second try.
pytestmark = pytest.mark.flaky(reruns=0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("index", range(len(STDLIB)), ids=[program.name for program in STDLIB])
def test_nothing_is_wrong_with_a_busy_program(index: int) -> None:
    program = STDLIB[index]
    found = places(program, VERSIONS)
    if not found:
        pytest.skip("no CPython of these versions here")
    tally = observe(program, found[index % len(found)], CAPTURES, NativeMode.AUTO)
    assert tally.failure is None
    assert tally.captures == CAPTURES
    assert tally.severities[Severity.ERROR] == 0, tally.details
    assert tally.cycles == 0


def test_an_unhealthy_program_would_be_noticed() -> None:
    hung = Program("abba", "abba", idle=True)
    tally = observe(hung, places(hung, VERSIONS)[0], 1, NativeMode.AUTO)
    assert tally.severities[Severity.ERROR] == 1
    assert tally.cycles == 1


def test_a_program_that_does_not_work_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "PROGRESS_LIMIT_S", 0.5)
    idle = Program("idle", "healthy_pool")
    tally = observe(idle, places(idle, VERSIONS)[0], 1, NativeMode.NONE)
    assert tally.failure is not None
    assert "it did not work" in tally.failure
