import asyncio
import os
import signal
import sys

from nio import AsyncClient

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Greeter:
    def __init__(self, port):
        self.client = AsyncClient("http://127.0.0.1:%d" % port, "@greeter:hall")
        self.client.access_token = "t0ken"
        self.greeted = []

    async def greet(self):
        await self.client.synced.wait()
        for name in self.client.rooms:
            self.greeted.append(name)

    async def run(self):
        greeting = asyncio.create_task(self.greet())
        await self.client.sync_forever(timeout=1000)
        await greeting


if __name__ == "__main__":
    greeter = Greeter(start("matrix_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(greeter.run())
