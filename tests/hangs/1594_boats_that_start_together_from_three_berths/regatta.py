import asyncio
import os

from quay import Boat, Quay


class Regatta:
    def __init__(self, berths, names):
        self.quay = Quay(berths, len(names))
        self.boats = [Boat(name, self.quay) for name in names]
        self.flags = 0

    async def flag(self):
        while True:
            self.flags += 1
            await asyncio.sleep(0.3)

    async def hold(self):
        async with asyncio.TaskGroup() as group:
            group.create_task(self.flag(), name="flag")
            for boat in self.boats:
                group.create_task(boat.race(), name="boat-" + boat.name)
            print("MARK main pid=%d" % os.getpid(), flush=True)


def run(berths):
    asyncio.run(Regatta(berths, ["gull", "heron", "ibis", "jay"]).hold())
