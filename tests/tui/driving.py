"""Driving the application without a terminal: a provider that yields on demand, and the screen."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

from textual.pilot import Pilot
from textual.widget import Widget

from hangtui import capture_file
from hangtui.model import Capture
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp

WIDE = (120, 40)
NARROW = (80, 24)
_LIMIT_S = 100.0
SNAPSHOTS = Path(__file__).parents[2] / "snapshots"


def recorded(name: str) -> Capture:
    """A capture that was recorded from a real process."""
    return capture_file.load(SNAPSHOTS / f"{name}.hang")


class FakeProvider:
    """Each take yields one of *takes*; the last one again and again."""

    def __init__(self, *takes: Sequence[Capture | Exception], live: bool = True) -> None:
        self.live = live
        self.requests: list[CaptureRequest] = []
        self._takes = takes

    async def take(self, request: CaptureRequest) -> AsyncIterator[Capture]:
        """The captures of one take; an exception ends it."""
        self.requests.append(request)
        for item in self._takes[min(len(self.requests), len(self._takes)) - 1]:
            if isinstance(item, Exception):
                raise item
            yield item
            await asyncio.sleep(0)


class SteppedProvider:
    """Yields what the test puts in, when it puts it in."""

    live = True

    def __init__(self) -> None:
        self.requests: list[CaptureRequest] = []
        self.closed = 0
        self._queues: list[asyncio.Queue[Capture | None]] = []

    async def take(self, request: CaptureRequest) -> AsyncIterator[Capture]:
        """One capture for each `send`, until `finish`."""
        self.requests.append(request)
        queue: asyncio.Queue[Capture | None] = asyncio.Queue()
        self._queues.append(queue)
        try:
            while (capture := await queue.get()) is not None:
                yield capture
        finally:
            self.closed += 1

    def send(self, capture: Capture, take: int = -1) -> None:
        """Let a take yield."""
        self._queues[take].put_nowait(capture)

    def finish(self, take: int = -1) -> None:
        """End a take."""
        self._queues[take].put_nowait(None)


def app_over(*captures: Capture, ascii: bool = False) -> HangtuiApp:  # noqa: A002
    """The application; each take gives the next one of *captures*."""
    provider = FakeProvider(*([capture] for capture in captures))
    return HangtuiApp(provider, CaptureRequest((1,)), ascii=ascii)


async def settled(pilot: Pilot[int]) -> None:
    """Wait until the running take has ended and the screen shows it."""
    await until(pilot, lambda: not hangtui(pilot).control.taking)
    await pilot.pause()


async def until(pilot: Pilot[int], condition: Callable[[], object]) -> None:
    """Let the application work until *condition* holds.

    Not the test's own limit ends it if never: an event loop may swallow what that raises.
    """
    deadline = time.monotonic() + _LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        await pilot.pause()


def hangtui(pilot: Pilot[int]) -> HangtuiApp:
    """The application that *pilot* drives."""
    assert isinstance(pilot.app, HangtuiApp)
    return pilot.app


def screen(pilot: Pilot[int]) -> str:
    """What the user sees, as lines."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def text_of(pilot: Pilot[int], selector: str) -> str:
    """What the user sees of one widget."""
    widget = pilot.app.screen.query_one(selector, Widget)
    region = widget.region
    lines = pilot.app.screen._compositor.render_strips()[region.y : region.bottom]
    return "\n".join(line.crop(region.x, region.right).text.rstrip() for line in lines)


Before = Callable[[Pilot[int]], Awaitable[None]]


def pressing(*keys: str) -> Before:
    """For `snap_compare`: wait for the capture, then press *keys*."""

    async def before(pilot: Pilot[int]) -> None:
        await settled(pilot)
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()  # the answers to what was asked
        await pilot.pause()

    return before
