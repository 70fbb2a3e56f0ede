import asyncio
import os
import subprocess
import sys
import tempfile
import time

from notary.wire import Wire

RULER = "text"


class Clerk:
    def __init__(self, wire):
        self.wire = wire
        self.lock = asyncio.Lock()
        self.number = 0

    async def register(self, owner):
        async with self.lock:
            self.number += 1
            await self.wire.send({"number": self.number, "owner": owner})
            return await self.wire.receive()

    async def work(self, owners):
        while True:
            for owner in owners:
                await self.register(owner)
                await asyncio.sleep(0.05)


async def candles():
    while True:
        await asyncio.sleep(0.3)


async def main(path):
    reader, writer = await asyncio.open_unix_connection(path)
    clerk = Clerk(Wire(reader, writer, RULER == "ascii"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(clerk.work(["Ada", "Béla"]), clerk.work(["Chloë"]), candles())


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "office.sock")
    subprocess.Popen([sys.executable, "-u", "-m", "notary.office", path, RULER])
    while not os.path.exists(path):
        time.sleep(0.05)
    time.sleep(0.2)
    asyncio.run(main(path))
