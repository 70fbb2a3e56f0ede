import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from mosaic.work import lay


class Yard:
    def __init__(self, workers, notes, stones):
        self.manager = multiprocessing.Manager()
        self.told = self.manager.Queue(notes)
        self.pool = ProcessPoolExecutor(workers)
        self.stones = stones
        self.laid = {}

    async def build(self, walls):
        loop = asyncio.get_running_loop()
        jobs = [
            loop.run_in_executor(self.pool, lay, wall, self.stones, self.told) for wall in walls
        ]
        done = await asyncio.gather(*jobs)
        await self.take_notes()
        return done

    async def take_notes(self):
        loop = asyncio.get_running_loop()
        while not await loop.run_in_executor(None, self.told.empty):
            wall, stone = await loop.run_in_executor(None, self.told.get)
            self.laid[wall] = stone


async def water(yard):
    while True:
        yard.level = (getattr(yard, "level", 0) + 1) % 7
        await asyncio.sleep(0.2)
