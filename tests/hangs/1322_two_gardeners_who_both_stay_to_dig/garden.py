import asyncio
from contextlib import asynccontextmanager


class Paths:
    def __init__(self):
        self.turn = asyncio.Condition()
        self.walkers = 0
        self.dug = False

    @asynccontextmanager
    async def walk(self):
        async with self.turn:
            await self.turn.wait_for(lambda: not self.dug)
            self.walkers += 1
        try:
            yield self
        finally:
            async with self.turn:
                self.walkers -= 1
                self.turn.notify_all()

    @asynccontextmanager
    async def dig(self):
        async with self.turn:
            while self.walkers > 1 or self.dug:
                await self.turn.wait()
            self.dug = True
        try:
            yield self
        finally:
            async with self.turn:
                self.dug = False
                self.turn.notify_all()


class Bed:
    def __init__(self, name):
        self.name = name
        self.weeds = 0


class Gardener:
    def __init__(self, paths, beds, every):
        self.paths = paths
        self.beds = beds
        self.every = every
        self.rounds = 0

    async def inspect(self, bed):
        async with self.paths.walk():
            bed.weeds += 1
            await asyncio.sleep(0.03)
            if bed.weeds % self.every == 0:
                await self.weed(bed)

    async def weed(self, bed):
        async with self.paths.dig():
            await asyncio.sleep(0.01)
            bed.weeds = 0

    async def day(self):
        while True:
            for bed in self.beds:
                await self.inspect(bed)
            self.rounds += 1


async def sprinkler(litres):
    while True:
        litres.append(len(litres))
        del litres[:-10]
        await asyncio.sleep(0.6)
