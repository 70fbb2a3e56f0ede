import asyncio
import os
import socket
import threading
import time
import urllib.request

from aiohttp import web

LOADED = False


class Beat(threading.Thread):
    def __init__(self):
        super().__init__(name="beat", daemon=True)
        self.stopped = threading.Event()
        self.count = 0

    def run(self):
        while not self.stopped.wait(0.3):
            self.count += 1


class News(threading.Thread):
    def __init__(self, sock):
        super().__init__(name="news", daemon=True)
        self.sock = sock

    def run(self):
        while self.sock.recv(512):
            pass


class Prices:
    def __init__(self):
        self.loaded = asyncio.Event()
        self.by_article = {"tea": 4, "mug": 9}
        if LOADED:
            self.by_article["cup"] = 7
        else:
            self.missing = "cup"

    async def of(self, article):
        if article not in self.by_article:
            await self.loaded.wait()
        return self.by_article[article]


async def coupon(request):
    prices = request.app["prices"]
    async with asyncio.TaskGroup() as group:
        group.create_task(asyncio.sleep(0.1), name="stamp")
        cup = group.create_task(prices.of("cup"), name="price-cup")
    return web.Response(text=str(cup.result()))


async def ticks():
    while True:
        await asyncio.sleep(0.4)


async def begin(app):
    app["prices"] = Prices()
    app["ticks"] = asyncio.create_task(ticks(), name="ticks")
    print("MARK main pid=%d" % os.getpid(), flush=True)


def ask(port):
    failed = 0
    while failed < 20:
        time.sleep(0.3)
        try:
            urllib.request.urlopen("http://127.0.0.1:%d/coupon" % port).read()
        except OSError:
            failed += 1


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        if os.fork() == 0:
            port = listener.getsockname()[1]
            listener.close()
            ask(port)
        os._exit(0)
    os.wait()
    ours, theirs = socket.socketpair()
    Beat().start()
    News(theirs).start()
    app = web.Application()
    app.router.add_get("/coupon", coupon)
    app.on_startup.append(begin)
    web.run_app(app, sock=listener, print=None)
    ours.close()


if __name__ == "__main__":
    main()
