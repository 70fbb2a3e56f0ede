import asyncio
import itertools
import os

from asyncio_pool import AioPool

PLACES = 2
TRIPS = [("Bern", "Chur", "Sils"), ("Olten", "Thun", "Spiez"), ("Basel", "Brig", "Zermatt")]


class Timetable:
    def __init__(self):
        self.asked = 0

    async def departure(self, start, goal):
        self.asked += 1
        await asyncio.sleep(0.02)
        return (len(start) * 7 + len(goal) * 11) % 60


TIMETABLE = Timetable()


async def find_leg(start, goal):
    minute = await TIMETABLE.departure(start, goal)
    return start, goal, minute


class Planner:
    def __init__(self):
        self.pool = AioPool(size=PLACES)
        self.legs = AioPool(size=PLACES) if APART else self.pool

    async def plan_trip(self, stops):
        legs = []
        for start, goal in itertools.pairwise(stops):
            legs.append(await self.legs.spawn(find_leg(start, goal)))
        return await asyncio.gather(*legs)

    async def plan_all(self, trips):
        return await self.pool.map(self.plan_trip, trips)


APART = True


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    planner = Planner()
    while True:
        await planner.plan_all(TRIPS)


if __name__ == "__main__":
    asyncio.run(main())
