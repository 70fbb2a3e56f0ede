"""The connector of aiohttp's client, through responses that are not read."""

import aiohttp
from aiohttp import web


async def taking_async(size):
    async def answer(_):
        return web.Response(text="x" * 10_000_000)

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=size), timeout=aiohttp.ClientTimeout(total=None)
    )
    return lambda: session.get(f"http://127.0.0.1:{port}/")
