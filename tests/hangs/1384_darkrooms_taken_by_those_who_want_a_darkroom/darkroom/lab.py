import time

import trio


class Lab:
    def __init__(self, rooms, pace):
        self.rooms = trio.CapacityLimiter(rooms)
        self.doors = self.rooms
        self.pace = pace
        self.prints = {}

    def develop(self, film):
        time.sleep(self.pace)
        return [f"{film}-{number}" for number in range(3)]

    async def negatives(self, film):
        return await trio.to_thread.run_sync(self.develop, film, limiter=self.doors)

    async def print_film(self, film):
        async with self.rooms:
            await trio.sleep(0.1)
            self.prints[film] = await self.negatives(film)


class BigLab(Lab):
    def __init__(self, rooms, pace):
        super().__init__(rooms, pace)
        self.doors = trio.CapacityLimiter(rooms)
