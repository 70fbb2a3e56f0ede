"""In its event loop, a task blocks for the result of a coroutine that the loop should run."""

import asyncio

from ready import ready


async def load():
    return 1


async def handle():
    future = asyncio.run_coroutine_threadsafe(load(), asyncio.get_event_loop())
    ready()
    return future.result()


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(handle())
