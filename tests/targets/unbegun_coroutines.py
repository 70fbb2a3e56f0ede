"""unbegun_coroutines.py NAME [healthy]: a coroutine that was made, and that nobody begins, or a
generator that was left before its end."""

import asyncio
import sys

from ready import ready

HEALTHY = sys.argv[2:] == ["healthy"]


class Table:
    def __init__(self):
        self.loaded = asyncio.Event()


async def load(shared):  # begins here
    await asyncio.sleep(0.01)
    shared.set_result({})


async def fill(tables):  # begins here as well
    await asyncio.sleep(0.01)
    tables.loaded.set()


async def read(shared):
    await shared


async def look(shared):
    """Would do nothing for anybody."""
    await shared


async def future():
    shared = asyncio.get_running_loop().create_future()
    looking, loading = look(shared), load(shared)
    if HEALTHY:
        loading = asyncio.ensure_future(loading)
    await asyncio.gather(read(shared), read(shared))
    await loading
    looking.close()


async def event():
    tables = Table()
    jobs = [fill(tables)]
    if HEALTHY:
        jobs = [asyncio.ensure_future(jobs[0])]
    await asyncio.gather(tables.loaded.wait(), tables.loaded.wait())
    await asyncio.gather(*jobs)


async def lay(tables):
    for number in range(3):
        await asyncio.sleep(0.01)
        yield number  # is suspended
    tables.loaded.set()


async def generator():
    tables = Table()
    plates = lay(tables)
    async for _ in plates:
        if not HEALTHY:
            break
    await asyncio.gather(tables.loaded.wait(), tables.loaded.wait())
    await plates.aclose()


async def main():
    asyncio.get_running_loop().call_later(0.1, ready)
    await globals()[sys.argv[1]]()
    while HEALTHY:
        await globals()[sys.argv[1]]()


asyncio.run(main())
