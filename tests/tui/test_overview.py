import pytest
from textual.pilot import Pilot

from hangtui.tui.keys import ViewName
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, screen, settled, text_of


def selected_name(pilot: Pilot[int]) -> str:
    thread = hangtui(pilot).session.selected
    assert thread is not None
    return thread.name


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_table_says_who_waits_for_what_and_who_holds_it(size: tuple[int, int]) -> None:
    async with app_over(samples.deadlock()).run_test(size=size) as pilot:
        await settled(pilot)

        lines = text_of(pilot, "#threads").splitlines()

    heading = next(line for line in lines if "STATE" in line)
    words = "STATE NAME AT WAITS FOR WHO ENDS IT SINCE"
    assert " ".join(heading.strip("┃│ ").split()).replace("TID ", "") == words
    main = next(line for line in lines if "main " in line and "flush" in line)
    assert "▌X deadlock" in main
    assert "cache.py:88 flush" in main
    assert "db_lock" in main
    assert "worker-a" in main
    assert any("pool-1" in line and "GIL" in line and "worker-b" in line for line in lines)


async def test_threads_in_the_cycle_come_first_and_idle_ones_last() -> None:
    async with app_over(samples.deadlock()).run_test(size=NARROW) as pilot:
        await settled(pilot)

        lines = text_of(pilot, "#threads").splitlines()[2:9]

    assert [line[1] for line in lines] == ["X", "X", "X", " ", " ", " ", " "]
    assert ["deadlock" in line for line in lines] == [True] * 3 + [False] * 4
    assert "tb.server" in lines[-1]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_preview_shows_python_beside_native(size: tuple[int, int]) -> None:
    async with app_over(samples.deadlock()).run_test(size=size) as pilot:
        await settled(pilot)

        lines = text_of(pilot, "#preview").splitlines()

    flush = next(line for line in lines if "Cache.flush" in line)
    assert "▶ cache.py:88" in flush
    assert "#3" in flush
    assert "_PyEval_EvalFrameD" in flush


async def test_cursor_moves_the_selection_and_the_preview() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j")
        await pilot.pause()

        assert selected_name(pilot) == "worker-a"
        assert "worker-a 41880" in text_of(pilot, "#preview")

        await pilot.press("G")
        assert selected_name(pilot) == "tb.server"
        await pilot.press("g")
        assert selected_name(pilot) == "main"
        await pilot.press("]")
        assert selected_name(pilot) == "worker-a"
        await pilot.press("[")
        assert selected_name(pilot) == "main"


async def test_click_selects_and_double_click_opens() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        row = next(
            y for y, line in enumerate(text_of(pilot, "#threads").splitlines()) if "41883" in line
        )
        await pilot.click("#threads", offset=(20, row))
        await pilot.pause()
        assert selected_name(pilot) == "logger"

        await pilot.click("#threads", offset=(20, row), times=2)
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.THREAD


async def test_filter_narrows_while_typing_and_escape_shows_all_again() -> None:
    async with app_over(samples.deadlock()).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"worker !dlock")
        await pilot.pause()

        assert "worker-b" in text_of(pilot, "#threads")
        assert "41883" not in text_of(pilot, "#threads")
        # pool-0 is not called worker, but waits for one.
        assert hangtui(pilot).view.note == "filter: worker !dlock · 3 of 7"

        await pilot.press("enter", "escape")
        await pilot.pause()
        assert "tb.server" in text_of(pilot, "#threads")
        assert "filter" not in hangtui(pilot).view.note


async def test_sort_inverts_and_marks_its_column() -> None:
    async with app_over(samples.deadlock()).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("s", "s")
        await pilot.pause()

        assert "TID▼" in text_of(pilot, "#threads")
        await pilot.press("S")
        await pilot.pause()
        assert "TID▲" in text_of(pilot, "#threads")
        assert "tb.server" in text_of(pilot, "#threads").splitlines()[2]


