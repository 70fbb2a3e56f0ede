import asyncio


class Crew:
    def __init__(self, bunker):
        self.bunker = bunker
        self.fired = 0
        self.pressure = 8.0
        self.carts = 0

    async def stoke(self):
        while True:
            await self.bunker.take(6)
            await asyncio.sleep(0.05)
            self.fired += 1
            if self.pressure > 11:
                await self.bunker.put_back(6)
                self.pressure -= 2

    async def watch_gauge(self):
        while True:
            await asyncio.sleep(0.25)
            self.pressure = max(7.0, self.pressure - 0.1)

    async def bring_coal(self):
        while True:
            await asyncio.sleep(0.3)
            if self.bunker.level < 12:
                await self.bunker.refill(24)
                self.carts += 1

    async def shift(self):
        async with asyncio.TaskGroup() as group:
            for number in range(2):
                group.create_task(self.stoke(), name="stoker-%d" % number)
            group.create_task(self.watch_gauge(), name="gauge")
            group.create_task(self.bring_coal(), name="carter")
