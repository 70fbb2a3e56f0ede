import asyncio
import sys

import aiohttp


async def read(house):
    async with aiohttp.ClientSession() as session, session.ws_connect(house) as pages:
        async for page in pages:
            pass


async def sleep_over(house):
    async with aiohttp.ClientSession() as session, session.ws_connect(house) as pages:
        await pages.receive()
        await asyncio.sleep(3600)


async def visit(house, second):
    await asyncio.gather(read(house), second(house))


asyncio.run(visit(sys.argv[1], {"awake": read, "asleep": sleep_over}[sys.argv[2]]))
