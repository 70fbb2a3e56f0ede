import asyncio
import os
import signal

import socketio
from aiohttp import web

signal.alarm(120)


class Shop:
    def __init__(self):
        self.server = socketio.AsyncServer(async_mode="aiohttp")
        self.server.on("connect", self.on_connect)
        self.customers = {}
        self.entered = asyncio.Event()

    async def on_connect(self, sid, environ):
        self.customers[sid] = await self.greet(sid)
        self.entered.set()

    async def greet(self, sid):
        return await self.server.call("who", to=sid, timeout=None)

    async def open(self):
        app = web.Application()
        self.server.attach(app)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return site._server.sockets[0].getsockname()[1]


async def tell_name():
    return "Ann"


async def visit(shop, port):
    customer = socketio.AsyncClient()
    customer.on("who", tell_name)
    await customer.connect("http://127.0.0.1:%d" % port, transports=["websocket"], wait=False)
    await shop.entered.wait()
    await customer.disconnect()


async def main():
    shop = Shop()
    port = await shop.open()
    print("MARK main pid=%d" % os.getpid())
    await visit(shop, port)


if __name__ == "__main__":
    asyncio.run(main())
