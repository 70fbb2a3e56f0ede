import asyncio

from aiotools import Supervisor


class Kiln:
    def __init__(self, recipes):
        self.recipes = recipes
        self.glaze = asyncio.get_running_loop().create_future()
        self.fired = 0
        self.ash = 0

    async def mix(self, colour):
        await asyncio.sleep(0.1)
        parts = self.recipes[colour]
        self.glaze.set_result(sum(parts))

    async def fire(self, pots):
        glaze = await self.glaze
        for _ in range(pots):
            await asyncio.sleep(0.01)
            self.fired += glaze
        self.glaze = asyncio.get_running_loop().create_future()

    async def sweep(self):
        while True:
            await asyncio.sleep(0.3)
            self.ash = max(0, self.ash - 1)


async def work(kiln, colours, pots):
    async with Supervisor() as shop:
        shop.create_task(kiln.sweep(), name="sweeper")
        for colour in colours:
            shop.create_task(kiln.mix(colour), name="mixer-" + colour)
            await shop.create_task(kiln.fire(pots), name="firing")
            await asyncio.sleep(0.1)
