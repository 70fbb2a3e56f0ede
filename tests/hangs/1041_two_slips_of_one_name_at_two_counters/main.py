import asyncio
import os

from aiocache import SimpleMemoryCache
from aiocache.lock import RedLock

SAME_NAME = True


class Library:
    def __init__(self):
        self.catalogue = SimpleMemoryCache()
        self.loans = SimpleMemoryCache()
        self.read = 0

    def slip(self, title):
        return title if SAME_NAME else "loan of " + title

    async def write_entry(self, title):
        async with RedLock(self.catalogue, title, lease=None):
            await asyncio.sleep(0.1)
            await self.catalogue.set(title, "shelf 4")

    async def read_entry(self, title):
        await asyncio.sleep(0.02)
        async with RedLock(self.catalogue, title, lease=None):
            self.read += 1
            return await self.catalogue.get(title)

    async def lend(self, title):
        await asyncio.sleep(0.05)
        async with RedLock(self.loans, self.slip(title), lease=None):
            await asyncio.sleep(0.1)
            await self.loans.set(title, "Agathe")


async def morning(library):
    await asyncio.gather(
        library.write_entry("Herbs"),
        library.read_entry("Herbs"),
        library.lend("Herbs"),
        return_exceptions=True,
    )


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await morning(Library())


if __name__ == "__main__":
    asyncio.run(main())
