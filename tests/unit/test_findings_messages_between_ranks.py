"""Ranks all of which wait in halves of messages."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, Severity, Thread
from tests.unit.factories import native_frame
from tests.unit.test_findings_ranks import TORCH, mismatch, rank, ranks, seen_standing

CPU = "/venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so"
SCHEDULE = "/venv/lib/python3.11/site-packages/torch/distributed/pipelining/schedules.py"
SENDS = rank(200, ("send", TORCH, 2753), ("send_halo", "/app/main.py", 12))
RECEIVES = rank(201, ("recv", TORCH, 2799), ("receive_halo", "/app/main.py", 16))


def started(pid: int, work: str, line: int) -> Thread:
    """It waits for a message that a schedule has started."""
    waiting = rank(pid, ("step", SCHEDULE, 785), ("train_step", "/app/main.py", line))
    native = native_frame(f"c10d::ProcessGroupGloo::{work}::wait(std::chrono::duration<long>)", CPU)
    return replace(waiting, native_stack=(native,))


def test_a_half_that_does_not_meet_the_other_one() -> None:
    finding = mismatch(seen_standing(ranks(SENDS, RECEIVES)))
    assert finding.severity is Severity.ERROR
    assert "in send and recv, and none of these messages meets its other half" in finding.title
    assert "rank 0 (process 200) in send at main.py:12 (send_halo)" in finding.sentence
    assert "rank 1 (process 201) in recv at main.py:16 (receive_halo)" in finding.sentence
    assert "the tag" in finding.sentence


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(ranks(SENDS, RECEIVES), id="one look"),
        pytest.param(
            seen_standing(ranks(SENDS, replace(RECEIVES, state="R", still=False))), id="one runs"
        ),
        pytest.param(seen_standing(ranks(SENDS, RECEIVES, size=3)), id="one is missing"),
    ],
)
def test_halves_that_may_be_about_to_meet(made: Capture) -> None:
    assert "collective-mismatch" not in [one.id for one in findings.run(made)]


def test_messages_that_were_started_before_are_told_by_what_waits_for_them() -> None:
    made = ranks(started(200, "SendWork", 19), started(201, "SendWork", 21))
    finding = mismatch(seen_standing(made))
    assert finding.title == "All ranks of a job wait for one another in send, and none answers"
    assert "microbatches" in finding.advice[0]
    both = mismatch(
        seen_standing(ranks(started(200, "SendWork", 19), started(201, "RecvWork", 21)))
    )
    assert "in send and recv" in both.title
