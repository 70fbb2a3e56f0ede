import asyncio
import os

from canteen import Canteen


class Noon:
    def __init__(self):
        self.canteen = Canteen(trays=6)
        self.bells = 0

    async def bell(self):
        while True:
            self.bells += 1
            await asyncio.sleep(0.4)

    async def shifts(self, clear_at_once):
        guests = 2
        while True:
            await self.canteen.serve(guests, clear_at_once)
            guests = min(guests + 1, 9)
            await asyncio.sleep(0.1)


async def main(clear_at_once):
    noon = Noon()
    tasks = [
        asyncio.create_task(noon.bell(), name="bell"),
        asyncio.create_task(noon.shifts(clear_at_once), name="shifts"),
    ]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*tasks)


def run(clear_at_once):
    asyncio.run(main(clear_at_once))
