import asyncio
import json
import sys
from pathlib import Path

import aiohttp

HERE = Path(__file__).parent.parent


class Stove:
    def __init__(self, path):
        timeout = aiohttp.ClientTimeout(total=None)
        self.http = aiohttp.ClientSession(
            "http://stove", connector=aiohttp.UnixConnector(path), timeout=timeout
        )

    async def start(self, stops):
        async with self.http.post("/kettles", json={"stops": stops}) as answer:
            return (await answer.json())["kettle"]

    async def follow(self, kettle):
        lines = []
        async with self.http.get("/kettles/%d/log" % kettle) as answer:
            async for line in answer.content:
                lines.append(json.loads(line)["line"])
        return lines

    async def take_off(self, kettle):
        async with self.http.delete("/kettles/%d" % kettle):
            pass

    async def watch(self):
        while True:
            async with self.http.get("/health") as answer:
                await answer.json()
            await asyncio.sleep(0.4)


class Waiter:
    def __init__(self, stove, stops):
        self.stove = stove
        self.stops = stops
        self.cups = 0

    async def brew(self):
        kettle = await self.stove.start(self.stops)
        lines = await self.stove.follow(kettle)
        await self.stove.take_off(kettle)
        self.cups += len(lines)

    async def serve(self):
        while True:
            await self.brew()


async def afternoon(path, stops, ready):
    command = [sys.executable, "-m", "tearoom.engine", path]
    engine = await asyncio.create_subprocess_exec(
        *command, cwd=HERE, stdout=asyncio.subprocess.PIPE
    )
    await engine.stdout.readline()
    stove = Stove(path)
    watch = asyncio.create_task(stove.watch(), name="watch")
    ready()
    await Waiter(stove, stops).serve()
    watch.cancel()
