"""The list of all processes over 50 of which two are hung: how soon it says so, what it costs then.

    python benchmarks/machine_list.py [--processes 50] [--rest 60]

Prints after how many seconds the first verdict stood in the list, after how many both hung ones
stood above all others, and which share of a processor the list took from then on, its workers
included. Other Python processes of the machine are in the list as well.
"""

import argparse
import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hangtui.backends.machine.provider import LiveMachine
from hangtui.backends.provider import LiveProvider
from hangtui.machine import Entry, Machine, Rank
from hangtui.tui.machine.app import MachineApp
from tests.integration.targets import interpreters, running

_SETTLED_S = 10.0
_LIMIT_S = 120.0


@contextlib.contextmanager
def started(count: int) -> Iterator[tuple[set[int], set[int]]]:
    """PIDs of two hung processes, and of all."""
    python = interpreters(("3.12", "3.11"))[0].path
    with contextlib.ExitStack() as stack:
        hung = {stack.enter_context(running("abba", python)).pid for _ in range(2)}
        others = {
            stack.enter_context(running(_kind(number), python, asleep=False)).pid
            for number in range(count - 2)
        }
        yield hung, hung | others


def _kind(number: int) -> str:
    """Every eighth serves requests all the time; the others rest."""
    return "healthy_asyncio_idle" if number % 8 else "healthy_http"


def used_s(targets: set[int]) -> float:
    """Processor time of this process and of all that it started but the *targets*."""
    total = sum(os.times()[:4])
    for child in psutil.Process().children():
        if child.pid not in targets:
            with contextlib.suppress(psutil.Error):
                family = [child, *child.children(recursive=True)]
                total += sum(sum(one.cpu_times()[:4]) for one in family)
    return total


async def measured(hung: set[int], every: set[int], rest_s: float) -> tuple[float, float, float]:
    """Seconds to the first verdict and to both hung ones on top; the share of a processor."""
    app = MachineApp(Machine(), LiveProvider(), LiveMachine())
    began = time.monotonic()
    async with app.run_test(size=(120, 40)):

        async def after(holds: Callable[[list[Entry]], bool]) -> float:
            while not holds(ours(app)):
                if time.monotonic() - began > _LIMIT_S:
                    raise SystemExit(f"it never came so far: {ours(app)[:3]}")
                await asyncio.sleep(0.02)
            return time.monotonic() - began

        def ours(app: MachineApp) -> list[Entry]:
            return [one for one in app.machine.entries() if one.sighting.pid in every]

        first = await after(lambda found: any(one.verdict for one in found))
        both = await after(lambda found: {one.sighting.pid for one in found[:2]
                                          if one.rank is Rank.ERROR} == hung)  # fmt: skip
        await asyncio.sleep(_SETTLED_S)
        before, at = used_s(every), time.monotonic()
        await asyncio.sleep(rest_s)
        return first, both, (used_s(every) - before) / (time.monotonic() - at)


def main() -> None:
    """Start, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--processes", type=int, default=50)
    parser.add_argument("--rest", type=float, default=60.0, help="seconds")
    chosen = parser.parse_args()
    with started(chosen.processes) as (hung, every):
        time.sleep(2)
        first, both, share = asyncio.run(measured(hung, every, chosen.rest))
    print(f"first verdict after {first:.1f} s, both hung ones on top after {both:.1f} s")
    print(f"then {100 * share:.1f} % of a processor, over {chosen.rest:.0f} s")


if __name__ == "__main__":
    main()
