"""Captures of the same process, one after the other, and several in one."""

import re
from dataclasses import replace

import pytest

from hangtui.cli.file_provider import FileProvider
from hangtui.cli.several import in_order
from hangtui.model import Capture, UsageError
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from tests.tui import samples
from tests.tui.driving import WIDE, settled, text_of, until


def test_captures_of_one_process_are_ordered_by_time_and_others_become_one() -> None:
    late, early = samples.deadlock("2026-08-30T12:05:03+00:00"), samples.deadlock()
    elsewhere = replace(
        early, processes=tuple(replace(process, pid=7) for process in early.processes)
    )

    assert in_order([late, early]) == (early, late)
    (both,) = in_order([early, elsewhere])
    assert [process.pid for process in both.processes] == [samples.PID, 7]


async def test_equal_pids_of_two_machines_are_two_processes() -> None:
    here = samples.deadlock()
    there = replace(samples.deadlock("2026-08-30T12:05:03+00:00"), host="another")
    app = HangtuiApp(FileProvider(in_order([here, there])), CaptureRequest())

    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await until(pilot, lambda: f"{samples.PID}@another" in text_of(pilot, "#threads"))
        assert f"{samples.PID}@{here.host}" in text_of(pilot, "#threads")


def test_one_process_twice_beside_another_machine_is_refused() -> None:
    here = samples.deadlock()
    there = replace(samples.deadlock("2026-08-30T12:05:03+00:00"), host="another")

    with pytest.raises(UsageError, match=f"PID {samples.PID} of another is in more than one"):
        in_order([here, there, there])


@pytest.mark.parametrize("count", [1, 5])
async def test_files_are_stepped_through(count: int) -> None:
    captures = [
        samples.deadlock(f"2026-08-30T12:04:{10 + number}+00:00") for number in range(count)
    ]
    app = HangtuiApp(FileProvider(captures), CaptureRequest())
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await until(pilot, lambda: len(app.session.views) == count)
        await pilot.pause()
        assert f"capture {count} of {count}" in text_of(pilot, "#header")
        if count > 1:
            assert "≥4s" in text_of(pilot, "#threads")
            await pilot.press("left_curly_bracket")
            await pilot.pause()
            assert "capture 4 of 5" in text_of(pilot, "#header")
            assert "≥3s" in text_of(pilot, "#threads")


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_a_strip_says_over_which_captures_each_thread_ran(ascii_only: bool) -> None:
    """One thread never runs, one always does; of a third nobody counts."""

    def at(second: int) -> Capture:
        made = samples.deadlock(f"2026-08-30T12:04:{10 + second}+00:00")
        (process,) = made.processes
        first, second_, third, *rest = process.threads
        stands = replace(first, runs=5, cpu_ns=5)
        runs = replace(second_, runs=second, cpu_ns=second * 10**6)
        unknown = replace(third, runs=None, cpu_ns=None)
        threads = (stands, runs, unknown, *rest)
        return replace(made, processes=(replace(process, threads=threads),))

    captures = [at(second) for second in range(3)]
    names = [thread.name for thread in captures[0].processes[0].threads[:3]]
    app = HangtuiApp(FileProvider(captures), CaptureRequest(), ascii=ascii_only)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await until(pilot, lambda: len(app.session.views) == 3)
        await pilot.pause()
        lines = text_of(pilot, "#threads").splitlines()
        strips = [
            next(filter(re.compile(rf".{{3}}\w? *\w+ +{name} ").match, lines)) for name in names
        ]
    signs = ("__", "##", "..") if ascii_only else ("▁▁", "██", "··")
    for line, sign in zip(strips, signs, strict=True):
        assert f" {sign} " in line
