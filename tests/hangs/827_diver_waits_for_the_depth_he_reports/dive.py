import asyncio

import aiohttp
from aiohttp import web


async def log_dive(request):
    reports = await request.text()
    return web.Response(text=str(len(reports)))


class Diver:
    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/dives"
        self.depths = asyncio.Queue()

    async def reports(self):
        yield b"going down\n"
        depth = await self.depths.get()
        yield b"at %d\n" % depth

    async def dive(self):
        patient = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(timeout=patient) as session:
            async with session.post(self.url, data=self.reports()) as answer:
                self.depths.put_nowait(int(await answer.text()))


async def open_boat():
    app = web.Application()
    app.router.add_post("/dives", log_dive)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner.addresses[0][1]
