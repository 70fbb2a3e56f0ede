import functools

import trio
import trio_parallel


def crush(stone):
    total = 0
    for step in range(2000):
        total = (total * 31 + stone + step) % 1000003
    return total


class Quarry:
    """At most so many stones are on the belt at once."""

    def __init__(self, places, own_places):
        self.belt = trio.CapacityLimiter(places)
        self.crushers = trio.CapacityLimiter(places) if own_places else self.belt
        self.crushed = 0
        self.dust = 0

    async def through_crusher(self, half):
        self.dust += await trio_parallel.run_sync(crush, half, limiter=self.crushers)

    async def carry(self, stone):
        async with self.belt:
            await trio.sleep(0.05)
            async with trio.open_nursery() as halves:
                halves.start_soon(self.through_crusher, 2 * stone)
                halves.start_soon(self.through_crusher, 2 * stone + 1)
        self.crushed += 1

    async def shift(self, first):
        async with trio.open_nursery() as nursery:
            for stone in range(first, first + 6):
                nursery.start_soon(self.carry, stone, name="stone-%d" % stone)

    async def dig(self):
        first = 0
        while True:
            await self.shift(first)
            first += 6

    async def water(self):
        while True:
            await trio.sleep(0.4)
            self.dust = max(0, self.dust - 10)

    async def open(self):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(functools.partial(self.water))
            nursery.start_soon(self.dig)
