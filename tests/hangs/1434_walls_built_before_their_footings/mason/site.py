import asyncio

import aiometer


class Site:
    def __init__(self, gangs):
        self.gangs = gangs
        self.log = []
        self.hours = 0
        self.plan = None

    async def build(self, part):
        for name in part.needs:
            await self.plan.parts[name].done.wait()
        await asyncio.sleep(0.1)
        part.done.set()
        return part.name

    async def keep_hours(self):
        while True:
            await asyncio.sleep(0.5)
            self.hours += 1

    async def put_up(self, plan, order):
        self.plan = plan
        async with aiometer.amap(self.build, order, max_at_once=self.gangs) as finished:
            async for name in finished:
                self.log.append(name)
