import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest
from textual.message import Message

from hangtui.model import Capture, Child, Surroundings, TargetError
from hangtui.provider import CaptureRequest, NativeMode
from hangtui.tui import taking
from hangtui.tui.app import HangtuiApp
from hangtui.tui.taking import CaptureArrived, TakeEnded
from tests.tui import samples
from tests.tui.driving import (
    NARROW,
    WIDE,
    FakeProvider,
    SteppedProvider,
    app_over,
    hangtui,
    screen,
    settled,
    text_of,
    until,
)

REQUEST = CaptureRequest((samples.PID,))


def stepped() -> tuple[HangtuiApp, SteppedProvider]:
    provider = SteppedProvider()
    return HangtuiApp(provider, REQUEST), provider


async def test_paints_before_anything_is_read() -> None:
    app, provider = stepped()
    async with app.run_test(size=WIDE) as pilot:
        assert "1 Overview" in screen(pilot)
        assert "reading …" in text_of(pilot, "#threads")
        await until(pilot, lambda: provider.requests)
        assert provider.requests == [REQUEST]


async def test_facts_appear_as_they_arrive() -> None:
    messages: list[Message] = []
    app, provider = stepped()
    async with app.run_test(size=WIDE, message_hook=messages.append) as pilot:
        await until(pilot, lambda: provider.requests)
        provider.send(samples.first_facts())
        await until(pilot, lambda: app.session.views)
        await pilot.pause()

        assert "(kernel) futex" in text_of(pilot, "#threads")
        assert "reading: cpython, futex, native" in text_of(pilot, "#tabs")

        provider.send(samples.deadlock())
        provider.finish()
        await settled(pilot)

        assert "X deadlock" in text_of(pilot, "#threads")
        assert "reading" not in text_of(pilot, "#tabs")
        assert "capture 1 of 1" in text_of(pilot, "#header")
    # A message that several widgets get is seen several times; each one only counts once.
    arrived = {id(m): m for m in messages if isinstance(m, CaptureArrived)}
    assert [bool(m.capture.pending) for m in arrived.values()] == [True, False]


async def test_superseded_take_is_closed_and_what_it_still_sends_is_dropped() -> None:
    app, provider = stepped()
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: provider.requests)
        await pilot.press("r")
        await until(pilot, lambda: len(provider.requests) == 2 and provider.closed == 1)

        app.post_message(CaptureArrived(1, samples.deadlock()))
        app.post_message(TakeEnded(1, TargetError("too late")))
        await pilot.pause()

        assert app.session.views == ()
        assert "too late" not in screen(pilot)
        assert app.control.taking


async def test_f_captures_the_children_too_where_they_were_left_out() -> None:
    alone = samples.deadlock()
    (parent,) = alone.processes
    around = Surroundings(children=(Child(parent.pid + 1, "python3", "S"),))
    parent = replace(parent, around=around)
    app, provider = stepped()
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: provider.requests)
        provider.send(replace(alone, processes=(parent,)))
        provider.finish()
        await settled(pilot)
        await pilot.press("f")
        await until(pilot, lambda: len(provider.requests) == 2)
        assert provider.requests == [REQUEST, replace(REQUEST, children=True)]

        child = replace(parent, pid=parent.pid + 1, ppid=parent.pid, threads=(), around=None)
        provider.send(replace(alone, processes=(parent, child)))
        provider.finish()
        await settled(pilot)
        await pilot.press("f")
        await pilot.pause()
        assert "no child process that was not looked at" in [*app._notifications][-1].message
        await pilot.press("r")
        await until(pilot, lambda: len(provider.requests) == 3)
        assert provider.requests[-1].children


async def test_what_comes_while_the_widgets_go_is_not_shown_any_more() -> None:
    app, provider = stepped()
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: provider.requests)
        for timer in list(app._timers):
            timer.stop()  # none may find it running without its widgets
        await app.screen.query("*").exclude("Screen").remove()
        app._running = False  # as Textual does before it removes them
        app.tick()
        app.post_message(CaptureArrived(app.control.number, samples.deadlock()))
        await pilot.pause()
        app._running = True


async def test_half_a_new_capture_does_not_replace_a_whole_one() -> None:
    app, provider = stepped()
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: provider.requests)
        provider.send(samples.deadlock())
        provider.finish()
        await settled(pilot)

        await pilot.press("r")
        await until(pilot, lambda: len(provider.requests) == 2)
        provider.send(samples.first_facts())
        await until(pilot, lambda: app.control.status.pending)
        await pilot.pause()
        assert "X deadlock" in text_of(pilot, "#threads")
        assert "reading: cpython" in text_of(pilot, "#tabs")

        provider.finish()
        await settled(pilot)
        assert "capture 2 of 2" in text_of(pilot, "#header")
        assert "(kernel) futex" in text_of(pilot, "#threads")


