"""Three tasks await each other in a ring."""

import asyncio

from ready import ready


async def brew(tasks):
    await asyncio.sleep(0.01)
    await tasks["grind"]


async def grind(tasks):
    await asyncio.sleep(0.01)
    await asyncio.gather(tasks["fetch"])


async def fetch(tasks):
    await asyncio.sleep(0.01)
    await asyncio.wait([tasks["brew"]])


async def main():
    loop, tasks = asyncio.get_event_loop(), {}
    for function in (brew, grind, fetch):
        tasks[function.__name__] = loop.create_task(function(tasks))
    loop.call_later(0.1, ready)
    await asyncio.wait(list(tasks.values()))


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())
