import asyncio
import os

import trio
import trio_asyncio


class Oven:
    def __init__(self):
        self.degrees = 20

    async def heat_oven(self, degrees):
        while self.degrees < degrees:
            await asyncio.sleep(0.02)
            self.degrees += 40
        return self.degrees


class Bakery:
    def __init__(self, loop):
        self.loop = loop
        self.oven = Oven()
        self.loaves = 0
        self.closing = trio.Event()

    async def bake_batch(self):
        await trio_asyncio.aio_as_trio(self.oven.heat_oven)(220)
        self.loaves += 12
        self.oven.degrees = 20

    async def close_up(self):
        await self.closing.wait()
        self.loop.stop()

    async def run_day(self):
        batches = 0
        while True:
            await self.bake_batch()
            batches += 1
            if batches == STOPS_AT:
                self.closing.set()


STOPS_AT = 3


async def run_bakery():
    async with trio_asyncio.open_loop() as loop:
        bakery = Bakery(loop)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bakery.close_up)
            await bakery.run_day()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trio.run(run_bakery)
