import asyncio
import os

from aiostream import stream

LIMIT = 3
LEVELS = {"Aare": [3, 4], "Reuss": [2, 2], "Rhine": [9, 5]}


class Gauge:
    def __init__(self):
        self.opened = asyncio.Event()
        self.readings = 0

    async def level(self, river, number):
        self.readings += 1
        await asyncio.sleep(0.01)
        return LEVELS[river][number]


class Watch:
    def __init__(self):
        self.gauge = Gauge()

    async def measure(self, river):
        for number in range(2):
            found = await self.gauge.level(river, number)
            if found > 8:
                self.gauge.opened.set()
            yield river, found
            await self.gauge.opened.wait()

    def all_levels(self):
        rivers = stream.iterate(list(LEVELS))
        return stream.flatmap(rivers, self.measure, task_limit=LIMIT)

    async def first_flood(self):
        async with self.all_levels().stream() as levels:
            async for river, found in levels:
                if found > 8:
                    return river


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await Watch().first_flood()
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
