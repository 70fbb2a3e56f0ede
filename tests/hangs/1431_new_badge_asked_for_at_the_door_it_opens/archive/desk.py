import asyncio
import secrets

from aiohttp import web


class Desk:
    def __init__(self):
        self.badges = set()
        self.asked = 0

    async def badge(self, request):
        await request.json()
        badge = secrets.token_hex(6)
        self.badges.add("Badge " + badge)
        return web.json_response({"badge": badge, "seconds": 2})

    async def folder(self, request):
        self.asked += 1
        if request.headers.get("Authorization") not in self.badges:
            raise web.HTTPUnauthorized
        number = int(request.match_info["number"])
        await asyncio.sleep(0.01)
        return web.json_response({"words": ["w%d" % (number % 7), "w%d" % (number % 11)]})

    async def tidy(self):
        while True:
            await asyncio.sleep(0.5)
            while len(self.badges) > 50:
                self.badges.pop()

    async def open(self):
        app = web.Application()
        app.add_routes([web.post("/badges", self.badge), web.get("/folders/{number}", self.folder)])
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        return "http://%s:%d" % (host, port)
