import asyncio
import os

from almanac.client import Client

HOW = "apart"


class Clock:
    def __init__(self):
        self.ticks = 0

    async def run(self):
        while True:
            self.ticks += 1
            await asyncio.sleep(0.2)


async def plan(client):
    month = 0
    while True:
        total = await client.call("add", a=month, b=1)
        await client.call("moon", month=total % 12)
        month = total
        await asyncio.sleep(0.05)


async def main():
    client = Client()
    await client.open(HOW)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(Clock().run(), plan(client))


if __name__ == "__main__":
    asyncio.run(main())
