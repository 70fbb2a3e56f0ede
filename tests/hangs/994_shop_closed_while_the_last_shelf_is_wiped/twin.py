import asyncio
import os

from aiojobs import Scheduler


class Shop:
    def __init__(self):
        self.scheduler = Scheduler()
        self.wiped = asyncio.Event()
        self.shelves = 0

    async def wipe(self):
        self.shelves += 1
        self.wiped.set()
        return self.shelves

    async def close(self):
        self.scheduler.shield(self.wipe())
        await self.wiped.wait()
        await asyncio.sleep(0.05)
        await self.scheduler.wait_and_close()


async def tick():
    while True:
        await asyncio.sleep(0.2)


async def week():
    clock = asyncio.create_task(tick())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not clock.done():
        shop = Shop()
        await shop.close()


if __name__ == "__main__":
    asyncio.run(week())
