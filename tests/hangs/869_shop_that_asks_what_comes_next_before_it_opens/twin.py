import asyncio
import os

from asgi_lifespan import LifespanManager


class Stock:
    def __init__(self):
        self.items = {}

    async def load(self):
        await asyncio.sleep(0.01)
        self.items = {"tea": 3, "rice": 9}

    async def close(self):
        self.items.clear()


class Shop:
    def __init__(self):
        self.stock = Stock()
        self.open = False

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await self.attend(receive, send)
        else:
            await self.answer(scope, send)

    async def attend(self, receive, send):
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.stock.load()
                self.open = True
                await self.announce(send)
            elif message["type"] == "lifespan.shutdown":
                await self.stock.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def announce(self, send):
        if ANNOUNCED:
            await send({"type": "lifespan.startup.complete"})

    async def answer(self, scope, send):
        found = self.stock.items.get(scope["path"].strip("/"), 0)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"%d" % found})


ANNOUNCED = True


async def ask(shop, item):
    sent = []

    async def send(message):
        sent.append(message)

    await shop({"type": "http", "path": "/" + item}, None, send)
    return sent[-1]["body"]


async def open_shop():
    shop = Shop()
    async with LifespanManager(shop, startup_timeout=None):
        return await ask(shop, "tea")


async def run_tests():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await open_shop()
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(run_tests())
