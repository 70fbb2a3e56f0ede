import asyncio
from collections import deque


class Pasture:
    """Takes cows while there is grass; the gate says whether there is."""

    def __init__(self, places):
        self.places = places
        self.cows = deque()
        self.gate = asyncio.Event()
        self.gate.set()

    async def drive_in(self, herd):
        for cow in herd:
            await self.gate.wait()
            self.cows.append(cow)
            crowded = len(self.cows) >= self.places
            await self.count()
            if crowded:
                self.gate.clear()

    async def count(self):
        await asyncio.sleep(0.02)

    def lead_out(self):
        cow = self.cows.popleft() if self.cows else None
        if cow is not None and len(self.cows) < self.places:
            self.gate.set()
        return cow

    def empty(self):
        return not self.cows


class CarefulPasture(Pasture):
    async def drive_in(self, herd):
        for cow in herd:
            await self.gate.wait()
            await self.count()
            self.cows.append(cow)
            if len(self.cows) >= self.places:
                self.gate.clear()
