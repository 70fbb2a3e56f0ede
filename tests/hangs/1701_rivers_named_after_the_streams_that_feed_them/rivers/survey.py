import asyncio

from throttler import ThrottlerSimultaneous

STREAMS = {
    "delta": ["left-arm", "right-arm"],
    "left-arm": ["brook", "rill"],
    "right-arm": ["beck", "burn"],
}


class Survey:
    def __init__(self, boats, early):
        self.boats = ThrottlerSimultaneous(count=boats)
        self.early = early
        self.lengths = {}
        self.trips = 0

    async def sound(self, name):
        await asyncio.sleep(0.01)
        self.trips += 1
        self.lengths[name] = len(name) * 3

    async def chart(self, name):
        async with self.boats:
            await self.sound(name)
            if not self.early:
                return await self.feeders(name)
        return await self.feeders(name)

    async def feeders(self, name):
        below = STREAMS.get(name, ())
        lengths = await asyncio.gather(*(self.chart(stream) for stream in below))
        return self.lengths[name] + sum(lengths)
