import asyncio
import multiprocessing
import os
import socket

import aiohttp
from aiohttp import web


class Prefill:
    def __init__(self):
        self.rooms = {}

    def room(self, name):
        return self.rooms.setdefault(name, asyncio.get_running_loop().create_future())

    async def compute_pages(self, request):
        name = request.query["room"]
        await self.room(name)
        del self.rooms[name]
        return web.json_response({"pages": 4})

    async def connect(self, request):
        self.room(request.query["room"]).set_result(True)
        return web.json_response({"host": "prefill"})


class Decode:
    def __init__(self, prefill):
        self.prefill = prefill

    async def generate(self, request):
        async with aiohttp.ClientSession(timeout=NO_LIMIT) as session:
            async with session.post(f"{self.prefill}/connect", params=request.query) as answer:
                await answer.json()
        return web.json_response({"text": "done"})


NO_LIMIT = aiohttp.ClientTimeout(total=None)


def serve_prefill(listener):
    app = web.Application()
    prefill = Prefill()
    app.router.add_post("/pages", prefill.compute_pages)
    app.router.add_post("/connect", prefill.connect)
    web.run_app(app, sock=listener, print=None)


def serve_decode(listener, prefill):
    app = web.Application()
    app.router.add_post("/generate", Decode(prefill).generate)
    web.run_app(app, sock=listener, print=None)


async def ask(session, url, room):
    async with session.post(url, params={"room": room}) as answer:
        return await answer.json()


async def coordinate(session, prefill, decode, room):
    if TOGETHER:
        return await asyncio.gather(
            ask(session, f"{prefill}/pages", room), ask(session, f"{decode}/generate", room)
        )
    pages = await ask(session, f"{prefill}/pages", room)
    return pages, await ask(session, f"{decode}/generate", room)


async def route(prefill, decode):
    async with aiohttp.ClientSession(timeout=NO_LIMIT) as session:
        number = 0
        while True:
            await coordinate(session, prefill, decode, f"room-{number}")
            number += 1
            await asyncio.sleep(0.05)


TOGETHER = True


def listen():
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, "http://127.0.0.1:%d" % listener.getsockname()[1]


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    (prefill_listener, prefill), (decode_listener, decode) = listen(), listen()
    parts = (
        ("prefill", serve_prefill, (prefill_listener,)),
        ("decode", serve_decode, (decode_listener, prefill)),
    )
    for name, target, arguments in parts:
        context.Process(target=target, args=arguments, name=name, daemon=True).start()
    prefill_listener.close()
    decode_listener.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(route(prefill, decode))
