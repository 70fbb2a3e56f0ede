import asyncio


class Quay:
    """Boats take a berth, rig, and start together."""

    def __init__(self, berths, boats):
        self.berths = asyncio.Semaphore(berths)
        self.gun = asyncio.Barrier(boats)
        self.starts = 0

    async def start(self, boat):
        async with self.berths:
            await boat.rig()
            place = await self.gun.wait()
        if place == 0:
            self.starts += 1


class Boat:
    def __init__(self, name, quay):
        self.name = name
        self.quay = quay
        self.laps = 0

    async def rig(self):
        await asyncio.sleep(0.03)

    async def race(self):
        while True:
            await self.quay.start(self)
            self.laps += 1
            await asyncio.sleep(0.1)
