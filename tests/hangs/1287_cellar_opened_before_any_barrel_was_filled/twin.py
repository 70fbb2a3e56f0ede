import asyncio
import os

from aiohttp import web


class Cellar:
    def __init__(self):
        self.filled = asyncio.Event()

    async def rack(self, number):
        await self.filled.wait()
        return number

    async def ready(self):
        await asyncio.gather(self.rack(1), self.rack(2))

    def fill(self, barrels):
        if barrels:
            self.filled.set()


class Vintner:
    def __init__(self, cellar, harvest):
        self.cellar = cellar
        self.harvest = harvest

    async def press(self):
        await asyncio.sleep(0.2)
        self.cellar.fill(self.harvest)
        while True:
            await asyncio.sleep(30)


async def open_cellar(app):
    app["cellar"] = Cellar()
    app["vintner"] = asyncio.create_task(Vintner(app["cellar"], HARVEST).press())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await app["cellar"].ready()


HARVEST = [1]

if __name__ == "__main__":
    app = web.Application()
    app.on_startup.append(open_cellar)
    web.run_app(app, host="127.0.0.1", port=0, print=None)
