import asyncio
import functools

import aiometer


class Crew:
    def __init__(self, seats):
        self.seats = seats
        self.rowlocks = asyncio.Event()
        self.aboard = []

    async def board(self, name):
        if name == "bosun":
            await asyncio.sleep(0.05)
            self.rowlocks.set()
        else:
            await self.rowlocks.wait()
        self.aboard.append(name)
        return len(self.aboard)

    async def man(self, names):
        jobs = [functools.partial(self.board, name) for name in names]
        return await aiometer.run_all(jobs, max_at_once=self.seats)

    def ashore(self):
        self.aboard.clear()
        self.rowlocks.clear()
