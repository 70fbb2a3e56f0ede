import asyncio
import itertools
import os
import signal

from sorting import SortingRoom


class PostOffice:
    def __init__(self):
        self.room = SortingRoom(sorters=3)
        self.evening = asyncio.Event()
        self.ticks = 0

    async def counter(self):
        for letter in itertools.count():
            if self.evening.is_set():
                return
            await self.room.post(letter)
            await asyncio.sleep(0.01)

    async def pendulum(self):
        while True:
            self.ticks += 1
            await asyncio.sleep(0.25)

    async def open(self, drain_first):
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.evening.set)
        pendulum = asyncio.create_task(self.pendulum(), name="pendulum")
        counter = asyncio.create_task(self.counter(), name="counter")
        await self.evening.wait()
        await counter
        await self.room.close(drain_first)
        return pendulum


async def day(drain_first):
    office = PostOffice()
    asyncio.get_running_loop().call_later(1, os.kill, os.getpid(), signal.SIGTERM)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pendulum = await office.open(drain_first)
    await pendulum


def run(drain_first):
    asyncio.run(day(drain_first))