async def test_idle_threads_can_be_hidden() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("i")
        await pilot.pause()

        assert "tb.server" not in text_of(pilot, "#threads")
        assert "1 hidden" in text_of(pilot, "#threads")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_threads_that_are_alike_are_one_row_until_they_are_unfolded(
    size: tuple[int, int],
) -> None:
    async with app_over(samples.many_threads(100)).run_test(size=size) as pilot:
        await settled(pilot)
        folded = text_of(pilot, "#threads")
        assert "14 × pool-…" in folded
        assert "m unfolds" in folded

        await pilot.press("m")
        await pilot.pause()
        unfolded = text_of(pilot, "#threads")
        assert "14 ×" not in unfolded
        assert "pool-7" in unfolded


async def test_a_folded_row_is_chosen_by_each_of_those_that_it_stands_for() -> None:
    async with app_over(samples.many_threads(100)).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"pool-99", "enter")
        await pilot.pause()
        assert selected_name(pilot) == "pool-99"

        await pilot.press("escape")
        await pilot.pause()
        row = next(x for x in text_of(pilot, "#threads").splitlines() if "▌" in x)
        assert "×" in row
        assert "pool.py:1 " in row
        assert selected_name(pilot) == "pool-99"


async def test_process_selection_shows_its_threads_only() -> None:
    async with app_over(samples.two_processes()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "└ 41901 loader" in text_of(pilot, "#processes")

        await pilot.press("shift+tab", "shift+tab", "j", "j")
        await pilot.pause()

        assert "Threads of process 41901" in text_of(pilot, "#threads")
        assert "tb.server" not in text_of(pilot, "#threads")


async def test_unchanged_stacks_say_for_how_long() -> None:
    first = samples.deadlock("2026-08-30T12:00:00+00:00")
    second = samples.deadlock("2026-08-30T12:00:12+00:00")
    async with app_over(first, second).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("r")
        await pilot.pause()
        await settled(pilot)

        assert "≥12s" in text_of(pilot, "#threads")
        await pilot.press("{")
        await pilot.pause()
        assert "≥12s" not in text_of(pilot, "#threads")
        assert "capture 1 of 2 · 12:00:00" in screen(pilot)


async def test_two_thousand_threads_stay_responsive() -> None:
    async with app_over(samples.many_threads(2000)).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("G", "k", "k", "slash", *"pool-1997", "enter")
        await pilot.pause()

        assert "1 of 2000" in hangtui(pilot).view.note
        assert "pool-1997" in text_of(pilot, "#threads")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_recorded_deadlock(size: tuple[int, int]) -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=size) as pilot:
        await settled(pilot)

        threads = text_of(pilot, "#threads")
        assert threads.count("X deadlock") == 2
        assert "MainThread" in threads
        assert "copy_memory" in text_of(pilot, "#preview")
        assert "X deadlock" in text_of(pilot, "#header")
        assert "without a stop" in text_of(pilot, "#header")


async def test_recorded_healthy_process_has_no_finding() -> None:
    async with app_over(recorded("healthy_http")).run_test(size=WIDE) as pilot:
        await settled(pilot)

        assert "No finding." in text_of(pilot, "#facts")
        assert "deadlock" not in screen(pilot)


async def test_thread_that_blocks_everybody_by_holding_the_gil_is_marked() -> None:
    async with app_over(recorded("gil_blocked")).run_test(size=NARROW) as pilot:
        await settled(pilot)

        rows = text_of(pilot, "#threads").splitlines()
        assert any("MainThread" in row and "has the GIL" in row for row in rows)
        assert "hangtui 15655 gil_" in text_of(pilot, "#header")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_job_on_a_gpu_shows_what_it_waits_for_and_few_rows(size: tuple[int, int]) -> None:
    async with app_over(recorded("gpu/missing_rank")).run_test(size=size) as pilot:
        await settled(pilot)
        rows = text_of(pilot, "#threads").splitlines()

    (main,) = (row for row in rows if "ranks.py:63" in row)
    (native, *_) = (row for row in rows if "× native" in row)
    assert "work of" in main
    assert "libcuda" in native
    saver = next(row for row in rows if "saver" in row and "ranks.py:54" in row)
    assert rows.index(native) > rows.index(saver)
    assert sum("waits" in row or "runs" in row for row in rows) < 8, "of 50 threads"
