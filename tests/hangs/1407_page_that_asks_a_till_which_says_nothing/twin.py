import asyncio
import http.client
import os
import socket
import time

from aiohttp import web


def till(server):
    connection, _ = server.accept()
    asked = 0
    while connection.recv(5):
        asked += 1
        if asked > 2 and SILENT:
            time.sleep(3600)
        connection.sendall(b"12.50\n")


class Shop:
    async def open(self, address):
        self.reader, self.writer = await asyncio.open_connection(*address)

    async def price(self, _request):
        self.writer.write(b"total")
        await self.writer.drain()
        return web.Response(text=(await self.reader.readline()).decode())


async def count():
    counted = 0
    while True:
        counted += 1
        await asyncio.sleep(0.2)


def visit(port):
    time.sleep(2)
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/price")
        connection.getresponse().read()
        time.sleep(0.2)


async def main(address, listening):
    shop = Shop()
    await shop.open(address)
    app = web.Application()
    app.router.add_get("/price", shop.price)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await count()


SILENT = False


if __name__ == "__main__":
    tills = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        till(tills)
        os._exit(0)
    shop_door = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        visit(shop_door.getsockname()[1])
        os._exit(0)
    asyncio.run(main(tills.getsockname(), shop_door))
