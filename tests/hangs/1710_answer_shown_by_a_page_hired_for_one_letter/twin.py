import asyncio
import os

from chancery.office import Chancery

SINGLE = False


class Court:
    def __init__(self, chancery):
        self.chancery = chancery
        self.sittings = 0
        self.candles = 0

    async def candlelight(self):
        while True:
            await asyncio.sleep(0.3)
            self.candles += 1

    async def sit(self):
        while True:
            await self.chancery.ask("petition-%d" % self.sittings)
            self.sittings += 1
            await asyncio.sleep(0.1)


async def main():
    chancery = Chancery(SINGLE)
    court = Court(chancery)
    await asyncio.gather(
        asyncio.create_task(chancery.scribe(), name="scribe"),
        asyncio.create_task(court.candlelight(), name="candles"),
        asyncio.create_task(court.sit(), name="court"),
    )


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
