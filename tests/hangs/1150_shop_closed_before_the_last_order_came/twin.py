import asyncio
import os

from aiohttp import ClientSession, web


class Shop:
    def __init__(self):
        self.orders = asyncio.Queue()
        self.closing = False
        self.cooked = []

    async def start_kitchen(self, app):
        self.kitchen = asyncio.create_task(self.cook(), name="kitchen")

    async def stop_kitchen(self, app):
        self.closing = True
        if LAST_CALL:
            self.orders.put_nowait(None)
        await self.kitchen

    async def cook(self):
        while not self.closing:
            order = await self.orders.get()
            if order:
                self.cooked.append(order)

    async def take_order(self, request):
        self.orders.put_nowait(await request.text())
        return web.Response(text="ten minutes")


async def open_shop():
    shop = Shop()
    app = web.Application()
    app.router.add_post("/orders", shop.take_order)
    app.on_startup.append(shop.start_kitchen)
    app.on_cleanup.append(shop.stop_kitchen)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return runner, site._server.sockets[0].getsockname()[1]


async def close_shop(runner):
    await runner.cleanup()


async def order_soup(port):
    async with ClientSession() as session:
        async with session.post("http://127.0.0.1:%d/orders" % port, data="soup") as answer:
            await answer.text()


async def run_days():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        runner, port = await open_shop()
        await order_soup(port)
        await close_shop(runner)
        await asyncio.sleep(0.02)


LAST_CALL = True


if __name__ == "__main__":
    asyncio.run(run_days())
