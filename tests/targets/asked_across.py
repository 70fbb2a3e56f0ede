"""A front end, an engine and a worker that ask each other over Unix sockets, with asyncio.

What it hangs on: ``ring`` (the worker asks the front end, whose gate the one has that waits for the
engine), ``lost`` (the engine waits for an event that nobody sets), ``unanswered`` (the engine takes
its next message without an answer). Healthy: ``idle``, ``slow`` (the engine computes), ``news``
(the front end waits to be told of something, which the engine's clients may bring).
"""

import asyncio
import os
import subprocess
import sys
import tempfile

from ready import PYTHON, ready

HUNG_AFTER = 3


class Role:
    def __init__(self, name):
        self.name, self.lines = name, {}
        self.gate, self.loaded = asyncio.Lock(), asyncio.Event()
        self.news = asyncio.Event()

    async def serve_client(self, reader, writer):
        while True:
            line = await reader.readline()
            if not line:
                return
            answer = await getattr(self, "answer_" + self.name)(int(line))
            if answer:
                writer.write(line)

    async def ask(self, name, number):
        if name not in self.lines:
            self.lines[name] = await asyncio.open_unix_connection(os.path.join(FOLDER, name))
        reader, writer = self.lines[name]
        writer.write(b"%d\n" % number)
        return await reader.readline()

    async def answer_engine(self, number):
        if number == HUNG_AFTER and NAME == "lost":
            await self.loaded.wait()
        if number == HUNG_AFTER and NAME == "news":
            await self.news.wait()
        if number == HUNG_AFTER and NAME == "slow":
            loop = asyncio.get_event_loop()
            await loop.run_in_executor(None, compute)
        if number < 0:
            self.news.set()
        await self.ask("worker", number)
        return number != HUNG_AFTER or NAME != "unanswered"

    async def answer_worker(self, number):
        if number == HUNG_AFTER and NAME == "ring":
            await self.ask("front", number)
        return True

    async def answer_front(self, number):
        async with self.gate:
            return True

    async def complete(self, number):
        async with self.gate:
            return await self.ask("engine", number)

    async def run(self):
        if self.name == "front":
            await self.answers_of_others()
        await asyncio.start_unix_server(self.serve_client, os.path.join(FOLDER, self.name))
        while self.name == "front":
            for number in range(HUNG_AFTER):
                await self.complete(number)
            ready()
            if NAME != "idle":
                await self.complete(HUNG_AFTER)
            await self.loaded.wait()
        await self.loaded.wait()

    async def answers_of_others(self):
        while not all(os.path.exists(os.path.join(FOLDER, one)) for one in ("engine", "worker")):
            await asyncio.sleep(0.05)


def compute():
    number = 0
    while True:
        number = (number * 7 + 1) % 1009


async def main(name):
    await Role(name).run()


NAME, FOLDER, ROLE = [*sys.argv[1:], tempfile.mkdtemp(prefix="hangtui-"), "front"][:3]

if ROLE == "front":
    for role in ("engine", "worker"):
        subprocess.Popen([PYTHON, __file__, NAME, FOLDER, role])
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
loop.run_until_complete(main(ROLE))
