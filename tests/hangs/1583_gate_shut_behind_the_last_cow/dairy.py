import asyncio
import itertools
import os


class Dairy:
    def __init__(self, pasture):
        self.pasture = pasture
        self.milked = 0
        self.news = asyncio.Event()

    async def herd(self):
        await self.pasture.drive_in(itertools.count())

    async def conduct(self):
        while True:
            cow = self.pasture.lead_out()
            if cow is None:
                try:
                    await asyncio.wait_for(self.news.wait(), timeout=0.5)
                except TimeoutError:
                    pass
                self.news.clear()
                continue
            await self.milk(cow)

    async def milk(self, cow):
        await asyncio.sleep(0.001)
        self.milked += 1

    async def clean(self):
        while True:
            await asyncio.sleep(1)

    async def work(self):
        async with asyncio.TaskGroup() as group:
            group.create_task(self.herd(), name="herdsman")
            group.create_task(self.conduct(), name="milker")
            group.create_task(self.clean(), name="cleaner")
            print("MARK main pid=%d" % os.getpid(), flush=True)
