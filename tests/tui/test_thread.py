from dataclasses import replace

import pytest

from hangtui.model import Capture, PythonFrame
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, settled, text_of


def with_main(capture: Capture, **changes: object) -> Capture:
    process = capture.processes[0]
    main = replace(process.threads[0], **changes)  # type: ignore[arg-type]
    return replace(capture, processes=(replace(process, threads=(main, *process.threads[1:])),))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_python_frames_stand_beside_the_eval_frames_that_run_them(
    size: tuple[int, int],
) -> None:
    async with app_over(samples.deadlock()).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await pilot.pause()
        rows = text_of(pilot, "#stack").splitlines()
        subject = text_of(pilot, "#subject")

    by_name = {name: next(row for row in rows if name in row) for name in ("flush", "on_exit")}
    assert "#3" in by_name["flush"]
    assert "#6" in by_name["on_exit"]
    assert "◀──" in by_name["flush"]
    shared = next(row for row in rows if "Cache.close" in row)
    assert "┆" in shared
    assert "3 Python frames in one C frame" in shared
    assert "waits for db_lock, held by worker-a" in subject


async def test_interpreter_frames_fold_and_unfold() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await pilot.pause()
        folded = text_of(pilot, "#stack")
        await pilot.press("z")
        await pilot.pause()
        unfolded = text_of(pilot, "#stack")

    assert "+4 interpreter frames folded" in folded
    assert "__clone3" not in folded
    assert "#10 __clone3" in unfolded


async def test_order_can_be_turned_round_and_the_cursor_stays_on_its_frame() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2", "o")
        await pilot.pause()
        rows = text_of(pilot, "#stack").splitlines()

        numbers = [i for i, row in enumerate(rows) if "<module>" in row or "Cache.flush" in row]
        assert "outermost first" in rows[1]
        assert "<module>" in rows[numbers[0]]
        assert "▌▶ cache.py:88" in rows[numbers[1]]


async def test_stacks_that_cannot_be_aligned_say_so() -> None:
    frames = tuple(
        PythonFrame(f"f{number}", "/srv/x.py", number, entry=True) for number in range(3)
    )
    capture = with_main(samples.deadlock(), python_stack=frames)
    async with app_over(capture).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await pilot.pause()

        text = text_of(pilot, "#stack")
        assert "not aligned: 2 native eval frames for 3 entries into Python" in text
        assert "f2" in text
        assert "run_exit_hooks()" in text


async def test_missing_native_stack_is_said() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2", "G")
        hangtui(pilot).action_thread(5)
        await pilot.pause()

        assert "NATIVE · not read" in text_of(pilot, "#stack")


async def test_frame_under_the_cursor_is_shown_in_full() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await pilot.pause()
        assert "/srv/app/cache.py:88" in text_of(pilot, "#frame")

        await pilot.press("j")
        await pilot.pause()
        assert "/srv/app/cache.py:81" in text_of(pilot, "#frame")


async def test_search_goes_to_frames_and_keeps_them_all() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2", "slash", *"hooks", "enter")
        await pilot.pause()

        rows = text_of(pilot, "#stack").splitlines()
        assert any("▌" in row and "run_exit_hooks" in row for row in rows)
        assert any("Cache.flush" in row for row in rows)


async def test_brackets_go_through_the_threads_of_the_table() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2", "]")
        await pilot.pause()

        assert "worker-a 41880" in text_of(pilot, "#subject")
        assert hangtui(pilot).view.note == "2 of 7"


async def test_recorded_native_frames() -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await pilot.pause()

        text = text_of(pilot, "#stack")
        assert "copy_memory" in text
        assert "libfakedriver.so" in text
        assert "rwlock_gil.py:24 stage_buffers" in text
