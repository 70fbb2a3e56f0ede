import asyncio
import os

from cellar.store import Store


class Thermometer:
    def __init__(self):
        self.values = []

    async def run(self):
        while True:
            self.values.append(12.0)
            del self.values[:-10]
            await asyncio.sleep(0.3)


class House:
    def __init__(self, own_names):
        self.store = Store(":memory:", own_names)
        self.asked = asyncio.Queue()
        self.answers = asyncio.Queue()

    async def sommelier(self):
        while True:
            year = await self.asked.get()
            await self.answers.put(await self.store.listing(year))

    async def evening(self, pause):
        await self.store.open()
        jobs = [
            asyncio.create_task(self.sommelier(), name="sommelier"),
            asyncio.create_task(Thermometer().run(), name="thermometer"),
        ]
        print("MARK main pid=%d" % os.getpid(), flush=True)
        for year in (2021, 2020, 2019):
            await self.asked.put(year)
            print(await self.answers.get(), flush=True)
            await asyncio.sleep(pause)
        for job in jobs:
            job.cancel()
        await self.store.db.close()
