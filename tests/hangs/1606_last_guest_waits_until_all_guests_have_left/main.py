import asyncio
import multiprocessing
import os
import socket
import time
import urllib.error
import urllib.request

from aiohttp import web


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Library:
    def __init__(self):
        self.inside = 0
        self.closing = False
        self.left = asyncio.Condition()

    @web.middleware
    async def count(self, request, handler):
        if self.closing and request.path == "/read":
            raise web.HTTPServiceUnavailable
        self.inside += 1
        try:
            return await handler(request)
        finally:
            self.inside -= 1
            async with self.left:
                self.left.notify_all()

    async def read(self, request):
        await asyncio.sleep(0.02)
        return web.Response(text="page")

    async def empty(self):
        async with self.left:
            await self.left.wait_for(lambda: self.inside <= WITH_ME)

    async def close(self, request):
        self.closing = True
        await self.empty()
        return web.Response(text="closed")

    async def reopen(self, request):
        self.closing = False
        return web.Response(text="open")


def run_library(port):
    async def make():
        library = Library()
        app = web.Application(middlewares=[library.count])
        app.router.add_get("/read", library.read)
        app.router.add_post("/close", library.close)
        app.router.add_post("/reopen", library.reopen)
        return app

    web.run_app(make(), host="127.0.0.1", port=port, print=None)


def call(port, path, data=None):
    with urllib.request.urlopen("http://127.0.0.1:%d%s" % (port, path), data) as answer:
        return answer.read()


def run_reader(port, opened):
    while True:
        opened.wait()
        try:
            call(port, "/read")
        except urllib.error.HTTPError:
            time.sleep(0.01)


def sweep(port, opened):
    opened.clear()
    call(port, "/close", b"")
    call(port, "/reopen", b"")
    opened.set()


def main():
    spawn = multiprocessing.get_context("spawn")
    port = free_port()
    opened = spawn.Event()
    spawn.Process(target=run_library, args=(port,), name="library", daemon=True).start()
    while socket.socket().connect_ex(("127.0.0.1", port)):
        time.sleep(0.1)
    for number in range(2):
        spawn.Process(
            target=run_reader, args=(port, opened), name="reader-%d" % number, daemon=True
        ).start()
    opened.set()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.5)
        sweep(port, opened)


WITH_ME = 0


if __name__ == "__main__":
    main()
