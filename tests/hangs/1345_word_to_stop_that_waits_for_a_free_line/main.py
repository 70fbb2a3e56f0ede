import asyncio
import multiprocessing
import os

import aiohttp
from aiohttp import web


class Engine:
    def __init__(self):
        self.gate = asyncio.Event()
        self.gate.set()
        self.version = 0

    async def tell(self, request):
        response = web.StreamResponse()
        await response.prepare(request)
        for word in range(200):
            await self.gate.wait()
            await response.write(b"word ")
            await asyncio.sleep(0.01)
        await response.write_eof()
        return response

    async def pause(self, request):
        self.gate.clear()
        return web.json_response({"version": self.version})

    async def resume(self, request):
        self.version += 1
        self.gate.set()
        return web.json_response({"version": self.version})


async def serve(ports):
    engine = Engine()
    app = web.Application()
    app.add_routes(
        [
            web.get("/story", engine.tell),
            web.post("/pause", engine.pause),
            web.post("/resume", engine.resume),
        ]
    )
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    ports.put(runner.addresses[0][1])
    await asyncio.Event().wait()


def run_engine(ports):
    asyncio.run(serve(ports))


class Rollouts:
    def __init__(self, session, base):
        self.session = session
        self.base = base

    async def tell(self):
        while True:
            async with self.session.get(self.base + "/story") as response:
                async for chunk in response.content.iter_any():
                    await asyncio.sleep(0)

    async def pause(self):
        async with self.session.post(self.base + "/pause") as response:
            await response.read()

    async def resume(self):
        async with self.session.post(self.base + "/resume") as response:
            await response.read()

    async def refresh(self):
        while True:
            await asyncio.sleep(0.7)
            await self.pause()
            await asyncio.sleep(0.25)
            await self.resume()


async def run(base):
    connector = aiohttp.TCPConnector(limit=LINES)
    patience = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, timeout=patience) as session:
        rollouts = Rollouts(session, base)
        trainer = asyncio.create_task(rollouts.refresh(), name="trainer")
        stories = []
        for number in range(4):
            stories.append(asyncio.create_task(rollouts.tell(), name="story-%d" % number))
            await asyncio.sleep(0.7 if number == 2 else 0.05)
        await asyncio.gather(trainer, *stories)


def main():
    context = multiprocessing.get_context("spawn")
    ports = context.Queue()
    context.Process(target=run_engine, args=(ports,), name="engine", daemon=True).start()
    base = "http://127.0.0.1:%d" % ports.get()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run(base))


LINES = 4


if __name__ == "__main__":
    main()
