"""Ten thousand tasks of asyncio that wait for the same event, which nobody sets."""

import asyncio

from ready import ready


async def wait(event):
    await event.wait()


async def main():
    event = asyncio.Event()
    tasks = [asyncio.ensure_future(wait(event)) for _ in range(10000)]
    await asyncio.sleep(0.1)
    ready()
    await asyncio.gather(*tasks)


asyncio.run(main())
