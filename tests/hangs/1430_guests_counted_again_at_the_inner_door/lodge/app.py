import asyncio

import aiohttp
from aiohttp import web

SESSION = web.AppKey("session", aiohttp.ClientSession)
BASE = web.AppKey("base", str)


class Admission:
    def __init__(self, places):
        self.places = asyncio.Semaphore(places)
        self.inside = 0
        self.served = 0

    @web.middleware
    async def __call__(self, request, handler):
        if request.path == "/health":
            return await handler(request)
        async with self.places:
            self.inside += 1
            try:
                return await handler(request)
            finally:
                self.inside -= 1
                self.served += 1


class Rooms:
    def __init__(self, admission):
        self.admission = admission
        self.prices = {"attic": 60, "garden": 85, "tower": 110}

    async def health(self, request):
        return web.json_response({"inside": self.admission.inside})

    async def price(self, request):
        await asyncio.sleep(0.02)
        return web.json_response({"price": self.prices[request.match_info["room"]]})

    async def _ask_price(self, request, room):
        url = "%s/prices/%s" % (request.app[BASE], room)
        async with request.app[SESSION].get(url) as answer:
            return (await answer.json())["price"]

    async def offer(self, request):
        nights = int(request.query.get("nights", "1"))
        await asyncio.sleep(0.05)
        total = 0
        for room in self.prices:
            total += nights * await self._ask_price(request, room)
        return web.json_response({"total": total})


async def _session(app):
    timeout = aiohttp.ClientTimeout(total=None)
    app[SESSION] = aiohttp.ClientSession(timeout=timeout)
    yield
    await app[SESSION].close()


def make_app(base, places):
    admission = Admission(places)
    rooms = Rooms(admission)
    app = web.Application(middlewares=[admission.__call__])
    app[BASE] = base
    app.cleanup_ctx.append(_session)
    app.add_routes(
        [
            web.get("/health", rooms.health),
            web.get("/prices/{room}", rooms.price),
            web.get("/offers", rooms.offer),
        ]
    )
    return app
