import asyncio

from aiohttp import web


class Mailroom:
    def __init__(self):
        self.bags = asyncio.Queue(20)
        self.sorted = 0
        self.collector = None
        self.sorter = None

    async def collect(self):
        try:
            number = 0
            while True:
                number += 1
                await self.bags.put(number)
                await asyncio.sleep(0.1)
        finally:
            await self.leave()

    async def leave(self):
        if self.says_goodbye:
            await self.bags.put(None)

    async def sort(self):
        while True:
            bag = await self.bags.get()
            if bag is None:
                return
            self.sorted += 1

    async def sorting(self, app):
        self.sorter = asyncio.create_task(self.sort(), name="sorter")
        yield
        await self.sorter

    async def collecting(self, app):
        self.collector = asyncio.create_task(self.collect(), name="collector")
        yield
        self.collector.cancel()
        await asyncio.wait([self.collector])


class Api:
    def __init__(self, mailroom):
        self.mailroom = mailroom

    async def count(self, request):
        return web.json_response({"sorted": self.mailroom.sorted})

    def application(self):
        app = web.Application()
        app.router.add_get("/count", self.count)
        app.cleanup_ctx.append(self.mailroom.sorting)
        app.cleanup_ctx.append(self.mailroom.collecting)
        return app
