import asyncio
import itertools
import logging
import os

from pottery.kiln import Kiln, work

RECIPES = {"shino": (2, 2), "celadon": (3, 4), "tenmoku": (6, 1)}
ORDER = ["celadon", "tenmoku", "shino"]


class Market:
    def __init__(self):
        self.visitors = 0

    async def open(self):
        while True:
            await asyncio.sleep(0.35)
            self.visitors += 2


async def main():
    market = asyncio.create_task(Market().open(), name="market")
    kiln = Kiln(RECIPES)
    await work(kiln, itertools.cycle(ORDER), 4)
    market.cancel()


if __name__ == "__main__":
    logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
