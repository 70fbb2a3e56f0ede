import asyncio

import rx
from rx.scheduler.eventloop import AsyncIOThreadSafeScheduler


class Pot:
    """Tea that grows stronger until somebody takes the leaves out."""

    def __init__(self, number, clock):
        self.number = number
        self.clock = clock
        self.strength = 0

    def draw(self, _):
        self.strength += 1

    def brew(self, every):
        leaves = rx.interval(every, scheduler=self.clock)
        self.brewing = leaves.subscribe(self.draw, scheduler=self.clock)

    def take_out(self):
        self.brewing.dispose()


class TeaRoom:
    def __init__(self, loop, carried_out):
        self.clock = AsyncIOThreadSafeScheduler(loop)
        self.loop = loop
        self.carried_out = carried_out
        self.pots = []
        self.sent_back = 0

    async def guest(self, number):
        pot = Pot(number, self.clock)
        self.pots.append(pot)
        pot.brew(0.2)
        await asyncio.sleep(0.5)
        if number % 5 == 4:
            await self.send_back(pot)
        else:
            await self.loop.run_in_executor(None, pot.take_out)
        self.pots.remove(pot)

    async def send_back(self, pot):
        if self.carried_out:
            await self.loop.run_in_executor(None, pot.take_out)
        else:
            pot.take_out()
        self.sent_back += 1

    async def open(self):
        number = 0
        while True:
            asyncio.create_task(self.guest(number), name="guest-%d" % number)
            number += 1
            await asyncio.sleep(0.25)


async def cat(steps):
    while True:
        await asyncio.sleep(0.4)
        steps.append(len(steps))
        del steps[:-3]
