from dataclasses import replace

import pytest

from hangtui.tui.keys import ViewName
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, screen, settled, text_of


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_finding_is_told_in_full(size: tuple[int, int]) -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("4")
        await pilot.pause()

        assert "X certain " in text_of(pilot, "#findings-list")
        detail = text_of(pilot, "#finding")
        assert "X certain  error" in detail
        assert "MainThread holds the GIL" in detail
        await pilot.press("tab", "G")
        await pilot.pause()
        assert "THREADS" in text_of(pilot, "#finding")


async def test_notices_are_listed_with_what_to_do() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "1 notice (!)" in text_of(pilot, "#tabs")

        await pilot.press("4", "j")
        await pilot.pause()
        assert "apt-get install python3-dbg" in text_of(pilot, "#finding")

        await pilot.press("exclamation_mark")
        await pilot.pause()
        assert "native frames have no source lines" in screen(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.FINDINGS


async def test_enter_shows_the_threads_of_a_finding() -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("4", "enter")
        await pilot.pause()

        assert hangtui(pilot).view.NAME is ViewName.WAITS


async def test_nothing_found_is_said_with_what_it_means() -> None:
    async with app_over(recorded("healthy_http")).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("4")
        await pilot.pause()

        assert "No rule found anything" in text_of(pilot, "#finding")


async def test_nothing_is_claimed_while_facts_are_missing() -> None:
    async with app_over(replace(samples.first_facts())).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("4")
        await pilot.pause()

        assert "Not read yet: cpython, futex, native" in text_of(pilot, "#finding")
        assert "No rule found" not in screen(pilot)


async def test_cards_become_lines_in_a_narrow_terminal() -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("4")
        await pilot.pause()
        assert len(text_of(pilot, "#findings-list").splitlines()) > 10

        await pilot.resize_terminal(*NARROW)
        await pilot.pause()
        rows = text_of(pilot, "#findings-list").splitlines()
        assert "X certain " in rows[1]
        assert "Deadlock: MainThread and launcher" in rows[1]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("screen_key", ["1", "4"])
async def test_one_key_explains_a_finding_and_its_words(
    size: tuple[int, int], screen_key: str
) -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press(screen_key)
        await pilot.pause()
        assert "h explain" in text_of(pilot, "#footer")
        await pilot.press("h")
        await pilot.pause()

        assert "Threads, tasks or processes that wait for each other in a ring" in screen(pilot)
        await pilot.press("G")
        await pilot.pause()
        assert "rwlock: a lock of C code" in screen(pilot)
        await pilot.press("h")
        await pilot.pause()
        assert len(pilot.app.screen_stack) == 1


async def test_the_crash_is_explained_on_its_screen() -> None:
    async with app_over(recorded("crash_member")).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("5", "h")
        await pilot.pause()
        assert "crash-null-pointer: it read or wrote" in screen(pilot)


async def test_without_a_finding_there_is_nothing_to_explain() -> None:
    async with app_over(recorded("healthy_http")).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("4", "h")
        await pilot.pause()
        assert "no finding to explain" in screen(pilot)
