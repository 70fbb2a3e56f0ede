import asyncio
import os
import signal

import aiohttp
from aiohttp import web

from passes import PassOffice

signal.alarm(120)


async def issue_pass(request):
    return web.json_response({"pass": "p-1", "seconds": 3600})


async def list_parcels(request):
    return web.json_response(["letter", "box"])


async def open_depot():
    depot = web.Application()
    depot.router.add_post("/passes", issue_pass)
    depot.router.add_get("/parcels", list_parcels)
    runner = web.AppRunner(depot)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return "http://127.0.0.1:%d" % runner.addresses[0][1]


async def fetch_parcels(session, address):
    async with session.get(address + "/parcels") as answer:
        return await answer.json()


async def main():
    address = await open_depot()
    office = PassOffice(address)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(middlewares=(office,), timeout=timeout) as session:
        await fetch_parcels(session, address)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
