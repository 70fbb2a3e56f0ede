"""nested_runs.py [healthy]: with nest_asyncio, a task that runs the loop lies on the stack below
another one that does, and is the only one that sets what that waits for; or each sets it in time.
"""

import asyncio
import sys

import nest_asyncio
from ready import ready

HEALTHY = sys.argv[1:] == ["healthy"]

nest_asyncio.apply()


def warm_up(loop):
    loop.run_until_complete(asyncio.sleep(0.02))


def fetch(loop, event):
    loop.run_until_complete(event.wait())


async def quick(loop, event):
    if HEALTHY:
        event.set()
    warm_up(loop)
    event.set()


async def slow(loop, event):
    fetch(loop, event)


async def main():
    loop, event = asyncio.get_running_loop(), asyncio.Event()
    if not HEALTHY:
        loop.call_later(0.05, ready)
    await asyncio.gather(quick(loop, event), slow(loop, event))


async def again_and_again():
    ready()
    while True:
        await main()


asyncio.run(again_and_again() if HEALTHY else main())
