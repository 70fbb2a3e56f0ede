import asyncio
import os


class Laundry:
    def __init__(self):
        self.dirty = asyncio.Queue()
        self.clean = asyncio.Queue()
        self.delivered = 0

    async def wash(self):
        try:
            while True:
                shirt = await self.dirty.get()
                await asyncio.sleep(0.002)
                await self.clean.put(shirt)
        except asyncio.QueueShutDown:
            return

    async def deliver(self):
        try:
            while True:
                await self.clean.get()
                self.delivered += 1
        except asyncio.QueueShutDown:
            return

    async def collect(self, shirts):
        for shirt in range(shirts):
            await self.dirty.put(shirt)
            await asyncio.sleep(0.001)
        self.dirty.shutdown()


async def work_a_day():
    laundry = Laundry()
    async with asyncio.TaskGroup() as day:
        day.create_task(laundry.deliver(), name="bicycle")
        washers = [day.create_task(laundry.wash(), name="tub-%d" % number) for number in (1, 2)]
        await laundry.collect(30)
        await asyncio.gather(*washers)
        if CLOSE_BOTH:
            laundry.clean.shutdown()
    return laundry.delivered


async def main():
    while True:
        await work_a_day()


CLOSE_BOTH = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
