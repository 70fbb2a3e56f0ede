"""What a key and a capture cost on the screens, with thousands of threads or tasks, in processor
time; with the ranks of a job (``ranks.py``) only what a key costs.

python benchmarks/tui_repaint.py [--threads 2000 | --tasks 10000 | --ranks 10000] [--size 120x40]
                                 [--rounds 15]

Processor time does not grow when the machine does something else; the limits are 16 ms from a key
to its repaint and 50 ms from a capture to its repaint.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

from measure import ROOT
from ranks import nodes
from textual.pilot import Pilot

from hangtui.cli.several import combine
from hangtui.model import Capture, Thread
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from hangtui.tui.taking import CaptureArrived

sys.path.insert(0, str(ROOT))

from tests.tui import samples

KEY_MS, CAPTURE_MS = 16.0, 50.0
VIEWS = {"overview": "1", "thread": "2", "waits": "3", "findings": "4", "merged": "6"}


class OneCapture:
    """Gives one capture."""

    live = False

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    async def take(self, _request: CaptureRequest) -> AsyncIterator[Capture]:
        """The capture."""
        yield self._capture


def moved(capture: Capture, number: int, rows: int) -> Capture:
    """*capture* some seconds later: *rows* threads are elsewhere."""
    process = capture.processes[0]

    def step(index: int, thread: Thread) -> Thread:
        if index >= rows:
            return thread
        frames = (samples.python("work", f"pool.py:{100 + number}", entry=True),)
        return replace(thread, python_stack=frames, cpu_ns=number * 1_000_000, runs=number)

    threads = tuple(step(index, thread) for index, thread in enumerate(process.threads))
    seconds = f"{number // 60 % 60:02}:{number % 60:02}"
    return replace(
        capture,
        taken_at=f"2026-08-30T13:{seconds}+00:00",
        processes=(replace(process, threads=threads),),
    )


async def processor_ms(pilot: Pilot[int], act: Callable[[], Awaitable[None] | None]) -> float:
    """Processor time until the screen shows what *act* did."""
    start = time.process_time()
    waiting = act()
    if waiting is not None:
        await waiting
    await pilot.pause()
    return (time.process_time() - start) * 1000


async def idle_ms(pilot: Pilot[int]) -> float:
    """What the waiting itself costs."""
    return await processor_ms(pilot, lambda: None)


async def measure(
    capture: Capture, size: tuple[int, int], rounds: int, *, again: bool
) -> dict[str, list[float]]:
    """Processor milliseconds by what was done; *again*: also with another capture."""
    app = HangtuiApp(OneCapture(capture), CaptureRequest())
    app.spare_collector = True  # as it runs in a terminal
    results: dict[str, list[float]] = {}
    async with app.run_test(size=size) as pilot:
        while app.control.taking or not app.session.views:
            await pilot.pause()
        for name, key in VIEWS.items():
            await pilot.press(key)
            await pilot.pause()
            for pressed in ("j", "pagedown", "k"):
                results[f"{name}: key {pressed}"] = [
                    await processor_ms(pilot, lambda pressed=pressed: pilot.press(pressed))  # type: ignore[misc]
                    for _ in range(rounds)
                ]
        number = 0
        for name, key in VIEWS.items() if again else ():
            await pilot.press(key)
            await pilot.pause()
            taken = results.setdefault(f"{name}: capture", [])
            for _ in range(rounds):
                number += 1
                message = CaptureArrived(app.control.number, moved(capture, number, 5))
                taken.append(
                    await processor_ms(pilot, lambda message=message: _post(app, message))  # type: ignore[misc]
                )
        results["nothing"] = [await idle_ms(pilot) for _ in range(rounds)]
    return results


def _post(app: HangtuiApp, message: CaptureArrived) -> None:
    app.post_message(message)


def main() -> int:
    """Measure, print, and fail beyond the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2000)
    parser.add_argument("--tasks", type=int, default=0, help="of one event loop, instead")
    parser.add_argument("--ranks", type=int, default=0, help="of one job, instead")
    parser.add_argument("--size", default="120x40")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    if options.tasks:
        many, made = f"{options.tasks} tasks", samples.many_tasks(options.tasks)
    elif options.ranks:
        many, made = f"{options.ranks} ranks", combine(list(nodes(options.ranks)))
    else:
        many, made = f"{options.threads} threads", samples.many_threads(options.threads)
    again = not options.ranks
    results = asyncio.run(measure(made, (columns, rows), options.rounds, again=again))
    print(f"processor ms, {many}, {options.size}")
    beyond = 0
    for name, values in results.items():
        limit = CAPTURE_MS if name.endswith("capture") else KEY_MS
        median = statistics.median(values)
        beyond += median > limit
        mark = "  > limit" if median > limit else ""
        print(f"  {name:<24} {median:7.1f}  ({min(values):.1f} to {max(values):.1f}){mark}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
