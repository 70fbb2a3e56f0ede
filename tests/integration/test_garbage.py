"""Memory that is garbage costs facts: it neither hangs a reading nor makes it fail."""

import time
from pathlib import Path

import pytest

from hangtui.backends.process import processes
from hangtui.model import Certainty
from tests.endurance.garbage import TARGETS, Damage, attack, possible
from tests.integration.capturing import diagnose
from tests.integration.targets import running

READINGS = 5


@pytest.mark.parametrize("which", range(len(TARGETS)), ids=[" ".join((p, *a)) for p, a in TARGETS])
def test_a_damaged_process_is_read_to_the_end(which: int, python: Path) -> None:
    program, arguments = TARGETS[which]
    if not possible(program, python.name):
        pytest.skip("a free-threaded CPython has no GIL")
    with running(program, python, arguments=arguments) as target:
        process = processes.read_process(target.pid)
        seeds = range(100 * which, 100 * which + READINGS)
        result = attack(process, seeds, time.monotonic() + 60)
    assert result.failures == []
    assert result.outcomes.total() > 0


def test_damage_is_found_out(python: Path) -> None:
    with running("rlock_abba", python) as target:
        process = processes.read_process(target.pid)
        total = [seed for seed in range(1000) if Damage.of(seed).share == 1.0][:5]
        result = attack(process, range(total[0], total[0] + 1), time.monotonic() + 60)
    assert result.outcomes.total() == 1


def test_an_exit_stack_that_contains_itself(any_python: Path) -> None:
    with running("self_stacked", any_python) as target:
        started = time.process_time()
        found = diagnose(target.pid)
        took = time.process_time() - started
    (hold,) = (h for h in found.capture.holds if h.holder == found.thread("holder").id)
    assert hold.evidence.certainty is Certainty.PROVEN
    assert took < 20
