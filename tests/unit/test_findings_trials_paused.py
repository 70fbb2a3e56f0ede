"""A tuner of Ray whose trials are paused for ever."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Finding, Progress, Severity, Tuner
from tests.unit.factories import capture, python_frame, thread

TUNE = "/venv/lib/python3.11/site-packages/ray/tune/execution/tune_controller.py"
LOOP = thread(
    "MainThread",
    100,
    100,
    python=[python_frame("TuneController.step", 689, TUNE), python_frame("tune_all", 48)],
)


def told(
    *states: tuple[str, int], started: int = 0, silent_s: float | None = 30.0
) -> list[Finding]:
    tuner = Tuner(LOOP.id, states, started, silent_s)
    seen = Progress(LOOP.id, 5, 3.0, 0.0, 0.2, same_line=True)
    made = replace(capture(LOOP), tuners=(tuner,), progress=(seen,))
    return [one for one in findings.run(made) if one.id == "waiting-for-cluster"]


def test_a_trial_waits_for_one_that_has_ended() -> None:
    (finding,) = told(("PAUSED", 1), ("TERMINATED", 1))
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "MainThread waits at main.py:48 (tune_all), in Ray Tune, while no trial runs: 1 of 2 "
        "trials is PAUSED, 1 TERMINATED"
    )
    assert "the last result came 30 s ago" in finding.sentence


@pytest.mark.parametrize("states", [(("PAUSED", 1), ("RUNNING", 1)), (("TERMINATED", 2),)])
def test_a_tuner_with_a_trial_that_runs_or_none_left(states: tuple[tuple[str, int], ...]) -> None:
    assert not told(*states)


def test_trials_that_are_about_to_go_on() -> None:
    assert not told(("PAUSED", 2), started=1)
    assert not told(("PAUSED", 2), silent_s=0.3)
    assert not told(("PAUSED", 2), silent_s=None)
