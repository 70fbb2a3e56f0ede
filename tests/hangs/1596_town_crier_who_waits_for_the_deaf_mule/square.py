import asyncio
import subprocess
import sys
from pathlib import Path

from aiohttp import WSMsgType, web

HERE = Path(__file__).parent
MAP = "#" * 400_000


class Square:
    """All who stand here hear every proclamation."""

    def __init__(self):
        self.circle = asyncio.Lock()
        self.listeners = {}
        self.cried = 0
        self.greeted = 0

    async def listen(self, request):
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        name = request.match_info["name"]
        async with self.circle:
            self.listeners[name] = socket
        async for message in socket:
            if message.type == WSMsgType.ERROR:
                break
        async with self.circle:
            self.listeners.pop(name, None)
        return socket

    async def greet(self, request):
        name = request.match_info["name"]
        async with self.circle:
            self.greeted += 1
            here = name in self.listeners
        return web.json_response({"here": here})

    async def proclaim(self):
        async with self.circle:
            for socket in list(self.listeners.values()):
                await socket.send_str(MAP)
            self.cried += 1

    async def crier(self):
        while True:
            await self.proclaim()
            await asyncio.sleep(0.02)

    async def sundial(self):
        while True:
            await asyncio.sleep(0.5)

    async def open(self, manner):
        app = web.Application()
        app.router.add_get("/listen/{name}", self.listen)
        app.router.add_post("/greet/{name}", self.greet)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        self.mule = subprocess.Popen([sys.executable, str(HERE / "mule.py"), str(port), manner])
        asyncio.create_task(self.sundial(), name="sundial")
        return asyncio.create_task(self.crier(), name="crier")
