from dataclasses import replace

import pytest

from hangtui.model import Crash, Source
from hangtui.tui.keys import ViewName
from hangtui.tui.rows import crash as rows
from hangtui.tui.session import CaptureView
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, screen, settled, text_of


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_says_what_happened_in_whose_code(size: tuple[int, int]) -> None:
    async with app_over(samples.crashed()).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await pilot.pause()
        fault = text_of(pilot, "#fault")

        assert "SIGSEGV (SEGV_MAPERR)" in fault
        assert "It read 8 bytes at 0x18 in decode_row of imgdec.so+0x41f2." in " ".join(
            fault.replace("│", " ").split()
        )
        assert "rdi = 0x0 (NULL)" in fault
        assert "decode_row" in text_of(pilot, "#crash-stack")


async def test_a_crash_is_what_one_sees_first() -> None:
    async with app_over(samples.crashed()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert hangtui(pilot).view.NAME is ViewName.CRASH
        assert "crashed thread: loader 41880" in text_of(pilot, "#tabs")
        await pilot.press("escape")
        await pilot.pause()
        first = text_of(pilot, "#threads").splitlines()[2]
        assert "X crashed" in first
        assert "loader" in first


async def test_drawers() -> None:
    async with app_over(samples.crashed()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await pilot.pause()
        assert "▶ rdi  0000000000000000 NULL" in text_of(pilot, "#drawer-left")
        assert "▶ 7f09a1c041f2  mov rax,[rdi+0x18]" in text_of(pilot, "#drawer-right")
        await pilot.press("M")
        await pilot.pause()
        assert "r-xp /srv/app/imgdec.so" in text_of(pilot, "#drawer-right")
        await pilot.press("b")
        await pilot.pause()
        assert "48 8b 47 18" in text_of(pilot, "#drawer-right")
        await pilot.press("enter")
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.THREAD
        assert hangtui(pilot).session.thread == f"thread:{samples.PID}:41880"


async def test_a_process_that_did_not_crash_says_so() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await pilot.pause()
        assert "did not crash" in screen(pilot)
        assert hangtui(pilot).view.NAME is ViewName.OVERVIEW


def test_a_crash_of_which_little_is_known() -> None:
    capture = replace(samples.crashed(), crash=Crash(samples.PID, Source.FAULTHANDLER))
    view = CaptureView.of(capture)
    crash = capture.crash
    assert crash is not None
    text = "\n".join(line.plain for line in rows.crash_lines(view, crash, 60))

    assert text.splitlines()[0].strip() == "! crash"
    assert "other threads:" in text
    for make in (rows.register_lines, rows.instruction_lines, rows.mapping_lines, rows.byte_lines):
        (line,) = make(view, crash, 60)
        assert line.plain.startswith("No ")
