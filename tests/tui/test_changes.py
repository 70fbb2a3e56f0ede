from dataclasses import replace

from hangtui.analysis.changes import ChangeKind, changes
from hangtui.analysis.waitgraph import build
from hangtui.model import Capture
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from tests.tui import samples
from tests.tui.driving import (
    WIDE,
    SteppedProvider,
    app_over,
    hangtui,
    screen,
    settled,
    text_of,
    until,
)

LATER = "2026-08-30T12:05:03+00:00"


def moved_on() -> Capture:
    """The next capture: one thread is elsewhere, one is new, one has ended, one got its lock."""
    capture = samples.deadlock(LATER)
    process = capture.processes[0]
    main, a, b, logger, pool0, pool1, _idle = process.threads
    elsewhere = (samples.python("Cache.put", "cache.py:55", entry=True),)
    b = replace(b, python_stack=elsewhere, runs=13)
    new = replace(a, tid=42000, name="helper")
    threads = (main, a, b, logger, replace(pool0, still=False), pool1, new)
    waits = tuple(wait for wait in capture.waits if not wait.waiter.endswith(":41885"))
    return replace(capture, processes=(replace(process, threads=threads),), waits=waits)


def test_what_became_of_each_thread() -> None:
    before, after = samples.deadlock(), moved_on()
    found = changes(before, build(before), after, build(after))

    assert [(change.kind, change.thread.name) for change in found] == [
        (ChangeKind.MOVED, "worker-b"),
        (ChangeKind.WAIT, "pool-1"),
        (ChangeKind.RAN, "pool-0"),
        (ChangeKind.STARTED, "helper"),
        (ChangeKind.ENDED, "tb.server"),
    ]


def test_nothing_changed() -> None:
    capture = samples.deadlock()
    assert changes(capture, build(capture), capture, build(capture)) == ()


async def test_what_moved_is_shown_and_marked() -> None:
    async with app_over(samples.deadlock(), moved_on()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("D")
        await pilot.pause()
        assert "no earlier capture" in screen(pilot)
        await pilot.press("escape", "r")
        await until(pilot, lambda: len(hangtui(pilot).session.views) == 2)
        await settled(pilot)
        row = next(r for r in text_of(pilot, "#threads").splitlines() if "worker-b" in r)
        assert "moved" in row
        await pilot.press("D")
        await pilot.pause()
        text = screen(pilot)
        assert "5 threads changed, 3 stood where they were" in text
        assert "was cache.py:40 get" in text
        assert "is  cache.py:55 put" in text


async def test_the_time_between_captures_can_be_changed() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("plus", "plus", "minus")
        assert hangtui(pilot).control.interval_s == 5.0
        await pilot.press(*["minus"] * 9)
        assert hangtui(pilot).control.interval_s == 0.5
        await pilot.press(*["plus"] * 9)
        assert hangtui(pilot).control.interval_s == 60.0


async def test_a_capture_that_takes_long_counts_and_can_be_given_up() -> None:
    provider = SteppedProvider()
    app = HangtuiApp(provider, CaptureRequest())
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: provider.requests)
        provider.send(samples.deadlock())
        await until(pilot, lambda: app.session.views)
        app.control._clock = lambda: app.control._started + 7
        app.tick()
        await pilot.pause()
        assert "7 s (^K stops)" in text_of(pilot, "#tabs")
        await pilot.press("ctrl+k")
        await until(pilot, lambda: provider.closed)
        await pilot.pause()
        assert "reading" not in text_of(pilot, "#tabs")
        assert "deadlock" in text_of(pilot, "#threads")
