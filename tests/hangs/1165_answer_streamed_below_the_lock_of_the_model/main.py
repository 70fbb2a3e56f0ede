import asyncio
import multiprocessing
import os
import socket

from aiohttp import ClientSession, web


class Model:
    def __init__(self):
        self.free = asyncio.Lock()

    async def tokens(self, count):
        for number in range(count):
            await asyncio.sleep(0)
            yield b"token-%06d " % number * 64


async def generate(request):
    model = request.app["model"]
    response = web.StreamResponse()
    await response.prepare(request)
    async with model.free:
        async for token in model.tokens(int(request.query["length"])):
            await response.write(token)
    await response.write_eof()
    return response


async def serve(listener):
    app = web.Application()
    app["model"] = Model()
    app.router.add_get("/generate", generate)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    await asyncio.Event().wait()


def run_server(listener):
    asyncio.run(serve(listener))


async def compare(session, url):
    long = await session.get(url, params={"length": LENGTH})
    short = await session.get(url, params={"length": "2"})
    second = await short.read()
    first = await long.read()
    return len(first), len(second)


async def compare_all(url):
    async with ClientSession() as session:
        while True:
            await compare(session, url)
            await asyncio.sleep(0.01)


LENGTH = "20000"


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    url = "http://127.0.0.1:%d/generate" % listener.getsockname()[1]
    multiprocessing.Process(
        target=run_server, args=(listener,), name="model-server", daemon=True
    ).start()
    listener.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(compare_all(url))
