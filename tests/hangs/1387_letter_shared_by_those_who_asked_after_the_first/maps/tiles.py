import asyncio
import os

from aiohttp import ClientSession, ClientTimeout, web

from maps.flight import SharedCalls


class Tiles:
    def __init__(self, pace):
        self.calls = SharedCalls()
        self.pace = pace
        self.drawn = []

    async def draw(self, name):
        await asyncio.sleep(self.pace)
        self.drawn.append(name)
        return "tile " + name

    async def tile(self, request):
        patience = float(request.query.get("patience", 0)) or None
        async with asyncio.timeout(patience):
            text = await self.calls.call(request.match_info["name"], self.draw)
        return web.Response(text=text)

    async def state(self, request):
        return web.json_response({"drawn": len(self.drawn), "shared": self.calls.shared})

    async def start(self):
        app = web.Application()
        app.router.add_get("/tile/{name}", self.tile)
        app.router.add_get("/state", self.state)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return site._server.sockets[0].getsockname()[1]


class Viewer:
    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}"

    async def fetch(self, http, name, patience=0):
        async with http.get(f"{self.base}/tile/{name}?patience={patience}") as answer:
            return await answer.text()

    async def probe(self, http):
        while True:
            async with http.get(f"{self.base}/state") as answer:
                await answer.json()
            await asyncio.sleep(0.5)


async def main(patience, pace):
    viewer = Viewer(await Tiles(pace).start())
    async with ClientSession(timeout=ClientTimeout(total=None)) as http:
        probe = asyncio.create_task(viewer.probe(http), name="probe")
        first = asyncio.create_task(viewer.fetch(http, "alps", patience), name="first")
        await asyncio.sleep(0.2)
        second = asyncio.create_task(viewer.fetch(http, "alps"), name="second")
        await asyncio.sleep(1)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        print(await asyncio.gather(first, second))
        probe.cancel()
