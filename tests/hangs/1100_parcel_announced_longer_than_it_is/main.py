import asyncio
import os

from aiohttp import web

STRING = 9


class Depot:
    def __init__(self):
        self.shelf = []

    async def take_in(self, request):
        self.shelf.append(await request.read())
        return web.Response(text="thanks")

    async def open(self):
        app = web.Application()
        app.router.add_post("/parcels", self.take_in)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return site._server.sockets[0].getsockname()[1]


class Sender:
    def __init__(self, port):
        self.port = port

    def pack(self, goods):
        head = b"POST /parcels HTTP/1.1\r\nHost: depot\r\nConnection: close\r\n"
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(goods) + STRING, goods)
        return head + b"Transfer-Encoding: chunked\r\n\r\n" + body

    async def send(self, goods):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(self.pack(goods))
        await writer.drain()
        status = await reader.readline()
        writer.close()
        return status


async def run_post():
    depot = Depot()
    sender = Sender(await depot.open())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await sender.send(b"apples")
        del depot.shelf[:]
        await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(run_post())
