"""Tasks of trio that sleep by a clock of its tests: ``hung`` (nobody moves it on), ``jumps``."""

import math
import sys

import trio
import trio.testing
from ready import ready

STATE = sys.argv[1]


async def keep_warm():
    while True:
        await trio.sleep(0.2)


async def tell():
    ready()
    await trio.sleep_forever()


async def main():
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_warm)
        nursery.start_soon(tell)


trio.run(
    main,
    clock=trio.testing.MockClock(
        rate=1.0 if STATE == "jumps" else 0.0, autojump_threshold=math.inf
    ),
)
