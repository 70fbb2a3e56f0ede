import asyncio
import os

from manor.house import House

EARLY = False


class Garden:
    def __init__(self):
        self.roses = 0

    async def grow(self):
        while True:
            await asyncio.sleep(0.3)
            self.roses += 1


async def steward(house):
    while True:
        await house.day()


async def main():
    garden = asyncio.create_task(Garden().grow(), name="garden")
    days = asyncio.create_task(steward(House(EARLY)), name="steward")
    await asyncio.gather(garden, days)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
