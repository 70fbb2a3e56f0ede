"""A job of many ranks: those that do the same are one row, and the odd one stands on top."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hangtui.diagnosis import diagnose
from hangtui.model import Capture, JobPlace, Process, Surroundings
from hangtui.report.text_report import to_text
from hangtui.tui.filters import matcher
from hangtui.tui.rows.processes import process_rows
from hangtui.tui.session import CaptureView
from tests.tui.driving import NARROW, WIDE, app_over, pressing, recorded, screen, settled, text_of

SIZE, ODD = 40, 17


def job() -> Capture:
    """A recorded job of two ranks with the one that waits for the other 39 times."""
    capture = recorded("ddp_loader")
    launchers = {one.pid for one in capture.processes if not one.job}
    ranks = {one.job.rank: one for one in capture.processes if one.job and one.ppid in launchers}
    made = [_rank(ranks[1] if n == ODD else ranks[0], n) for n in range(SIZE)]
    return Capture(capture.taken_at, "node-0", processes=tuple(made))


def _rank(process: Process, number: int) -> Process:
    pid = 1000 + 100 * number
    threads = (replace(one, pid=pid, tid=pid + n) for n, one in enumerate(process.threads))
    around = Surroundings(job=JobPlace(number, number, SIZE))
    return replace(process, pid=pid, ppid=900, threads=tuple(threads), around=around)


async def test_the_odd_one_stands_on_top() -> None:
    async with app_over(job()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        rows = text_of(pilot, "#threads").splitlines()

    odd = next(n for n, row in enumerate(rows) if f"rank {ODD} · process" in row)
    others = next(n for n, row in enumerate(rows) if "39 in the same places" in row)
    assert odd < others
    assert "train.py:41" in rows[odd + 1]
    assert f"ranks 0-{ODD - 1}, {ODD + 1}-{SIZE - 1}" in rows[others]
    assert "39 ×" in rows[others + 1]
    assert "train.py:43" in rows[others + 1]


async def test_the_odd_one_is_chosen_at_first_in_a_narrow_terminal_too() -> None:
    async with app_over(job()).run_test(size=NARROW) as pilot:
        await settled(pilot)
        assert f"rank {ODD} · process" in text_of(pilot, "#threads")
        await pilot.press("enter")
        await settled(pilot)
        assert f"MainThread {1000 + 100 * ODD}" in screen(pilot)


@pytest.mark.parametrize("size", [pytest.param(WIDE, id="120x40")])
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    assert snap_compare(app_over(job()), terminal_size=size, run_before=pressing())


async def test_each_has_a_row_of_its_own_once_it_is_unfolded() -> None:
    async with app_over(job()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        folded = text_of(pilot, "#processes").splitlines()
        await pilot.press("m")
        await settled(pilot)
        unfolded = text_of(pilot, "#processes").splitlines()

    assert any("39 × ranks 0-16" in row for row in folded)
    assert not any("×" in row for row in unfolded)
    assert any("1000 rank 0" in row for row in unfolded)


@pytest.mark.parametrize("words", ["3100", "re:rank 21 .*waits"])
def test_a_filter_finds_a_rank_behind_the_row_of_its_class(words: str) -> None:
    found = process_rows(CaptureView.of(job()))
    assert "3100" in found.standing_for
    matches = matcher(words)
    assert [row.key for row in found.every if matches(row.words)] == ["3100"]


def test_the_report_has_each_class_once() -> None:
    text = to_text(diagnose(job()))
    heads = [line for line in text.splitlines() if line.startswith(("PROCESS", "RANKS"))]
    assert heads[0].startswith(f"PROCESS {1000 + 100 * ODD}  rank {ODD}  train.py")
    assert heads[1].startswith("RANKS 0-16, 18-39: 39 processes in the same places")
    assert len(heads) == 3
