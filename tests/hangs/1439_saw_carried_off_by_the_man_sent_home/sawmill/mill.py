import asyncio
import json
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import redis.asyncio as redis
from sawmill.saws import Saws

HERE = str(Path(__file__).parent.parent)


def start_store():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tempfile.gettempdir()
    command = ["redis-server", "--port", str(port), "--save", "", "--dir", folder]
    subprocess.Popen(command, stdout=subprocess.DEVNULL)
    return port


class Mill:
    def __init__(self, port):
        self.port = port
        self.saws = Saws(port)
        self.sold = 0
        self.men = {}

    async def open(self, saws):
        while True:
            try:
                await self.saws.store.ping()
                break
            except redis.ConnectionError:
                await asyncio.sleep(0.05)
        for number in range(saws):
            await self.saws.hang_up("saw %d" % number)

    async def hire(self, man, pace):
        self.men[man] = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sawmill.saws", man, str(self.port), str(pace), cwd=HERE
        )

    async def deliver(self):
        number = 0
        while True:
            if await self.saws.store.llen("logs") < 5:
                log = json.dumps({"number": number, "girth": 40 + number % 9})
                await self.saws.store.rpush("logs", log)
                number += 1
            await asyncio.sleep(0.1)

    async def sell(self):
        while True:
            done = await self.saws.boards()
            self.sold += done["boards"]

    async def send_home(self, man):
        self.men[man].kill()
        await self.men[man].wait()


async def season(saws, ready):
    mill = Mill(start_store())
    await mill.open(saws)
    await mill.hire("alois", 30)
    delivery = asyncio.create_task(mill.deliver(), name="delivery")
    await asyncio.sleep(1.5)
    for man in ["bertl", "seppl"]:
        await mill.hire(man, 0.1)
    await asyncio.sleep(0.8)
    await mill.send_home("alois")
    ready()
    await mill.sell()
    delivery.cancel()
