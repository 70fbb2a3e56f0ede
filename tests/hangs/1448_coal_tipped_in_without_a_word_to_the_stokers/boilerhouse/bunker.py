import asyncio
import time


class Bunker:
    def __init__(self, announce):
        self.level = 30
        self.changed = asyncio.Condition()
        self.announce = announce

    async def take(self, shovels):
        async with self.changed:
            await self.changed.wait_for(lambda: self.level >= shovels)
            self.level -= shovels

    async def put_back(self, shovels):
        async with self.changed:
            self.level += shovels
            self.changed.notify_all()

    def _tip(self, shovels):
        for _ in range(shovels):
            time.sleep(0.002)
            self.level += 1

    async def refill(self, shovels):
        await asyncio.to_thread(self._tip, shovels)
        if self.announce:
            async with self.changed:
                self.changed.notify_all()
