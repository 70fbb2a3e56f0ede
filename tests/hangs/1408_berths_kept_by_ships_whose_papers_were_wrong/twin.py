import asyncio
import os


class Harbour:
    def __init__(self):
        self.berths = asyncio.Semaphore(2)
        self.unloaded = 0

    async def moor(self, ship, papers):
        await self.berths.acquire()
        if KEPT:
            tons = int(papers)
            await self.unload(tons)
            self.berths.release()
            return
        try:
            await self.unload(int(papers))
        finally:
            self.berths.release()

    async def unload(self, tons):
        await asyncio.sleep(0.05)
        self.unloaded += tons


async def count(harbour):
    while True:
        await asyncio.sleep(0.2)
        harbour.counted = harbour.unloaded


async def main():
    harbour = Harbour()
    counter = asyncio.create_task(count(harbour), name="counter")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    moored, number = set(), 0
    while not counter.done():
        number += 1
        papers = "?" if number % 10 == 0 else "7"
        ship = asyncio.create_task(harbour.moor(number, papers), name="ship-%d" % (number % 3))
        moored.add(ship)
        ship.add_done_callback(moored.discard)
        await asyncio.sleep(0.03 if len(moored) < 8 else 0.5)


KEPT = False


if __name__ == "__main__":
    asyncio.run(main())
