import asyncio
import os

from boats.crew import Crew

SEATS = 5
NAMES = ["stroke", "second", "third", "bosun", "bow"]


class Harbour:
    def __init__(self, crew):
        self.crew = crew
        self.tide = 0
        self.outings = 0

    async def tides(self):
        while True:
            await asyncio.sleep(0.4)
            self.tide = (self.tide + 1) % 12

    async def outing(self):
        await self.crew.man(NAMES)
        self.outings += 1
        self.crew.ashore()

    async def season(self):
        while True:
            await self.outing()
            await asyncio.sleep(0.2)


async def main():
    harbour = Harbour(Crew(SEATS))
    tides = asyncio.create_task(harbour.tides(), name="tides")
    season = asyncio.create_task(harbour.season(), name="season")
    await asyncio.gather(tides, season)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
