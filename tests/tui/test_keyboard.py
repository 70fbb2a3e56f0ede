"""Keys that arrive all at once, as from a script or on a busy machine: none is lost or misread."""

from textual import events
from textual.pilot import Pilot

from hangtui.tui.keys import ViewName
from hangtui.tui.widgets.filterprompt import FilterPrompt
from tests.tui import samples
from tests.tui.driving import WIDE, app_over, hangtui, settled, text_of

NAMES = {"/": "slash", "\r": "enter", "\x1b": "escape", "\x7f": "backspace"}


async def typed_at_once(pilot: Pilot[int], text: str) -> None:
    """Put all keys into the application's queue before it sees the first one."""
    for char in text:
        character = char if char.isprintable() else None
        pilot.app.post_message(events.Key(NAMES.get(char, char), character))
    await pilot.pause()
    await pilot.pause()


async def test_what_follows_the_slash_is_the_filter() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        for words in ("worker", "q", "quit", "3j", "!main"):
            await typed_at_once(pilot, f"/{words}")

            assert pilot.app.is_running
            assert pilot.app.query_one(FilterPrompt).value == words
            assert hangtui(pilot).view.main.query_words == words
            assert hangtui(pilot).view.NAME is ViewName.OVERVIEW
            await pilot.press("backspace")
            assert pilot.app.query_one(FilterPrompt).value == words[:-1]
            await pilot.press("escape")
            assert not pilot.app.query_one(FilterPrompt).is_open


async def test_keys_before_and_behind_the_filter_are_the_lists() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await typed_at_once(pilot, "j/workerx\x7f\rj")

        assert hangtui(pilot).view.main.query_words == "worker"
        assert not pilot.app.query_one(FilterPrompt).is_open
        assert hangtui(pilot).session.thread == f"thread:{samples.PID}:41881"
        await typed_at_once(pilot, "/log")
        assert pilot.app.query_one(FilterPrompt).value == "log"


async def test_a_filter_that_was_given_up_leaves_the_keys_behind_it_alone() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await typed_at_once(pilot, "/worker\x1b3")

        assert hangtui(pilot).view.NAME is ViewName.WAITS
        await typed_at_once(pilot, "1/logger\r2")
        assert hangtui(pilot).view.NAME is ViewName.THREAD
        assert "logger" in text_of(pilot, "#subject")
