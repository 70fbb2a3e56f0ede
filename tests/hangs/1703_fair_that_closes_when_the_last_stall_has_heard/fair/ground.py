import asyncio

from quattro import TaskGroup


class Stall:
    def __init__(self, name):
        self.name = name
        self.notices = asyncio.Queue()
        self.heard = 0

    async def trade(self):
        while True:
            notice = await self.notices.get()
            if notice is None:
                return self.heard
            self.heard += 1


class Ground:
    def __init__(self, names, farewell):
        self.stalls = [Stall(name) for name in names]
        self.farewell = farewell

    async def cry(self, notice):
        for stall in self.stalls:
            stall.notices.put_nowait(notice)
            await asyncio.sleep(0)

    async def day(self):
        async with TaskGroup() as group:
            for stall in self.stalls:
                group.create_task(stall.trade(), name="stall-" + stall.name)
            for hour in range(8):
                await self.cry("hour %d" % hour)
                await asyncio.sleep(0.05)
            for stall in self.stalls[: self.farewell]:
                stall.notices.put_nowait(None)
        return sum(stall.heard for stall in self.stalls)