async def test_failed_take_keeps_the_screen_and_says_why() -> None:
    failure = TargetError("process 41873 went away", "hangtui lists the ones that live")
    provider = FakeProvider([samples.deadlock()], [failure])
    app = HangtuiApp(provider, REQUEST)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("r")
        await until(pilot, lambda: len(provider.requests) == 2)
        await settled(pilot)

        assert "! process 41873 went away" in text_of(pilot, "#failure")
        assert "hangtui lists the ones that live" in text_of(pilot, "#failure")
        assert "this is the capture of 12:04:51" in text_of(pilot, "#failure")
        assert "X deadlock" in text_of(pilot, "#threads")
        rows = text_of(pilot, "#threads")
        assert "! process 41873 went away: these rows are of 12:04:51" in rows
        assert not app.failed_without_capture


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_of_several_one_that_is_gone_is_told_and_kept_in_the_capture_before(
    size: tuple[int, int],
) -> None:
    both = samples.two_processes()
    one = replace(both, processes=both.processes[:1], taken_at="2026-08-30T12:05:00+00:00")
    async with app_over(both, one).run_test(size=size) as pilot:
        await settled(pilot)
        assert "any more" not in text_of(pilot, "#threads")
        await pilot.press("r")
        await pilot.pause()
        await settled(pilot)
        assert "process 41901 was not found any more at 12:05:00" in text_of(pilot, "#threads")
        await pilot.press("{")
        await pilot.pause()
        assert "process 41901" in text_of(pilot, "#threads")
        assert "any more" not in text_of(pilot, "#threads")


async def test_failure_of_the_first_take_is_shown_and_the_application_lives_on() -> None:
    provider = FakeProvider([TargetError("process 1 cannot be read")], [samples.deadlock()])
    app = HangtuiApp(provider, REQUEST)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await settled(pilot)

        assert "process 1 cannot be read" in text_of(pilot, "#verdict")
        assert app.failed_without_capture

        await pilot.press("r")
        await until(pilot, lambda: app.session.views)
        await settled(pilot)
        assert "X deadlock" in text_of(pilot, "#threads")
        assert not app.failed_without_capture


async def test_a_mistake_of_the_provider_does_not_end_the_application() -> None:
    app = HangtuiApp(FakeProvider([RuntimeError("[/] boom")]), REQUEST)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)

        assert "the capture failed: RuntimeError: [/] boom" in text_of(pilot, "#failure")


async def test_gdb_is_asked_for_and_the_header_says_that_the_target_is_stopped() -> None:
    app, provider = stepped()
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: provider.requests)
        provider.send(samples.deadlock())
        provider.finish()
        await settled(pilot)
        assert "without a stop" in text_of(pilot, "#header")

        app.action_native()
        await pilot.pause()
        assert "for about a millisecond" in screen(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert len(provider.requests) == 1

        app.action_native()
        await pilot.pause()
        await pilot.press("y")
        await until(pilot, lambda: len(provider.requests) == 2)
        await pilot.pause()
        assert provider.requests[1].native is NativeMode.GDB

        capture = samples.deadlock()
        process = replace(capture.processes[0], stopped_for_ms=812.0)
        provider.send(replace(capture, processes=(process,)))
        provider.finish()
        await settled(pilot)
        assert "stopped 0.8 s · RESUMED" in text_of(pilot, "#header")

        await pilot.press("r")
        await until(pilot, lambda: len(provider.requests) == 3)
        assert provider.requests[2].native is NativeMode.AUTO
        provider.send(samples.deadlock())
        provider.finish()
        await settled(pilot)
        assert "without a stop" in text_of(pilot, "#header")


async def test_automatic_captures_follow_each_other() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        hangtui(pilot).control.interval_s = 0.5
        await settled(pilot)
        await pilot.press("space")
        await until(pilot, lambda: len(hangtui(pilot).session.views) >= 3)
        assert "auto 0.5 s" in text_of(pilot, "#tabs")

        await pilot.press("space")
        await settled(pilot)
        assert "auto" not in text_of(pilot, "#tabs")


async def test_a_file_cannot_be_read_again() -> None:
    provider = FakeProvider([samples.deadlock()], live=False)
    app = HangtuiApp(provider, CaptureRequest())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("r", "space")
        await pilot.pause()

        assert len(provider.requests) == 1
        assert "this is a file" in screen(pilot)


class Stubborn:
    """A stream that does not let itself be closed."""

    def __init__(self) -> None:
        self.released = asyncio.Event()

    def __aiter__(self) -> AsyncIterator[Capture]:
        return self

    async def __anext__(self) -> Capture:
        raise StopAsyncIteration

    async def aclose(self) -> None:
        while not self.released.is_set():
            with suppress(asyncio.CancelledError):
                await self.released.wait()


async def test_closing_does_not_wait_for_a_provider_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(taking, "CLOSING_S", 0.01)
    stream = Stubborn()

    await asyncio.wait_for(taking.close(stream), timeout=5)

    stream.released.set()


async def test_a_mistake_in_the_analysis_costs_its_conclusions_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_capture: Capture) -> None:
        raise ValueError("[/] no such node")

    monkeypatch.setattr("hangtui.diagnosis.build", fail)
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)

        assert "cache.py:88 flush" in text_of(pilot, "#threads")
        assert "2 notices (!)" in text_of(pilot, "#tabs")
        await pilot.press("exclamation_mark")
        await pilot.pause()
        assert "because of a bug: ValueError: [/] no such node" in screen(pilot)
