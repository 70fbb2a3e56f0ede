import asyncio
import os

from fair.ground import Ground

FAREWELL = 3
NAMES = ["pies", "ribbons", "pots"]


class Town:
    def __init__(self, ground):
        self.ground = ground
        self.days = 0
        self.bells = 0

    async def bell(self):
        while True:
            await asyncio.sleep(0.25)
            self.bells += 1

    async def fairs(self):
        while True:
            await self.ground.day()
            self.days += 1
            await asyncio.sleep(0.1)


async def main():
    town = Town(Ground(NAMES, FAREWELL))
    bell = asyncio.create_task(town.bell(), name="bell")
    fairs = asyncio.create_task(town.fairs(), name="fairs")
    await asyncio.gather(bell, fairs)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
