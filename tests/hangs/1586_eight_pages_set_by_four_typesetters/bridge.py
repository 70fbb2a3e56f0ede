import asyncio

import aiohttp
from aiohttp import web


class Archive:
    """Old articles over HTTP."""

    async def article(self, request):
        await asyncio.sleep(0.05)
        return web.Response(text="article " + request.match_info["number"])

    async def open(self):
        app = web.Application()
        app.router.add_get("/article/{number}", self.article)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return runner.addresses[0][1]


class Bridge:
    """Lets code in threads ask the archive through the session of the loop."""

    def __init__(self, port):
        self.port = port
        self.loop = asyncio.get_running_loop()
        connector = aiohttp.TCPConnector(use_dns_cache=False, force_close=True, limit=0)
        self.session = aiohttp.ClientSession(
            connector=connector, timeout=aiohttp.ClientTimeout(total=None, sock_connect=None)
        )

    async def get(self, number):
        url = "http://localhost:%d/article/%d" % (self.port, number)
        async with self.session.get(url) as answer:
            return await answer.text()

    def fetch(self, number):
        return asyncio.run_coroutine_threadsafe(self.get(number), self.loop).result()
