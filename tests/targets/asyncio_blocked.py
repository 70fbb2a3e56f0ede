"""A task sleeps with time.sleep, and nine others do not get their turn."""

import asyncio
import time

from ready import ready


async def tick():
    while True:
        await asyncio.sleep(0.01)


async def render():
    await asyncio.sleep(0.05)
    ready()
    time.sleep(1000)


async def main():
    loop = asyncio.get_event_loop()
    tasks = [loop.create_task(tick()) for _ in range(9)]
    await render()
    return tasks


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())
