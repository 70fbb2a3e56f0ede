"""What the kernel counts of a thread, with and without the file that counts best."""

import os
from pathlib import Path

import pytest

from hangtui.backends.procfs.schedule import Schedule, schedule_of

OWN = Path(f"/proc/self/task/{os.getpid()}")
STAT = "7 (x) S 1 7 7 0 -1 4194560 1 0 0 0 150 50 0 0 20 0 3 0 100 0 0"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    (tmp_path / "stat").write_text(STAT)
    (tmp_path / "status").write_text(
        "Name:\tx\nvoluntary_ctxt_switches:\t40\nnonvoluntary_ctxt_switches:\t2\n"
    )
    return tmp_path


def test_by_the_scheduler(task: Path) -> None:
    (task / "schedstat").write_text("123 45 6\n")
    assert schedule_of(task) == Schedule(runs=6, cpu_ns=123, queued_ns=45)


def test_by_the_switches_where_the_kernel_has_no_better_file(task: Path) -> None:
    per_tick = 10**9 // os.sysconf("SC_CLK_TCK")
    assert schedule_of(task) == Schedule(runs=42, cpu_ns=200 * per_tick, queued_ns=None)


def test_that_runs_are_not_told_is_no_rest(task: Path) -> None:
    (task / "status").write_text("Name:\tx\n")
    assert schedule_of(task).runs is None


def test_a_thread_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        schedule_of(tmp_path)


def test_our_own() -> None:
    assert (schedule_of(OWN).runs or 0) > 0
