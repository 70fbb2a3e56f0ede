import asyncio
import os

from oven import Oven


class Bakery:
    def __init__(self):
        self.served = []
        self.oven = Oven(self.heat)
        self.rounds = 0

    async def heat(self, doughs):
        self.rounds += 1
        await asyncio.sleep(0.6)
        return [dough + " bread" for dough in doughs]

    async def customer(self, number):
        crust = await self.oven.submit("rye-%d" % number)
        self.served.append(crust)

    async def change_oven(self, gently):
        await asyncio.sleep(0.5)
        old, self.oven = self.oven, Oven(self.heat)
        await old.close(gently)

    async def sweep(self):
        while True:
            await asyncio.sleep(0.4)

    async def open(self, gently):
        sweeper = asyncio.create_task(self.sweep(), name="sweeper")
        change = asyncio.create_task(self.change_oven(gently), name="change")
        early = [asyncio.create_task(self.customer(n), name="customer-%d" % n) for n in range(3)]
        await change
        late = [asyncio.create_task(self.customer(n), name="customer-%d" % n) for n in range(3, 5)]
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await asyncio.gather(*early, *late)
        while True:
            await self.customer(9)
            sweeper.get_name()


def run(gently):
    async def main():
        await Bakery().open(gently)

    asyncio.run(main())
